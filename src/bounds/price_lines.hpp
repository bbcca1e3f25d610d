#pragma once

#include <span>
#include <vector>

#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// An edge costs no less than such a line says of its load. Whole trees then cost a part of a shortest tree, and each
/// load pays for its way to the root.
struct PriceLine {
    double at_nothing;
    double slope;
};

/// Steps of prices are lowest at their ends. So a line is below them all if it is at the ends: lines through two
/// ends, through the origin and one, and the level one at the price of the least load. Cables come by rising
/// capacity.
[[nodiscard]] std::vector<PriceLine> price_lines(std::span<const Cable> cables, double least_price);

}  // namespace neuroprim
