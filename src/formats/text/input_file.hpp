#pragma once

#include <string>
#include <string_view>

#include "formats/text/text.hpp"

namespace neuroprim::formats {

/// All bytes of a file; `-` is standard input. Throws InputError when it cannot be read or begins like nothing that
/// is text or gzip; TooLarge when it has more than `most` bytes, without having read more.
[[nodiscard]] std::string file_content(const std::string& path, std::size_t most = default_max_input);

/// What errors call the file: its path, or `stdin`.
[[nodiscard]] std::string source_name(const std::string& path);

/// The text in the bytes of a file: unpacked if they are gzip, without a byte order mark.
/// Throws InputError when there is no text at all, TooLarge when it unpacks to more than `most` bytes.
class TextFile {
public:
    TextFile(std::string_view bytes, const std::string& source, std::size_t most = default_max_input,
             const Warn& warn = {});
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    [[nodiscard]] const Text& text() const { return text_; }

private:
    std::string unpacked_;
    Text text_;
};

}  // namespace neuroprim::formats
