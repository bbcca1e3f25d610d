#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

/// Why this policy cannot grow trees of this problem in batches, or nothing: its graph is not complete, its weights
/// are no distances between points and the policy does not see them, or its specification is beyond the trainer's
/// rules.
[[nodiscard]] std::optional<std::string> reason_against_batches(const Problem& problem, const PolicyConfig& policy);

/// What two problems must have in common to grow in one batch.
struct BatchKind {
    std::int64_t n = 0;
    bool is_straight = true;  ///< are weights the distances between points?
    Rules rules;

    friend bool operator==(const BatchKind&, const BatchKind&) = default;
};
[[nodiscard]] BatchKind batch_kind(const Problem& problem);

/// The graphs of problems of one kind, on the CPU: what `specification_of` reads the other way around. Points are
/// moved to the origin first, since they keep single precision only. Where weights are not straight, points are those
/// that the policy sees. Limits of length are lower by what single
/// precision may add up to wrongly, so that grown trees keep the true ones.
[[nodiscard]] Graphs graphs_of(std::span<const Problem* const> problems);

/// (G·per_graph) int64 on the CPU: the vertices that trees may grow from (`greedy_starts` or the problem's). Where a
/// problem has fewer they come again, where it has more they are spread evenly.
[[nodiscard]] at::Tensor starts_of(std::span<const Problem* const> problems, std::int64_t per_graph, bool is_greedy);

}  // namespace neuroprim::train
