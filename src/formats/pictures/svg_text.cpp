#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "formats/pictures/svg.hpp"

namespace neuroprim::formats {

namespace {

/// How many bytes the UTF-8 character at the front takes; 0 when it is none that XML allows.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    std::uint32_t code = first & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fU);
    }
    const std::uint32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < smallest || code > 0x10ffff || is_surrogate || code == 0xfffe || code == 0xffff ? 0 : length;
}

}  // namespace

std::string valid_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string xml_text(std::string_view text) {
    std::string out;
    for (const char c : valid_text(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

void append_svg_number(std::string& out, double value) {
    auto hundredths = static_cast<long long>(std::llround(value * 100));
    if (hundredths < 0) {
        out += '-';
        hundredths = -hundredths;
    }
    const long long whole = hundredths / 100;
    const auto rest = static_cast<int>(hundredths % 100);
    if (whole > 0 || rest == 0) fmt::format_to(std::back_inserter(out), "{}", whole);
    if (rest == 0) return;
    out += '.';
    out += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
}

std::string hex(Colour colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

}  // namespace neuroprim::formats
