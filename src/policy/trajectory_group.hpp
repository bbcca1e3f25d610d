#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "neuroprim/policy.hpp"
#include "policy/edge_tables.hpp"
#include "policy/fork_join_pool.hpp"
#include "policy/stop_request.hpp"
#include "policy/trajectory.hpp"

namespace neuroprim::policy {

/// Trajectories of one instance that take their steps together, so that a row of the edge tables that is in cache
/// serves all of them. What a trajectory does never depends on its company, or on the pool that shares the rows.
class TrajectoryGroup {
public:
    /// Large enough that a row of the tables is read from cache, small enough that the trajectories' own state stays
    /// there too.
    static constexpr std::size_t capacity = 16;

    /// Do the rows of a step come from memory and are so many that it pays to share them between threads?
    [[nodiscard]] static bool has_work_for_a_pool(const EdgeTables& tables, const Problem& problem);

    TrajectoryGroup(const EdgeTables& tables, const Problem& problem, const DecodeOptions& options, StopRequest& stop,
                    std::span<const Start> starts, std::size_t begin, std::size_t end, ForkJoinPool* pool = nullptr);

    /// Grows them all, or till it is asked to stop; one result per trajectory, in order.
    void run(std::span<Rollout> results);

    /// Log-probability of the edges of `tree`, for a group of one.
    [[nodiscard]] double follow(const Tree& tree);

private:
    void drop_finished();
    void compute_scores();
    void attend_to_past(const DecoderLayer& layer, std::size_t l);
    void attend_to_edges(const DecoderLayer& layer, std::size_t l);
    void finish_attention(const Linear& output, const Norm& norm);
    void score_edges();
    float score_row(std::size_t j, const OpenRow& row, float* scores) const;

    // Nothing, and nothing is changed, when they were asked to stop.
    [[nodiscard]] std::optional<Edge> next_edge(std::size_t j);
    [[nodiscard]] std::optional<std::size_t> choose(Trajectory& trajectory, float top);
    [[nodiscard]] std::optional<double> weigh(const Trajectory& trajectory, float top);

    void list_alternatives(Trajectory& trajectory);
    [[nodiscard]] Edge best_edge(std::size_t j);
    void observe(const Trajectory& trajectory, std::size_t chosen, double total);

    /// Can no score of this query overflow, whatever the keys of these lengths are?
    [[nodiscard]] bool is_suspicious(const float* sums) const;
    [[nodiscard]] bool is_bounded(const float* query, const std::vector<float>& squared_norms,
                                  float largest_term = 0);

    /// Calls `visit(part, j, row)` for every open row of every active trajectory, rows of one vertex together. The
    /// vertices are in parts that depend on the tables alone: the pool's threads visit different parts at the same
    /// time. Once asked to stop it leaves out rows: what was summed up is then of no use.
    template <class Visit>
    void for_each_row(Visit&& visit);
    template <class Visit>
    void for_each_row_of_part(std::size_t part, Visit&& visit);

    /// Asks whether to stop when many edges have been visited since the last question, and counts anew.
    [[nodiscard]] bool is_time_to_stop(std::size_t& visited);

    const EdgeTables& tables_;
    const DecodeOptions& options_;
    StopRequest& stop_;
    const Kernels& kernels_;
    const Prepared& weights_;
    int d_e_;
    int heads_;
    AttendFunction attend_;
    ScoreFunction score_;
    std::size_t begin_;
    bool is_far_;
    std::size_t parts_;  // of the vertices
    bool keeps_scores_;  // false: the best edge is all that is asked for, and scores would leave no cache to the
                         // tables
    ForkJoinPool* pool_;
    std::vector<std::unique_ptr<Trajectory>> trajectories_;
    std::vector<Trajectory*> active_;
    std::size_t step_ = 0;
    AlignedFloats x_;          // (group, d_e) the decoder's state
    AlignedFloats wide_;       // (group, 3·d_e) queries, keys, values
    AlignedFloats sums_;       // (parts, group, heads + d_e); the first part becomes the sum of all
    AlignedFloats context_;    // (group, d_e)
    AlignedFloats hidden_;     // (group, d_e)
    std::vector<float> tops_;  // (group) the largest action scores

    /// The largest score in a part, and the first row that has it.
    struct Best {
        float top;
        OpenRow row;
    };
    std::vector<Best> bests_;                     // (parts, group)
    std::vector<std::vector<float>> row_scores_;  // (parts): of one row that need not be kept
    AlignedFloats soft_weights_;
    std::vector<float> chunk_sums_;
    std::vector<float> shifts_;   // (group, heads)
    std::vector<char> bounded_;   // (group)
    std::vector<float> squares_;  // (heads)
    std::vector<Edge> observed_;
    std::vector<std::size_t> order_;
};

}  // namespace neuroprim::policy
