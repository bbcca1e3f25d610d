#pragma once

#include <algorithm>
#include <cmath>

namespace neuroprim::levels {

/// The schedule of simulated annealing, in parts of the mean cost of an edge.
struct Cooling {
    double hot = 1;
    double cold = 0.02;

    /// When this part of the cycle is over.
    [[nodiscard]] double at(double part) const { return hot * std::pow(cold / hot, part); }
};

/// The less is done, the less may be destroyed at first.
[[nodiscard]] inline Cooling cooling_for(double moves_per_vertex) {
    return {.hot = std::clamp(moves_per_vertex / 100, 0.1, 1.0)};
}

}  // namespace neuroprim::levels
