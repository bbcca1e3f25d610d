#include "formats/text/json_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

bool is_json_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Bytes that the number at the start of `text` takes; 0 when there is none.
std::size_t number_length(std::string_view text) {
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t begin = at;
        while (at < text.size() && is_digit(text[at])) ++at;
        return at > begin;
    };
    const auto accept = [&](std::string_view choice) {
        const bool found = at < text.size() && choice.find(text[at]) != std::string_view::npos;
        at += found ? 1 : 0;
        return found;
    };
    accept("-");
    if (!accept("0") && !digits()) return 0;
    if (accept(".") && !digits()) return 0;
    if (accept("eE")) {
        accept("+-");
        if (!digits()) return 0;
    }
    return at;
}

void append_utf8(std::string& out, unsigned code) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | (code >> 6));
        put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3f));
        put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3f));
        put(0x80 | ((code >> 6) & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

}  // namespace

std::size_t JsonCursor::at() {
    const auto content = text_->content;
    while (at_ < content.size() && is_json_space(content[at_])) ++at_;
    return at_;
}

JsonCursor::Kind JsonCursor::peek() {
    const std::size_t begin = at();
    const char c = begin < text_->content.size() ? text_->content[begin] : '\0';
    if (c == '{') return Kind::object;
    if (c == '[') return Kind::array;
    if (c == '"') return Kind::string;
    if (c == '-' || is_digit(c)) return Kind::number;
    if (c == 't' || c == 'f') return Kind::boolean;
    if (c == 'n') return Kind::null;
    fail_expected("a JSON value");
}

bool JsonCursor::accept(char c) {
    const std::size_t begin = at();
    if (begin == text_->content.size() || text_->content[begin] != c) return false;
    ++at_;
    return true;
}

void JsonCursor::expect(char c, std::string_view expected) {
    if (!accept(c)) fail_expected(expected);
}

void JsonCursor::fail_expected(std::string_view expected) {
    const std::size_t begin = at();
    const auto rest = text_->content.substr(begin);
    std::size_t length = rest.find_first_of(" \t\r\n,:[]{}\"");
    if (length == 0) length = rest[0] == '"' ? std::min(rest.find('"', 1), rest.size() - 1) + 1 : 1;
    formats::fail_expected(*text_, {rest.substr(0, length), begin}, expected);
}

Token JsonCursor::number(std::string_view expected) {
    const std::size_t begin = at();
    const std::size_t length = number_length(text_->content.substr(begin));
    if (length == 0) fail_expected(expected);
    at_ += length;
    return {text_->content.substr(begin, length), begin};
}

bool JsonCursor::boolean() {
    if (peek() != Kind::boolean) fail_expected("true or false");
    const bool value = text_->content[at_] == 't';
    literal(value ? "true" : "false");
    return value;
}

bool JsonCursor::null() {
    if (peek() != Kind::null) return false;
    literal("null");
    return true;
}

void JsonCursor::literal(std::string_view word) {
    if (!text_->content.substr(at()).starts_with(word)) fail_expected("a JSON value");
    at_ += word.size();
}

std::string JsonCursor::string(std::string_view expected) {
    expect('"', expected);
    const auto content = text_->content;
    std::string result;
    for (;;) {
        const std::size_t begin = at_;
        while (at_ < content.size() && content[at_] != '"' && content[at_] != '\\' &&
               static_cast<unsigned char>(content[at_]) >= 0x20) {
            ++at_;
        }
        result += content.substr(begin, at_ - begin);
        if (at_ == content.size()) {
            text_->fail(at_, "expected a quote that ends the string, found the end of the file");
        }
        if (content[at_] == '"') break;
        if (content[at_] != '\\') {
            text_->fail(at_, "a string may not hold line ends or control characters as they are");
        }
        append_escape(result);
    }
    ++at_;
    if (!is_utf8(result)) text_->fail(at_ - 1, fmt::format("{} is not valid UTF-8", in_quotes(result)));
    return result;
}

/// Half of a surrogate pair alone stands for no character; such strings fail the check for UTF-8.
void JsonCursor::append_escape(std::string& out) {
    ++at_;
    const char c = at_ < text_->content.size() ? text_->content[at_] : '\0';
    constexpr std::string_view short_escapes = "\"\"\\\\//b\bf\fn\nr\rt\t";
    for (std::size_t i = 0; i < short_escapes.size(); i += 2) {
        if (c == short_escapes[i]) {
            out += short_escapes[i + 1];
            ++at_;
            return;
        }
    }
    if (c != 'u') text_->fail(at_, "expected one of \"\\/bfnrtu after a backslash");
    ++at_;
    unsigned code = hex_digits();
    const bool high_surrogate = code >= 0xd800 && code < 0xdc00;
    if (high_surrogate && text_->content.substr(at_).starts_with("\\u")) {
        at_ += 2;
        const unsigned low = hex_digits();
        if (low < 0xdc00 || low > 0xdfff) text_->fail(at_, "half of a surrogate pair stands alone");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_utf8(out, code);
}

unsigned JsonCursor::hex_digits() {
    unsigned value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        const char c = at_ < text_->content.size() ? text_->content[at_] : '\0';
        const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (!is_digit(c) && !letter) text_->fail(at_, "expected four hexadecimal digits after \\u");
        value = value * 16 + static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

void JsonCursor::skip() {
    std::vector<char> open;  // the closing brackets that are due
    for (;;) {
        switch (peek()) {
            case Kind::object:
                ++at_;
                if (!accept('}')) {
                    open.push_back('}');
                    static_cast<void>(string("a key in quotes"));
                    expect(':', "a colon");
                    continue;
                }
                break;
            case Kind::array:
                ++at_;
                if (!accept(']')) {
                    open.push_back(']');
                    continue;
                }
                break;
            case Kind::string:
                static_cast<void>(string());
                break;
            case Kind::number:
                static_cast<void>(number());
                break;
            case Kind::boolean:
                static_cast<void>(boolean());
                break;
            case Kind::null:
                static_cast<void>(null());
                break;
        }
        // After a value: a comma leads to the next one, or brackets close.
        while (!open.empty() && accept(open.back())) open.pop_back();
        if (open.empty()) return;
        expect(',', open.back() == ']' ? "a comma or ]" : "a comma or }");
        if (open.back() == '}') {
            static_cast<void>(string("a key in quotes"));
            expect(':', "a colon");
        }
    }
}

void JsonCursor::finish() {
    if (at() != text_->content.size()) fail_expected("the end of the file");
}

}  // namespace neuroprim::formats
