#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

/// A text to be read, and what it is called.
struct Text {
    std::string_view content;
    std::string source;  ///< names the text in errors
    std::string name;    ///< names the instance
    Warn on_warning = {};
    const MapOptions* map = nullptr;  ///< how streets are read; the usual way without

    /// Throws InputError with the line of the byte at `at`. Lines end in LF, CRLF or a lone CR. They are counted
    /// here and not while reading, so that reading need not care about lines.
    [[noreturn]] void fail(std::size_t at, const std::string& message) const;

    /// Throws InputError about the text as a whole.
    [[noreturn]] void fail(const std::string& message) const;

    /// Tells of something that the reader skips or takes for granted, with the line of the byte at `at`.
    void warn(std::size_t at, const std::string& message) const;
    void warn(const std::string& message) const;
};

/// A piece of a text and where it begins. The value may stand elsewhere when it had to be unquoted.
struct Token {
    std::string_view value;
    std::size_t at = 0;
};

/// Whether `c` is white space, line ends included.
[[nodiscard]] constexpr bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

[[nodiscard]] constexpr bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

/// Without white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] Token trimmed(Token token);

/// Whether both are the same but for the case of ASCII letters.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);

/// In quotes and fit for a message: shortened, bytes that do not print written as \x07.
[[nodiscard]] std::string in_quotes(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace neuroprim::formats
