#pragma once

namespace neuroprim {

/// Sums of demands or lengths in another order differ by less than this part: limits on them are kept up to it.
inline constexpr double sum_tolerance = 1e-9;

}  // namespace neuroprim
