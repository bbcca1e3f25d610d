#include "formats/text/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Bytes of the UTF-8 sequence at the start of `text`, 0 if it is none (RFC 3629: shortest form, no surrogates).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const unsigned char second = byte(1);
    if (first == 0xe0 && second < 0xa0) return 0;
    if (first == 0xed && second > 0x9f) return 0;
    if (first == 0xf0 && second < 0x90) return 0;
    if (first == 0xf4 && second > 0x8f) return 0;
    return length;
}

long line_of(std::string_view content, std::size_t at) {
    at = std::min(at, content.size());
    // The end of the text belongs to its last line, also when that one is ended properly.
    if (at == content.size() && at > 0 && is_line_end(content[at - 1])) --at;
    if (at > 0 && at < content.size() && content[at] == '\n' && content[at - 1] == '\r') --at;
    long line = 1;
    for (std::size_t i = 0; i < at; ++i) {
        const bool ends = content[i] == '\n' || (content[i] == '\r' && content[i + 1] != '\n');
        line += ends ? 1 : 0;
    }
    return line;
}

}  // namespace

void Text::fail(std::size_t at, const std::string& message) const {
    throw InputError(source, line_of(content, at), message);
}

void Text::fail(const std::string& message) const {
    throw InputError(source, 0, message);
}

void Text::warn(std::size_t at, const std::string& message) const {
    if (on_warning) on_warning(InputError(source, line_of(content, at), message).what());
}

void Text::warn(const std::string& message) const {
    if (on_warning) on_warning(InputError(source, 0, message).what());
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

Token trimmed(Token token) {
    const auto value = trimmed(token.value);
    return {value, token.at + static_cast<std::size_t>(value.data() - token.value.data())};
}

bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string result = "\"";
    for (std::size_t i = 0; i < text.size();) {
        if (i >= longest) {
            result += "…";
            break;
        }
        const std::size_t length = utf8_length(text.substr(i));
        const auto byte = static_cast<unsigned char>(text[i]);
        if (length == 0 || byte < 0x20 || byte == 0x7f) {
            fmt::format_to(std::back_inserter(result), "\\x{:02x}", byte);
            ++i;
        } else {
            result += text.substr(i, length);
            i += length;
        }
    }
    return result + '"';
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace neuroprim::formats
