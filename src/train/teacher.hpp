#pragma once

#include <cstdint>
#include <vector>

#include "neuroprim/tree.hpp"
#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

struct TeacherOptions {
    std::int64_t steps = 10;  ///< perturbations of the solver's local search per graph
    std::uint64_t seed = 0;
    std::int64_t first = 0;  ///< number of the first graph in the whole batch
    int threads = 1;
};

/// Graphs on the CPU, and what the solver itself would answer: one tree each, by classical construction and local
/// search.
struct SolvedGraphs {
    Graphs graphs;
    std::vector<Tree> trees;  ///< (G)
    at::Tensor costs;         ///< (G) float32
    Rules rules = {};
};

/// Graph g as an instance, and its specification under the rules, with `root` where they count from one.
[[nodiscard]] Instance instance_of(const Graphs& graphs, std::int64_t g);
[[nodiscard]] TreeSpec specification_of(const Graphs& graphs, std::int64_t g, const Rules& rules, Vertex root);

/// Answers depend on (seed, number of the graph), not on threads. `roots` (G) int64: where trees with a root begin.
/// Trees of groups and prizes cannot be taught: they hold other vertices than those the policy may start from.
[[nodiscard]] SolvedGraphs solve_graphs(const Graphs& graphs, const Rules& rules, const at::Tensor& roots,
                                        const TeacherOptions& options);

/// In which order a tree is told: the cheapest of its edges that can be taken next, or any of them with equal chance.
enum class Order { cheapest, random };

/// The trees as trajectories, count / G from each graph: `starts` (count) int64 on the CPU. `seed` is for random
/// orders.
[[nodiscard]] Trajectories tell(const SolvedGraphs& solved, const at::Tensor& starts, Order order, std::uint64_t seed,
                                int threads);

/// The graphs after one of the eight symmetries of the square, 0 to 7: the same trees answer them.
[[nodiscard]] Graphs mirrored(const Graphs& graphs, int symmetry);

}  // namespace neuroprim::train
