#include "policy/trajectory_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>

#include "neuroprim/error.hpp"
#include "policy/specification.hpp"

namespace neuroprim::policy {

namespace {

/// Scores are exponents of two: below this, neither a term nor a sum of 10⁹ of them leaves the range of floats.
constexpr float largest_safe_score = 80;

/// A sum of shifted terms that is this large may have met one at the kernels' upper limit.
const float suspicious_total = std::ldexp(1.0f, static_cast<int>(highest_shifted_score) - 1);

/// Edge tables with more records than this do not stay in the caches of a core.
constexpr std::size_t most_near_records = 100'000;

/// PolicyConfig allows no more.
constexpr std::size_t most_heads = 64;

/// Rows that one thread visits at a time, where rows are shared.
constexpr std::size_t rows_of_a_part = 32;

/// Open edges that are visited between two questions whether to stop: some ten microseconds of attention.
constexpr std::size_t visits_between_questions = 16'384;

/// Scores that are gone through between two questions, where each takes about a nanosecond.
constexpr std::size_t scores_between_questions = std::size_t{1} << 20;
static_assert(scores_between_questions % chunk_size == 0);

bool wants_scores(const DecodeOptions& options) {
    return options.mode != DecodeMode::greedy || options.log_probabilities || options.observer ||
           options.alternatives > 0;
}

}  // namespace

bool TrajectoryGroup::has_work_for_a_pool(const EdgeTables& tables, const Problem& problem) {
    return tables.edge_count() > most_near_records && problem.most_open() * 8 >= tables.n;
}

TrajectoryGroup::TrajectoryGroup(const EdgeTables& tables, const Problem& problem, const DecodeOptions& options,
                                 StopRequest& stop, std::span<const Start> starts, std::size_t begin, std::size_t end,
                                 ForkJoinPool* pool)
    : tables_(tables),
      options_(options),
      stop_(stop),
      kernels_(*tables.model->kernels),
      weights_(tables.model->prepared),
      d_e_(tables.model->config.d_e),
      heads_(tables.model->config.heads),
      attend_(kernels_.attend_for(heads_, d_e_ / heads_)),
      score_(kernels_.score_for(d_e_)),
      begin_(begin),
      is_far_(tables.edge_count() > most_near_records),
      parts_(has_work_for_a_pool(tables, problem)
                 ? (static_cast<std::size_t>(tables.n) + rows_of_a_part - 1) / rows_of_a_part
                 : 1),
      keeps_scores_(parts_ == 1 || wants_scores(options)),
      pool_(pool) {
    for (std::size_t k = begin; k < end; ++k) {
        trajectories_.push_back(
            std::make_unique<Trajectory>(tables, problem, starts[k].vertex, Random(options.seed, starts[k].stream)));
        trajectories_.back()->prefix = starts[k].prefix;
        active_.push_back(trajectories_.back().get());
    }
    const std::size_t rows = end - begin;
    const auto width = static_cast<std::size_t>(d_e_);
    x_ = AlignedFloats(rows * width);
    wide_ = AlignedFloats(rows * 3 * width);
    sums_ = AlignedFloats(parts_ * rows * (width + static_cast<std::size_t>(heads_)));
    context_ = AlignedFloats(rows * width);
    hidden_ = AlignedFloats(rows * width);
    tops_.resize(rows);
    bests_.resize(parts_ * rows);
    row_scores_.resize(parts_);
    shifts_.resize(rows * static_cast<std::size_t>(heads_));
    bounded_.resize(rows);
    squares_.resize(static_cast<std::size_t>(heads_));
}

void TrajectoryGroup::run(std::span<Rollout> results) {
    for (drop_finished(); !active_.empty(); drop_finished()) {
        if (stop_.is_made()) break;
        compute_scores();
        if (stop_.was_heard()) break;
        for (std::size_t j = 0; j < active_.size(); ++j) {
            if (const auto edge = next_edge(j)) active_[j]->add(*edge);
        }
        if (stop_.was_heard()) break;
        ++step_;
    }
    for (std::size_t k = 0; k < trajectories_.size(); ++k) {
        Trajectory& trajectory = *trajectories_[k];
        results[k] = {trajectory.state().tree(), trajectory.log_probability, trajectory.state().may_stop(),
                      trajectory.edges_visited, std::move(trajectory.alternatives)};
    }
}

double TrajectoryGroup::follow(const Tree& tree) {
    constexpr double impossible = -std::numeric_limits<double>::infinity();
    Trajectory& trajectory = *active_.front();
    double result = 0;
    for (const Edge& edge : tree.edges) {
        if (is_grown(trajectory.state()) || !trajectory.list_open_edges()) return impossible;
        const std::size_t number = trajectory.number(edge);
        if (number == trajectory.open_edges()) return impossible;
        compute_scores();
        const double scale = tables_.model->config.clip / options_.temperature;
        const double above = std::tanh(static_cast<double>(trajectory.scores.data()[number])) -
                             std::tanh(static_cast<double>(tops_[0]));
        result += scale * above - std::log(weigh(trajectory, tops_[0]).value());
        trajectory.add(edge);
        ++step_;
    }
    return result;
}

void TrajectoryGroup::drop_finished() {
    std::erase_if(active_, [this](Trajectory* trajectory) {
        if (is_far_ && stop_.is_made()) return false;
        return is_grown(trajectory->state()) || !trajectory->list_open_edges();
    });
}

template <class Visit>
void TrajectoryGroup::for_each_row(Visit&& visit) {
    if (parts_ > 1) {
        const auto visit_part = [&](int part) { for_each_row_of_part(static_cast<std::size_t>(part), visit); };
        const int parts = static_cast<int>(parts_);
        if (pool_ != nullptr) {
            pool_->share(parts, visit_part);
        } else {
            for (int part = 0; part < parts; ++part) visit_part(part);
        }
        return;
    }
    std::size_t rows = 0;
    for (const Trajectory* trajectory : active_) rows += trajectory->rows().size();
    if (rows * 8 >= active_.size() * static_cast<std::size_t>(tables_.n)) {
        for_each_row_of_part(0, visit);
        return;
    }
    std::size_t visited = 0;
    for (std::size_t j = 0; j < active_.size(); ++j) {
        for (const OpenRow& row : active_[j]->rows()) {
            visit(std::size_t{0}, j, row);
            if (is_time_to_stop(visited += static_cast<std::size_t>(row.count))) return;
        }
    }
}

bool TrajectoryGroup::is_time_to_stop(std::size_t& visited) {
    if (visited < visits_between_questions) return false;
    visited = 0;
    return stop_.is_made();
}

template <class Visit>
void TrajectoryGroup::for_each_row_of_part(std::size_t part, Visit&& visit) {
    const auto begin = static_cast<Vertex>(parts_ > 1 ? part * rows_of_a_part : 0);
    const Vertex end = parts_ > 1 ? std::min<Vertex>(tables_.n, begin + rows_of_a_part) : tables_.n;
    if (stop_.was_heard()) return;
    std::array<const OpenRow*, capacity> next{};
    for (std::size_t j = 0; j < active_.size(); ++j) {
        const auto& mine = active_[j]->rows();
        next[j] = mine.data() + (std::lower_bound(mine.begin(), mine.end(), begin,
                                                  [](const OpenRow& row, Vertex u) { return row.u < u; }) -
                                 mine.begin());
    }
    std::size_t visited = 0;
    for (Vertex u = begin; u < end; ++u) {
        for (std::size_t j = 0; j < active_.size(); ++j) {
            const auto& mine = active_[j]->rows();
            if (next[j] == mine.data() + mine.size() || next[j]->u != u) continue;
            visit(part, j, *next[j]);
            visited += static_cast<std::size_t>((next[j]++)->count);
        }
        if (is_time_to_stop(visited)) return;
    }
}

void TrajectoryGroup::compute_scores() {
    const auto half = static_cast<std::size_t>(d_e_) / 2;
    const int count = static_cast<int>(active_.size());
    for (std::size_t j = 0; j < active_.size(); ++j) {
        active_[j]->update_row_terms();
        float* x = x_.data() + j * 2 * half;
        std::memcpy(x, tables_.pooled_graph.data(), half * sizeof(float));
        std::memcpy(x + half, active_[j]->last_action(), half * sizeof(float));
    }
    for (std::size_t l = 0; l < weights_.decoder.size(); ++l) {
        const DecoderLayer& layer = weights_.decoder[l];
        attend_to_past(layer, l);
        attend_to_edges(layer, l);
        layer.expand.apply(kernels_, x_.data(), count, hidden_.data(), true);
        layer.contract.apply(kernels_, hidden_.data(), count, context_.data());
        kernels_.add_layer_norm(x_.data(), context_.data(), layer.output_norm.scale.data(),
                                layer.output_norm.shift.data(), count, d_e_);
    }
    weights_.action_query.apply(kernels_, x_.data(), count, wide_.data());

    score_edges();
}

void TrajectoryGroup::score_edges() {
    constexpr std::size_t spare = 16;
    const std::size_t group = trajectories_.size();
    for (std::size_t j = 0; j < active_.size(); ++j) {
        Trajectory& trajectory = *active_[j];
        if (keeps_scores_ && trajectory.scores.size() < trajectory.open_edges() + spare) {
            trajectory.scores = AlignedFloats();  // the old ones are of no use: not even for a moment beside the new
            trajectory.scores = AlignedFloats(trajectory.open_edges() + trajectory.open_edges() / 4 + spare);
        }
        trajectory.edges_visited += trajectory.open_edges();
    }
    std::fill(bests_.begin(), bests_.end(), Best{-std::numeric_limits<float>::infinity(), {}});
    for_each_row([&](std::size_t part, std::size_t j, const OpenRow& row) {
        std::vector<float>& passing = row_scores_[part];
        if (!keeps_scores_) passing.resize(std::max(passing.size(), static_cast<std::size_t>(row.count)));
        const float top = score_row(j, row, keeps_scores_ ? active_[j]->scores.data() + row.first : passing.data());
        if (top > bests_[part * group + j].top) bests_[part * group + j] = {top, row};
    });
    for (std::size_t j = 0; j < active_.size(); ++j) {
        for (std::size_t part = 1; part < parts_; ++part) {
            if (bests_[part * group + j].top > bests_[j].top) bests_[j] = bests_[part * group + j];
        }
        tops_[j] = bests_[j].top;
    }
}

float TrajectoryGroup::score_row(std::size_t j, const OpenRow& row, float* scores) const {
    const auto width = static_cast<std::size_t>(d_e_);
    Scoring task;
    task.records = tables_.action_keys.data() + tables_.first_record(row.u) * width;
    task.positions = row.positions;
    task.count = row.count;
    task.query = wide_.data() + j * width;
    task.scores = scores;
    task.size = d_e_;
    task.is_far = is_far_;
    const float top = score_(task);
    const float* terms = active_[j]->row_terms(row.u);
    if (terms == nullptr) return top;
    const float term = terms[weights_.decoder.size() * static_cast<std::size_t>(heads_)];
    for (int k = 0; k < row.count; ++k) scores[k] += term;
    return top + term;
}

/// In lane order channel c of head h stands at c·heads + h, so the inner loops below are vector operations.
bool TrajectoryGroup::is_bounded(const float* query, const std::vector<float>& squared_norms, float largest_term) {
    std::fill(squares_.begin(), squares_.end(), 0.0f);
    for (int c = 0; c < d_e_; c += heads_) {
        for (int h = 0; h < heads_; ++h) squares_[static_cast<std::size_t>(h)] += query[c + h] * query[c + h];
    }
    float largest = 0;
    for (std::size_t h = 0; h < squares_.size(); ++h) largest = std::max(largest, squares_[h] * squared_norms[h]);
    const float safe = largest_safe_score - largest_term;
    return safe > 0 && largest < safe * safe;
}

/// Attention with the largest of some scores as the shift of all: was another larger by so much that its term was
/// cut down?
bool TrajectoryGroup::is_suspicious(const float* sums) const {
    return *std::max_element(sums, sums + heads_) >= suspicious_total;
}

void TrajectoryGroup::attend_to_past(const DecoderLayer& layer, std::size_t l) {
    const auto width = static_cast<std::size_t>(d_e_);
    const auto heads = static_cast<std::size_t>(heads_);
    layer.self_query_key_value.apply(kernels_, x_.data(), static_cast<int>(active_.size()), wide_.data());
    std::memset(sums_.data(), 0, active_.size() * (width + heads) * sizeof(float));
    for (std::size_t j = 0; j < active_.size(); ++j) {
        const float* query = wide_.data() + j * 3 * width;
        const float* key = query + width;
        Trajectory& trajectory = *active_[j];
        std::memcpy(trajectory.memory[l].data() + step_ * 2 * width, key, 2 * width * sizeof(float));
        std::vector<float>& norms = trajectory.memory_norms[l];
        std::fill(squares_.begin(), squares_.end(), 0.0f);
        for (std::size_t c = 0; c < width; c += heads) {
            for (std::size_t h = 0; h < heads; ++h) squares_[h] += key[c + h] * key[c + h];
        }
        for (std::size_t h = 0; h < heads; ++h) norms[h] = std::max(norms[h], squares_[h]);
        Attention task;
        task.records = trajectory.memory[l].data();
        task.query = query;
        task.heads = heads_;
        task.head_size = d_e_ / heads_;
        const int all = static_cast<int>(step_) + 1;
        float* sums = sums_.data() + j * (width + heads);
        const auto attend_with_shift_from = [&](int count) {
            std::fill_n(shifts_.begin(), heads, -std::numeric_limits<float>::infinity());
            task.sums = shifts_.data();
            task.count = count;
            task.shift = nullptr;
            kernels_.largest_scores(task);
            std::fill_n(sums, width + heads, 0.0f);
            task.sums = sums;
            task.count = all;
            task.shift = shifts_.data();
            attend_(task);
        };
        task.sums = sums;
        task.count = all;
        if (is_bounded(query, norms)) {
            attend_(task);
        } else {
            constexpr int some = 4;
            attend_with_shift_from(std::min(some, all));
            if (all > some && is_suspicious(sums)) attend_with_shift_from(all);
        }
    }
    finish_attention(layer.self_output, layer.self_norm);
}

void TrajectoryGroup::attend_to_edges(const DecoderLayer& layer, std::size_t l) {
    const auto width = static_cast<std::size_t>(d_e_);
    const auto heads = static_cast<std::size_t>(heads_);
    const EdgeTables::Layer& table = tables_.layers[l];
    const std::size_t group = trajectories_.size();
    const std::size_t size = width + heads;  // of a trajectory's sums
    layer.edge_query.apply(kernels_, x_.data(), static_cast<int>(active_.size()), wide_.data());
    std::memset(sums_.data(), 0, parts_ * group * size * sizeof(float));
    const auto task_for = [&](std::size_t part, std::size_t j, const OpenRow& row) {
        Attention task;
        task.records = table.records.data() + tables_.first_record(row.u) * 2 * width;
        task.positions = row.positions;
        task.count = row.count;
        task.query = wide_.data() + j * width;
        task.is_far = is_far_;
        task.sums = sums_.data() + (part * group + j) * size;
        task.heads = heads_;
        task.head_size = d_e_ / heads_;
        return task;
    };
    const auto find_shift = [&](std::size_t j, bool exactly) {
        float* shift = shifts_.data() + j * heads;
        std::fill_n(shift, heads, -std::numeric_limits<float>::infinity());
        int seen = 0;
        std::size_t visited = 0;
        for (const OpenRow& row : active_[j]->rows()) {
            if ((seen > 0 && !exactly) || is_time_to_stop(visited)) break;
            Attention task = task_for(0, j, row);
            task.sums = shift;
            std::array<float, most_heads> without_term;
            if (const float* terms = active_[j]->row_terms(row.u)) {
                for (std::size_t h = 0; h < heads; ++h) without_term[h] = -terms[l * heads + h];
                task.shift = without_term.data();
            }
            kernels_.largest_scores(task);
            seen += row.count;
            visited += static_cast<std::size_t>(row.count);
        }
    };
    for (std::size_t j = 0; j < active_.size(); ++j) {
        bounded_[j] = is_bounded(wide_.data() + j * width, table.squared_key_norms, active_[j]->largest_term());
        if (!bounded_[j]) find_shift(j, false);
    }
    const auto attend = [&](std::size_t part, std::size_t j, const OpenRow& row) {
        Attention task = task_for(part, j, row);
        const float* shift = bounded_[j] ? nullptr : shifts_.data() + j * heads;
        task.shift = shift;
        std::array<float, most_heads> of_row;
        if (const float* terms = active_[j]->row_terms(row.u)) {
            // The term is the same for all edges of the row: a shift of the row's own.
            for (std::size_t h = 0; h < heads; ++h) of_row[h] = (shift ? shift[h] : 0) - terms[l * heads + h];
            task.shift = of_row.data();
        }
        attend_(task);
    };
    for_each_row(attend);
    for (std::size_t part = 1; part < parts_; ++part) {
        const float* more = sums_.data() + part * group * size;
        for (std::size_t k = 0; k < active_.size() * size; ++k) sums_.data()[k] += more[k];
    }
    // The largest score of one row stands for that of all: good enough unless another is larger by far.
    for (std::size_t j = 0; j < active_.size(); ++j) {
        float* sums = sums_.data() + j * size;
        if (bounded_[j] || !is_suspicious(sums)) continue;
        find_shift(j, true);
        std::fill_n(sums, size, 0.0f);
        std::size_t visited = 0;
        for (const OpenRow& row : active_[j]->rows()) {
            attend(0, j, row);
            if (is_time_to_stop(visited += static_cast<std::size_t>(row.count))) return;
        }
    }
    finish_attention(layer.edge_output, layer.edge_norm);
}

void TrajectoryGroup::finish_attention(const Linear& output, const Norm& norm) {
    const auto width = static_cast<std::size_t>(d_e_);
    const auto heads = static_cast<std::size_t>(heads_);
    const int count = static_cast<int>(active_.size());
    for (std::size_t j = 0; j < active_.size(); ++j) {
        const float* totals = sums_.data() + j * (width + heads);
        float* context = context_.data() + j * width;
        for (std::size_t c = 0; c < width; c += heads) {
            for (std::size_t h = 0; h < heads; ++h) context[c + h] = totals[heads + c + h] / totals[h];
        }
    }
    output.apply(kernels_, context_.data(), count, hidden_.data());
    kernels_.add_layer_norm(x_.data(), hidden_.data(), norm.scale.data(), norm.shift.data(), count, d_e_);
}

std::optional<double> TrajectoryGroup::weigh(const Trajectory& trajectory, float top) {
    const std::size_t count = trajectory.open_edges();
    const std::size_t chunks = (count + chunk_size - 1) / chunk_size;
    if (soft_weights_.size() < trajectory.scores.size()) {
        soft_weights_ = AlignedFloats();
        soft_weights_ = AlignedFloats(trajectory.scores.size());
    }
    if (chunk_sums_.size() < chunks) chunk_sums_.resize(chunks);
    const double scale = tables_.model->config.clip / options_.temperature * std::numbers::log2e;
    const auto highest = static_cast<float>(scale * std::tanh(static_cast<double>(top)));
    for (std::size_t first = 0; first < count; first += scores_between_questions) {
        if (first > 0 && stop_.is_made()) return std::nullopt;
        kernels_.weigh(trajectory.scores.data() + first,
                       static_cast<int>(std::min(count - first, scores_between_questions)), static_cast<float>(scale),
                       highest, soft_weights_.data() + first, chunk_sums_.data() + first / chunk_size);
    }
    double total = 0;
    for (std::size_t k = 0; k < chunks; ++k) total += static_cast<double>(chunk_sums_[k]);
    return total;
}

std::optional<Edge> TrajectoryGroup::next_edge(std::size_t j) {
    Trajectory& trajectory = *active_[j];
    if (step_ < trajectory.prefix.size()) {
        const Edge edge = trajectory.prefix[step_];
        if (trajectory.number(edge) < trajectory.open_edges()) return edge;
        throw InputError(fmt::format("edge ({}, {}) of a prefix is not open", edge.u, edge.v));
    }
    if (step_ == trajectory.prefix.size() && options_.alternatives > 0) list_alternatives(trajectory);
    if (!std::isfinite(tops_[j])) throw InputError("the policy's scores are not finite: its weights are unusable");
    if (!keeps_scores_) return best_edge(j);
    const auto chosen = choose(trajectory, tops_[j]);
    return chosen ? std::optional(trajectory.edge(*chosen)) : std::nullopt;
}

/// Scores that were not kept are made again, for the row that had the highest.
Edge TrajectoryGroup::best_edge(std::size_t j) {
    const OpenRow& row = bests_[j].row;
    row_scores_[0].resize(std::max(row_scores_[0].size(), static_cast<std::size_t>(row.count)));
    float* scores = row_scores_[0].data();
    score_row(j, row, scores);
    const float* found = std::find(scores, scores + row.count, tops_[j]);
    return active_[j]->edge(row.first + static_cast<std::size_t>(found - scores));
}

void TrajectoryGroup::list_alternatives(Trajectory& trajectory) {
    const float* scores = trajectory.scores.data();
    const std::size_t all = trajectory.open_edges();
    order_.clear();
    for (std::size_t first = 0; first < all; first += scores_between_questions) {
        if (first > 0 && stop_.is_made()) return;
        const std::size_t kept = order_.size();
        order_.resize(kept + std::min(all - first, scores_between_questions));
        std::iota(order_.begin() + static_cast<std::ptrdiff_t>(kept), order_.end(), first);
        const std::size_t best = std::min(order_.size(), options_.alternatives);
        std::partial_sort(
            order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(best), order_.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
        order_.resize(best);
    }
    for (const std::size_t number : order_) trajectory.alternatives.push_back(trajectory.edge(number));
}

std::optional<std::size_t> TrajectoryGroup::choose(Trajectory& trajectory, float top) {
    const std::size_t count = trajectory.open_edges();
    const float* scores = trajectory.scores.data();
    const bool greedy = options_.mode == DecodeMode::greedy;
    std::size_t chosen = 0;
    if (greedy) chosen = static_cast<std::size_t>(std::find(scores, scores + count, top) - scores);
    if (greedy && !options_.log_probabilities && !options_.observer) return chosen;

    const auto total = weigh(trajectory, top);
    if (!total) return std::nullopt;
    if (!greedy) {
        double left = trajectory.random.uniform() * *total;
        std::size_t chunk = 0;
        while ((chunk + 1) * chunk_size < count && left >= static_cast<double>(chunk_sums_[chunk])) {
            left -= static_cast<double>(chunk_sums_[chunk++]);
        }
        chosen = chunk * chunk_size;
        const std::size_t last = std::min(count, chosen + chunk_size) - 1;
        while (chosen < last && left >= static_cast<double>(soft_weights_.data()[chosen])) {
            left -= static_cast<double>(soft_weights_.data()[chosen++]);
        }
    }
    const double scale = tables_.model->config.clip / options_.temperature;
    const double above = std::tanh(static_cast<double>(scores[chosen])) - std::tanh(static_cast<double>(top));
    trajectory.log_probability += scale * above - std::log(*total);
    if (options_.observer) observe(trajectory, chosen, *total);
    return chosen;
}

void TrajectoryGroup::observe(const Trajectory& trajectory, std::size_t chosen, double total) {
    const std::size_t count = trajectory.open_edges();
    observed_.clear();
    for (const OpenRow& row : trajectory.rows()) {
        const Vertex* ends = tables_.complete ? nullptr : tables_.neighbours.data() + tables_.first_record(row.u);
        for (const std::int32_t position : std::span(row.positions, static_cast<std::size_t>(row.count))) {
            observed_.push_back({row.u, ends == nullptr ? position : ends[position]});
        }
    }
    const std::span probabilities(soft_weights_.data(), count);
    for (float& weight : probabilities) weight /= static_cast<float>(total);
    std::size_t index = begin_;
    while (trajectories_[index - begin_].get() != &trajectory) ++index;
    options_.observer({index, step_, observed_, probabilities, chosen});
}

}  // namespace neuroprim::policy
