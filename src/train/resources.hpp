#pragma once

#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

/// Sums of lengths and loads are of single precision here: limits on them are kept up to this part.
inline constexpr double resource_tolerance = 1e-5;

/// (G, n, input_facts): what the encoder of a policy that is told the specification gets, for graphs whose points
/// were brought to `coordinates` (G, n, 2) in the unit square. The batch's answer to policy::input_facts_of.
[[nodiscard]] at::Tensor input_facts(const Graphs& graphs, const Rules& rules, const at::Tensor& coordinates);

/// What B growing trees have used of each resource, kept step by step in plain tensor operations: the batch's answer
/// to `Construction` and policy::RowFacts.
class Resources {
public:
    Resources(const Graphs& graphs, const Rules& rules, const at::Tensor& starts);

    /// `v` joins through `u`, both (B, 1) int64, where `moves` (B, 1) bool says so.
    void add(const at::Tensor& u, const at::Tensor& v, const at::Tensor& moves);

    /// (B, n) bool: tree vertices that cannot take another child. Says nothing about others.
    [[nodiscard]] at::Tensor full() const;

    /// (B, n): the longest edge that a child may have, the largest demand; undefined without such a limit.
    [[nodiscard]] at::Tensor length_left() const;
    [[nodiscard]] at::Tensor load_left() const;

    /// (B, n, row_facts); rows outside the tree hold numbers without a meaning.
    [[nodiscard]] at::Tensor facts() const;

private:
    [[nodiscard]] at::Tensor per_trajectory(const at::Tensor& per_graph) const;
    [[nodiscard]] at::Tensor branch_load() const;

    Rules rules_;
    std::int64_t count_;
    std::int64_t n_;
    at::TensorOptions floats_;
    at::Tensor degree_;        // (B, n) int32
    at::Tensor depth_;         // (B, n) int32
    at::Tensor is_root_;       // (B, n) float, zeros where there is none
    at::Tensor weights_;       // (G, n²), and the next three where lengths are limited
    at::Tensor length_;        // (B, n)
    at::Tensor limit_;         // (B, 1)
    at::Tensor unit_;          // (B, 1) feature distance per unit of length
    at::Tensor demands_;       // (B, n), and the next four where loads are
    at::Tensor branch_;        // (B, n) int64
    at::Tensor load_;          // (B, n) of the branch that begins there
    at::Tensor least_demand_;  // (B, 1)
    at::Tensor mean_demand_;   // (B, 1)
    at::Tensor eccentricity_;  // (B, n) int32, and the next two where the diameter is
    at::Tensor distance_;      // (B, n, n) int32 in the tree
    at::Tensor inside_;        // (B, n) bool
};

/// What the rows of all steps have left, for a replay. Undefined where nothing asks for it.
struct StepResources {
    at::Tensor facts;        // (B, T, n, row_facts)
    at::Tensor length_left;  // (B, T, n)
    at::Tensor load_left;    // (B, T, n)
    at::Tensor weights;      // (G, n, n), where lengths are limited; undefined where `points` are enough
    at::Tensor points;       // (G, n, 2), where they are
    at::Tensor demands;      // (G, n), where loads are
    at::Tensor leave;        // (B, n) int32: the step from which a vertex cannot join, where there are groups
};

[[nodiscard]] StepResources step_resources(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules,
                                           bool with_facts);

/// (B, n) int32: when the first vertex of each vertex's group entered.
[[nodiscard]] at::Tensor leave_times(const at::Tensor& enter, const Graphs& graphs);

/// (G, n, n) of the type of the points: the graphs' weights, or the straight distances.
[[nodiscard]] at::Tensor edge_weights(const Graphs& graphs);

/// (G, 1) distance in the unit square per unit of weight: the batch's answer to policy::feature_unit.
[[nodiscard]] at::Tensor weight_units(const Graphs& graphs);

}  // namespace neuroprim::train
