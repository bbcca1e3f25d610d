#pragma once

#include "formats/read/sniffing.hpp"
#include "formats/text/text.hpp"
#include "neuroprim/instance.hpp"

/// Communication trees given as n and two n × n matrices, lengths and then requirements.
namespace neuroprim::formats {

/// By the count of numbers.
[[nodiscard]] bool holds_two_matrices(const NumberShape& numbers);

/// Lengths are symmetric. A requirement may be given on either side of the diagonal, with 0 on the other, or on
/// both sides alike.
[[nodiscard]] Instance read_two_matrices(const Text& text);

}  // namespace neuroprim::formats
