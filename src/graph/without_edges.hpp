#pragma once

#include <span>

#include "neuroprim/instance.hpp"

namespace neuroprim {

/// The instance without these edges. Points become a matrix, and are kept as the layout to draw by: throws InputError
/// above the number of points for which that is sensible.
[[nodiscard]] Instance without_edges(const Instance& instance, std::span<const Edge> edges);

}  // namespace neuroprim
