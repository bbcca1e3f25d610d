#pragma once

#include "neuroprim/neural.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {

/// How the options of `greedy`, `beam`, `sample` and `rebuild` ask a policy that sees all vertices at once.
[[nodiscard]] NeuralOptions neural_options(const SolveOptions& options);

}  // namespace neuroprim
