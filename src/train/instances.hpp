#pragma once

#include <cstdint>
#include <string>

#include "train/mix.hpp"
#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

/// What random graphs look like.
struct InstanceOptions {
    enum class Shape { uniform, clustered, mixed, remainder };
    enum class EdgeWeights { straight, mixed };

    /// mixed: each graph is uniform or clustered with equal chance. remainder: likewise, and then what a growing path
    /// may have left around its end, which is vertex 0 and the root.
    Shape shape = Shape::uniform;
    EdgeWeights weights = EdgeWeights::straight;  ///< mixed: of half the graphs, straight ones times random factors
    std::int64_t n_min = 50;  ///< the size is drawn for each batch: all graphs of a batch have the same
    std::int64_t n_max = 50;
    std::int64_t terminals_min = 2;  ///< the number of terminals is drawn anew for each batch
    std::int64_t terminals_max = 0;  ///< 0: n
};

/// Which part of a batch a process makes: graphs first … first + count − 1. Graph k of batch `number` is the same
/// whoever makes it, on every machine.
struct BatchPart {
    std::uint64_t seed = 0;
    std::uint64_t number = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// On the CPU, with what the rules ask for: terminals (otherwise every vertex is one), demands, prizes, groups, a
/// root, a limit of lengths (a share of the longest of the shortest ways from the root). Weights that are not all
/// straight are |x_u − x_v|·exp(σ·z_uv) in half the graphs, with σ from (0, 1) for each and z standard normal.
[[nodiscard]] Graphs draw_graphs(const InstanceOptions& options, const Rules& rules, const BatchPart& part,
                                 const Range& demands = {});

/// (count·per_graph) int64 on the CPU: where trajectories begin, drawn from the terminals, or from the vertices of
/// groups or with a prize where there are none, or the root when the rules say so. `distinct` takes every allowed
/// vertex once before any is taken again.
[[nodiscard]] at::Tensor draw_starts(const Graphs& graphs, const Rules& rules, std::int64_t per_graph, bool distinct,
                                     const BatchPart& part);

/// (B, T) float32 on the CPU, in [0, 1): row b depends on (seed, first + b) only.
[[nodiscard]] at::Tensor draw_uniform(const Choice& choice, std::int64_t trajectories, std::int64_t steps);

/// The seed from which the actions of a batch are drawn.
[[nodiscard]] std::uint64_t action_seed(std::uint64_t seed, std::uint64_t number);

/// (G, n, 2) moved and scaled by one factor per graph into the unit square, as the solver does before encoding.
[[nodiscard]] at::Tensor in_unit_square(const at::Tensor& points);

}  // namespace neuroprim::train
