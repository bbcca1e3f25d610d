#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

/// Checks of numbers on the command line. CLI11's own let NaN pass, and wrap -1 around where it is to be unsigned.
namespace neuroprim::cli {

/// A whole number from `least` to `most`, both included.
[[nodiscard]] CLI::Validator is_whole(std::uint64_t least = 0,
                                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// A number from `least` to `most`, both included.
[[nodiscard]] CLI::Validator is_number(double least, double most);

/// A number above zero, at most `most`.
[[nodiscard]] CLI::Validator is_positive(double most = std::numeric_limits<double>::max());

/// Thirty years in seconds: clocks can count that far, and nobody waits as long.
inline constexpr double most_seconds = 1e9;

}  // namespace neuroprim::cli
