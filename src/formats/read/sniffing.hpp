#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "formats/text/text.hpp"

namespace neuroprim::formats {

/// The shape of a text that holds words only, and numbers in its first line.
struct NumberShape {
    std::size_t numbers = 0;              ///< words in the whole text
    std::size_t lines = 0;                ///< lines that are not blank
    std::array<std::size_t, 3> head{};    ///< words in the first three such lines
    std::size_t per_line = 0;             ///< words in every line; 0 when it varies
    bool rows_grow = true;                ///< line k has k words
    std::vector<std::string_view> first;  ///< the words of the first line
};

/// What readers look at to recognise their format: gathered once, in one pass over the text at most.
struct Sniffed {
    explicit Sniffed(const Text& text);

    const Text& text;
    Token first_line;                    ///< that is not blank, trimmed
    std::optional<NumberShape> numbers;  ///< only for texts that begin with a line of nothing but numbers
};

}  // namespace neuroprim::formats
