#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"

/// What a policy with the feature `specification` is told about the problem (docs/model.md): facts about each vertex
/// and the whole graph, which the encoder adds to its input, and what is left of each resource at a tree vertex.
namespace neuroprim::policy {

inline constexpr int vertex_facts = 10;
inline constexpr int graph_facts = 12;
inline constexpr int input_facts = vertex_facts + graph_facts;
inline constexpr int row_facts = 14;

/// Inner width of the network that makes scores of the facts of a row.
inline constexpr int row_width = 32;

/// Counts beyond this are all the same to the policy.
inline constexpr int most_left = 8;

/// Feature distance per unit of weight, so that prizes and lengths can be told in the scale of the unit square: exact
/// for straight-line weights, a mean otherwise. `points` are those in the unit square. O(n).
[[nodiscard]] double weight_unit(const Weights& weights, std::span<const Point> points);

/// (n, input_facts): the facts of each vertex, then those of the graph. `unit` is feature distance per unit of
/// weight.
[[nodiscard]] std::vector<float> input_facts_of(const Problem& problem, std::span<const Point> points, double unit);

/// What is left at tree vertices while a tree grows.
class RowFacts {
public:
    RowFacts(const Problem& problem, double unit);

    /// Writes (row_facts) numbers for the tree vertex `u`.
    void write(const Construction& state, Vertex u, float* facts) const;

private:
    const TreeSpec* spec_;
    double unit_;
    double mean_demand_ = 1;
};

/// Is the tree grown, as far as a policy grows it? Where vertices are optional it takes in all that have a prize:
/// what does not pay is pruned afterwards.
[[nodiscard]] bool is_grown(const Construction& state);

}  // namespace neuroprim::policy
