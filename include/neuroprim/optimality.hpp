#pragma once

#include <optional>

namespace neuroprim {

/// Does the proven lower bound show that no tree is cheaper than this cost? Up to a part of 10⁻⁹ of the bound, since
/// sums of doubles in another order differ by that much. A bound of zero is a bound as any other.
///
/// Everything that calls a tree optimal asks here: searches, files, pictures, the server and the Python module.
[[nodiscard]] bool proven(double cost, std::optional<double> bound);

/// The bound as it is told beside the cost of a tree: never above it. Sums of doubles in another order may leave the
/// bound of an optimal tree above its cost by the last digits.
[[nodiscard]] std::optional<double> bound_beside(double cost, std::optional<double> bound);

/// 100 (cost − bound) / bound, and exactly zero where the cost is proven. Nothing without a bound, or where the bound
/// is zero and the cost is not.
[[nodiscard]] std::optional<double> gap_percent(double cost, std::optional<double> bound);

}  // namespace neuroprim
