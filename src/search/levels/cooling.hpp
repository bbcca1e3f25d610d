#pragma once

#include <algorithm>
#include <cmath>

namespace neuroprim::levels {

/// The schedule of simulated annealing, in parts of the mean cost of an edge.
struct Cooling {
    double hot = 0.5;
    double cold = 0.015;

    /// When this part of the cycle is over.
    [[nodiscard]] double at(double part) const { return hot * std::pow(cold / hot, part); }
};

/// The less is done, the less may be destroyed at first.
[[nodiscard]] inline Cooling cooling_for(double moves_per_vertex, double hottest) {
    return {.hot = std::clamp(moves_per_vertex / 100, 0.1, hottest)};
}

}  // namespace neuroprim::levels
