#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neuroprim/tree.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim {

struct TreeSpec;

/// Costs of the trees that a policy built before the best of them was chosen.
struct CostStatistics {
    std::size_t trees = 0;      ///< complete ones
    std::size_t dead_ends = 0;  ///< constructions that could not be completed
    double mean = 0;
    double deviation = 0;  ///< standard deviation of this sample (divided by `trees`)
};

/// A tree with what is known about it: the answer that commands print and files keep.
struct Solution {
    std::string instance;
    std::string problem;
    Vertex n = 0;
    std::string method;
    std::uint64_t seed = 0;
    double cost = 0;
    std::optional<double> bound;  ///< a proven lower bound on the cost of every feasible tree
    Tree tree;
    double seconds = 0;
    std::optional<CostStatistics> statistics = {};  ///< of neural methods
    std::string found_by = {};                      ///< of `search`: what built and what improved the tree
    std::int64_t iterations = 0;                    ///< of `search`: perturbations tried by all its workers

    std::optional<std::size_t> crossings = {};  ///< pairs of edges that cross, counted for branches in the plane
    std::vector<Vertex> other_roots = {};  ///< of a forest: the roots of its trees but the first, which is its start
    std::vector<std::string> warnings = {};     ///< what the caller should know, a sentence each
    std::string specification = {};             ///< in words, where the problem's name does not say it all
    std::shared_ptr<const TreeSpec> spec = {};  ///< what it was solved for, where that is known

    /// Where its trees hang from: the start, and of a forest the other roots.
    [[nodiscard]] std::vector<Vertex> roots() const;

    /// Is the tree proven optimal? See optimality.hpp, for the gap too.
    [[nodiscard]] bool proven() const;
    [[nodiscard]] std::optional<double> gap_percent() const;
};

}  // namespace neuroprim
