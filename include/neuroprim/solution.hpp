#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

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

    /// 100 (cost − bound) / bound; nothing without a bound or when the bound is zero and the cost is not.
    [[nodiscard]] std::optional<double> gap_percent() const;
};

struct SolveOptions {
    std::string method;  ///< empty: the best one for the problem
    Vertex start = no_vertex;
    std::uint64_t seed = 0;
    int threads = 1;
};

/// Builds, tidies, checks and prices a tree. Throws Infeasible when the method finds no feasible one.
[[nodiscard]] Solution solve(const Problem& problem, const SolveOptions& options = {});

}  // namespace neuroprim
