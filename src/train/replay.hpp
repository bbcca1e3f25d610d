#pragma once

#include "train/resources.hpp"
#include "train/rules.hpp"
#include "train/tables.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

struct PolicyParts;

struct Likelihood {
    at::Tensor log_probabilities;  // (B) sum over steps, with gradients
    at::Tensor entropies;          // (B) sum over steps of the policy's entropy; undefined when not asked for
};

/// Log-probability of the chosen actions, teacher forced: all steps at once in plain tensor operations, with
/// gradients to the policy's parameters and the tables. Exact, because the decoder's inputs depend only on the graph
/// and the actions, self-attention is causal, and the masks follow from `enter`, `close` and the resources.
[[nodiscard]] Likelihood log_probabilities(PolicyParts& policy, const Tables& tables,
                                           const Trajectories& trajectories, bool with_entropy = false,
                                           const StepResources& resources = {});

}  // namespace neuroprim::train
