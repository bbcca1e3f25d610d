#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "neuroprim/construction.hpp"
#include "neuroprim/random.hpp"
#include "policy/aligned.hpp"
#include "policy/edge_tables.hpp"
#include "policy/specification.hpp"

namespace neuroprim::policy {

/// The open edges of one tree vertex: records `positions[0 … count)` of its row in the tables, increasing.
struct OpenRow {
    Vertex u = no_vertex;
    const std::int32_t* positions = nullptr;
    int count = 0;
    std::size_t first = 0;  ///< how many open edges stand in the rows before
};

/// One tree that grows: the construction's state, its open edges as the kernels want them, and the decoder's memory.
class Trajectory {
public:
    Trajectory(const EdgeTables& tables, const Problem& problem, Vertex start, Random random);

    /// Lists the open edges of the coming step, ordered by (u, v). False in a dead end.
    bool list_open_edges();

    void add(Edge edge);

    [[nodiscard]] const Construction& state() const { return state_; }
    [[nodiscard]] const std::vector<OpenRow>& rows() const { return rows_; }
    [[nodiscard]] std::size_t open_edges() const { return open_edges_; }

    /// The open edge with this number, counted over the rows.
    [[nodiscard]] Edge edge(std::size_t number) const;

    /// The number of an edge, or `open_edges()` if it is not open.
    [[nodiscard]] std::size_t number(Edge edge) const;

    /// Brings the terms of the open rows up to date; nothing to do for a policy without them.
    void update_row_terms();

    /// What the row of the tree vertex `u` adds to scores: one number for each head of each layer, in units of log₂,
    /// then the action's. Null for a policy without such terms.
    [[nodiscard]] const float* row_terms(Vertex u) const {
        return row_terms_.empty() ? nullptr : row_terms_.data() + index(u) * term_count_;
    }

    /// The largest term of an attention score, up to its sign, among the rows that were ever open.
    [[nodiscard]] float largest_term() const { return largest_term_; }

    /// What the last action brings to the decoder's input, (d_e/2).
    [[nodiscard]] const float* last_action() const { return last_action_; }

    std::span<const Edge> prefix;
    std::vector<Edge> alternatives;
    Random random;
    double log_probability = 0;
    std::size_t edges_visited = 0;
    std::vector<AlignedFloats> memory;  // per decoder layer: (steps, 2·d_e) keys and values of self-attention
    std::vector<std::vector<float>> memory_norms;  // per decoder layer: (heads) longest key so far, squared
    AlignedFloats scores;                          // (open_edges, and room for a vector), if kept

private:
    void list_rows_of_open_vertices();
    bool list_pairs(std::span<const std::int32_t> admitted);

    const EdgeTables* tables_;
    Construction state_;
    const float* last_action_;
    std::vector<std::int32_t> columns_;    // the outside vertices, increasing
    std::vector<std::int32_t> admitted_;   // those that may join now, when some may not
    std::vector<std::uint8_t> may_join_;   // (n), on incomplete graphs
    std::vector<std::int32_t> positions_;  // of all rows, where they differ from row to row
    std::vector<Vertex> open_;
    std::vector<OpenRow> rows_;
    std::optional<RowFacts> row_facts_;  // where the policy is told the specification, as are the next three
    std::size_t term_count_ = 0;
    std::vector<float> known_facts_;  // (n, row_facts) those that the terms were made of; not finite at first
    std::vector<float> row_terms_;    // (n, term_count_)
    float largest_term_ = 0;
    std::size_t open_edges_ = 0;
};

}  // namespace neuroprim::policy
