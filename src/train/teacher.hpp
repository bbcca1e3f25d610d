#pragma once

#include <cstdint>

#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

struct TeacherOptions {
    std::int64_t steps = 10;  ///< perturbations of the solver's local search per graph
    std::uint64_t seed = 0;
    std::int64_t first = 0;  ///< number of the first graph in the whole batch
    int threads = 1;
};

/// What the solver itself would answer: one tree per graph by classical construction and local search, told as one
/// trajectory for each start, which always takes the tree's cheapest edge next. `starts` (B) and everything else is
/// on the CPU. A lesson depends on (seed, number of the graph), not on threads.
[[nodiscard]] Trajectories teach(const Graphs& graphs, const Rules& rules, const at::Tensor& starts,
                                 const TeacherOptions& options);

}  // namespace neuroprim::train
