#pragma once

#include "train/rules.hpp"
#include "train/tables.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

struct PolicyParts;

/// Grows one tree per start, step by step, in plain tensor operations and without gradients.
/// `starts` (B) int64 holds N starts per graph, B = G·N, on the device of the tables. `log_probabilities`, when not
/// null, becomes (B): those of the actions as they were chosen.
[[nodiscard]] Trajectories roll_out(PolicyParts& policy, const Tables& tables, const Graphs& graphs,
                                    const Rules& rules, const at::Tensor& starts, const Choice& choice,
                                    at::Tensor* log_probabilities = nullptr);

}  // namespace neuroprim::train
