#pragma once

#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim::testing {

/// The five points of the paper's Figure 1, v1 … v5 as 0 … 4, with v1 in the middle of the others' way.
/// The figure is not in the text; these coordinates give every value that it states.
[[nodiscard]] Instance paper_example();

[[nodiscard]] Instance of_points(std::vector<Point> points, Metric metric = Metric::euclidean);
[[nodiscard]] Instance of_edges(Vertex n, std::vector<WeightedEdge> edges);

/// Small graphs of all kinds that take turns (points, matrices, sparse), whole and real weights.
[[nodiscard]] Instance small_instance(Vertex n, std::uint64_t seed);

/// One of the six classic problems with what it reads of the options: tests that go through all of them give all.
[[nodiscard]] std::unique_ptr<Problem> classic_problem(std::string_view name, const Instance& instance,
                                                       const ProblemOptions& options);

}  // namespace neuroprim::testing
