#pragma once

namespace neuroprim::routing {

/// A gain below this part of the cost is rounding, not an improvement.
inline constexpr double rounding = 1e-11;

}  // namespace neuroprim::routing
