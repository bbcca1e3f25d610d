#pragma once

#include "formats/text/text.hpp"

namespace neuroprim::formats {

/// Walks through a text word by word or line by line. Copy it to look ahead.
class Scanner {
public:
    explicit Scanner(const Text& text, std::size_t at = 0) : text_(&text), at_(at) {}

    [[nodiscard]] const Text& text() const { return *text_; }

    /// The next word, across line ends; empty at the end of the text.
    Token word();

    /// The next word of this line; empty at its end.
    Token word_in_line();

    /// The rest of this line without white space at its ends; goes on to the next line.
    Token rest_of_line();

    /// The next line that is not blank, trimmed; empty at the end of the text.
    Token line();

    /// Bytes not yet read: no more than so many numbers can follow.
    [[nodiscard]] std::size_t bytes_left() const { return text_->content.size() - at_; }

    /// Whether nothing but white space follows.
    [[nodiscard]] bool at_end() const;

    /// Fails when anything but white space follows; `expected` tells why nothing should.
    void expect_end(std::string_view expected) const;

private:
    Token take_word();

    const Text* text_;
    std::size_t at_;
};

}  // namespace neuroprim::formats
