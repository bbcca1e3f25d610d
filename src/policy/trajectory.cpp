#include "policy/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <span>

#include "neuroprim/problem.hpp"

namespace neuroprim::policy {

Trajectory::Trajectory(const EdgeTables& tables, const Problem& problem, Vertex start, Random random_numbers)
    : random(random_numbers), tables_(&tables), state_(problem, start) {
    const auto d_e = static_cast<std::size_t>(tables.model->config.d_e);
    const auto heads = static_cast<std::size_t>(tables.model->config.heads);
    const auto n = static_cast<std::size_t>(tables.n);
    last_action_ = tables.pooled_starts.data() + static_cast<std::size_t>(start) * d_e / 2;
    for (std::size_t l = 0; l < tables.layers.size(); ++l) {
        memory.emplace_back(n * 2 * d_e);
        memory_norms.emplace_back(heads, 0.0f);
    }
    columns_.assign(state_.outside().begin(), state_.outside().end());
    std::sort(columns_.begin(), columns_.end());
    if (!tables.complete) may_join_.assign(n, 0);
    if (sees_specification(tables.model->config)) {
        row_facts_.emplace(problem, tables.weight_unit);
        term_count_ = static_cast<std::size_t>(policy::row_terms(tables.model->config));
        known_facts_.assign(n * row_facts, std::numeric_limits<float>::infinity());
        row_terms_.assign(n * term_count_, 0);
    }
}

/// Most rows stay as they are from step to step, so only those whose facts changed go through the network.
void Trajectory::update_row_terms() {
    if (!row_facts_) return;
    const Prepared& weights = tables_->model->prepared;
    const Kernels& kernels = *tables_->model->kernels;
    for (const OpenRow& row : rows_) {
        float facts[row_facts];
        row_facts_->write(state_, row.u, facts);
        float* known = known_facts_.data() + index(row.u) * row_facts;
        if (std::equal(facts, facts + row_facts, known)) continue;
        std::copy(facts, facts + row_facts, known);
        float hidden[row_width];
        float* terms = row_terms_.data() + index(row.u) * term_count_;
        weights.row_expand.apply(kernels, facts, 1, hidden, true);
        weights.row_contract.apply(kernels, hidden, 1, terms);
        for (std::size_t k = 0; k + 1 < term_count_; ++k) {
            terms[k] *= std::numbers::log2e_v<float>;
            largest_term_ = std::max(largest_term_, std::abs(terms[k]));
        }
    }
}

void Trajectory::list_rows_of_open_vertices() {
    const auto open = state_.open();
    open_.clear();
    if (open.size() * 8 < static_cast<std::size_t>(tables_->n)) {
        open_.assign(open.begin(), open.end());
        std::sort(open_.begin(), open_.end());
    } else {
        for (Vertex u = 0; u < tables_->n; ++u) {
            if (state_.is_open(u)) open_.push_back(u);
        }
    }
}

bool Trajectory::list_open_edges() {
    list_rows_of_open_vertices();
    const auto may_join = [&](std::int32_t v) { return state_.problem().lookahead_allows(state_, v); };
    std::span<const std::int32_t> admitted = columns_;
    if (!state_.problem().lookahead_allows_all(state_) && !std::all_of(columns_.begin(), columns_.end(), may_join)) {
        admitted_.clear();
        std::copy_if(columns_.begin(), columns_.end(), std::back_inserter(admitted_), may_join);
        admitted = admitted_;
    }
    rows_.clear();
    open_edges_ = 0;
    const bool pairs = state_.problem().has_pair_rule();
    if (tables_->complete && pairs) return list_pairs(admitted);
    if (tables_->complete) {
        const int count = static_cast<int>(admitted.size());
        for (const Vertex u : open_) {
            if (count > 0) rows_.push_back({u, admitted.data(), count, open_edges_});
            open_edges_ += admitted.size();
        }
        return open_edges_ > 0;
    }
    for (const std::int32_t v : admitted) may_join_[static_cast<std::size_t>(v)] = 1;
    positions_.clear();
    for (const Vertex u : open_) {
        const std::size_t begin = tables_->row_begin[static_cast<std::size_t>(u)];
        const std::size_t end = tables_->row_begin[static_cast<std::size_t>(u) + 1];
        const std::size_t before = positions_.size();
        for (std::size_t k = begin; k < end; ++k) {
            const Vertex v = tables_->neighbours[k];
            if (!may_join_[static_cast<std::size_t>(v)]) continue;
            if (pairs && !state_.problem().joins(state_, u, v)) continue;
            positions_.push_back(static_cast<std::int32_t>(k - begin));
        }
        const int count = static_cast<int>(positions_.size() - before);
        if (count > 0) rows_.push_back({u, nullptr, count, before});
    }
    for (OpenRow& row : rows_) row.positions = positions_.data() + row.first;
    for (const std::int32_t v : admitted) may_join_[static_cast<std::size_t>(v)] = 0;
    open_edges_ = positions_.size();
    return open_edges_ > 0;
}

bool Trajectory::list_pairs(std::span<const std::int32_t> admitted) {
    positions_.clear();
    for (const Vertex u : open_) {
        const std::size_t before = positions_.size();
        std::copy_if(admitted.begin(), admitted.end(), std::back_inserter(positions_),
                     [&](std::int32_t v) { return state_.problem().joins(state_, u, v); });
        const int count = static_cast<int>(positions_.size() - before);
        if (count > 0) rows_.push_back({u, nullptr, count, before});
    }
    for (OpenRow& row : rows_) row.positions = positions_.data() + row.first;
    open_edges_ = positions_.size();
    return open_edges_ > 0;
}

Edge Trajectory::edge(std::size_t number) const {
    const auto after = std::upper_bound(rows_.begin(), rows_.end(), number,
                                        [](std::size_t value, const OpenRow& row) { return value < row.first; });
    const OpenRow& row = *(after - 1);
    const std::int32_t position = row.positions[number - row.first];
    if (tables_->complete) return {row.u, position};
    return {row.u, tables_->neighbours[tables_->first_record(row.u) + static_cast<std::size_t>(position)]};
}

std::size_t Trajectory::number(Edge edge) const {
    const auto row = std::lower_bound(rows_.begin(), rows_.end(), edge.u,
                                      [](const OpenRow& candidate, Vertex u) { return candidate.u < u; });
    if (row == rows_.end() || row->u != edge.u) return open_edges_;
    std::int32_t position = edge.v;
    if (!tables_->complete) {
        const std::size_t record = tables_->record(edge.u, edge.v);
        if (record >= tables_->neighbours.size() || tables_->neighbours[record] != edge.v) return open_edges_;
        position = static_cast<std::int32_t>(record - tables_->first_record(edge.u));
    }
    const auto* end = row->positions + row->count;
    const auto* found = std::lower_bound(row->positions, end, position);
    if (found == end || *found != position) return open_edges_;
    return row->first + static_cast<std::size_t>(found - row->positions);
}

void Trajectory::add(Edge edge) {
    state_.add(edge.u, edge.v);
    columns_.erase(std::lower_bound(columns_.begin(), columns_.end(), edge.v));
    const auto half = static_cast<std::size_t>(tables_->model->config.d_e) / 2;
    last_action_ = tables_->pooled.data() + tables_->record(edge.u, edge.v) * half;
}

}  // namespace neuroprim::policy
