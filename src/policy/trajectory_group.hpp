#pragma once

#include <memory>
#include <span>
#include <vector>

#include "neuroprim/policy.hpp"
#include "policy/edge_tables.hpp"
#include "policy/trajectory.hpp"

namespace neuroprim::policy {

/// Trajectories of one instance that take their steps together on one thread, so that a row of the edge tables that
/// is in cache serves all of them. What a trajectory does never depends on its company.
class TrajectoryGroup {
public:
    TrajectoryGroup(const EdgeTables& tables, const Problem& problem, const DecodeOptions& options,
                    std::span<const Start> starts, std::size_t begin, std::size_t end);

    /// Grows them all; one result per trajectory, in order.
    void run(std::span<Rollout> results);

    /// Log-probability of the edges of `tree`, for a group of one.
    [[nodiscard]] double follow(const Tree& tree);

private:
    void drop_finished();
    void compute_scores();
    void attend_to_past(const DecoderLayer& layer, std::size_t l);
    void attend_to_edges(const DecoderLayer& layer, std::size_t l);
    void finish_attention(const Linear& output, const Norm& norm);
    [[nodiscard]] Edge next_edge(Trajectory& trajectory, float top);
    void list_alternatives(Trajectory& trajectory);
    [[nodiscard]] std::size_t choose(Trajectory& trajectory, float top);
    double weigh(const Trajectory& trajectory, float top);
    void observe(const Trajectory& trajectory, std::size_t chosen, double total);

    /// Can no score of this query overflow, whatever the keys of these lengths are?
    [[nodiscard]] bool is_suspicious(const float* sums) const;
    [[nodiscard]] bool is_bounded(const float* query, const std::vector<float>& squared_norms);

    /// Calls `visit(j, row)` for every open row of every active trajectory, rows of one vertex together.
    template <class Visit>
    void for_each_row(Visit&& visit);

    const EdgeTables& tables_;
    const DecodeOptions& options_;
    const Kernels& kernels_;
    const Prepared& weights_;
    int d_e_;
    int heads_;
    AttendFunction attend_;
    ScoreFunction score_;
    std::size_t begin_;
    bool is_far_;
    std::vector<std::unique_ptr<Trajectory>> trajectories_;
    std::vector<Trajectory*> active_;
    std::vector<std::size_t> cursors_;
    std::size_t step_ = 0;
    AlignedFloats x_;        // (group, d_e) the decoder's state
    AlignedFloats wide_;     // (group, 3·d_e) queries, keys, values
    AlignedFloats sums_;     // (group, heads + d_e)
    AlignedFloats context_;  // (group, d_e)
    AlignedFloats hidden_;   // (group, d_e)
    std::vector<float> tops_;
    std::vector<float> soft_weights_;
    std::vector<float> chunk_sums_;
    std::vector<float> shifts_;   // (group, heads)
    std::vector<char> bounded_;   // (group)
    std::vector<float> squares_;  // (heads)
    std::vector<Edge> observed_;
    std::vector<std::size_t> order_;
};

}  // namespace neuroprim::policy
