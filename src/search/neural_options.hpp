#pragma once

#include "neuroprim/neural.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {

/// How the options of `greedy`, `beam`, `sample` and `rebuild` ask a policy that sees all vertices at once. In graphs
/// larger than policies know, where trees from all starts would take minutes and are hardly cheaper, ten starts stand
/// for all unless the options say how many.
[[nodiscard]] NeuralOptions neural_options(const SolveOptions& options, const Problem& problem);

}  // namespace neuroprim
