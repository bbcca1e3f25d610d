#include "formats/text/scanner.hpp"

#include <fmt/format.h>

namespace neuroprim::formats {

Token Scanner::take_word() {
    const auto content = text_->content;
    const std::size_t begin = at_;
    while (at_ < content.size() && !is_space(content[at_])) ++at_;
    return {content.substr(begin, at_ - begin), begin};
}

Token Scanner::word() {
    const auto content = text_->content;
    while (at_ < content.size() && is_space(content[at_])) ++at_;
    return take_word();
}

Token Scanner::word_in_line() {
    const auto content = text_->content;
    while (at_ < content.size() && is_space(content[at_]) && !is_line_end(content[at_])) ++at_;
    return take_word();
}

Token Scanner::rest_of_line() {
    const auto content = text_->content;
    const std::size_t begin = at_;
    while (at_ < content.size() && !is_line_end(content[at_])) ++at_;
    const Token line{content.substr(begin, at_ - begin), begin};
    if (content.substr(at_).starts_with("\r\n")) ++at_;
    if (at_ < content.size()) ++at_;
    return trimmed(line);
}

Token Scanner::line() {
    while (!at_end()) {
        const Token line = rest_of_line();
        if (!line.value.empty()) return line;
    }
    return {{}, text_->content.size()};
}

bool Scanner::at_end() const {
    return Scanner(*this).word().value.empty();
}

void Scanner::expect_end(std::string_view expected) const {
    const Token extra = Scanner(*this).word();
    if (!extra.value.empty()) text_->fail(extra.at, fmt::format("{}, found {}", expected, in_quotes(extra.value)));
}

}  // namespace neuroprim::formats
