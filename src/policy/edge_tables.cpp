#include "policy/edge_tables.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "policy/distances.hpp"
#include "policy/memory.hpp"
#include "policy/paging.hpp"
#include "policy/planar_features.hpp"
#include "policy/specification.hpp"
#include "policy/stop_request.hpp"
#include "policy/vertex_encoder.hpp"

namespace neuroprim::policy {

namespace {

constexpr int block_edges = 48;

/// Channels pooled in pairs.
void pool(const float* from, int count, float* to) {
    for (int k = 0; k < count / 2; ++k) to[k] = std::max(from[2 * k], from[2 * k + 1]);
}

/// An edge of this length ln(1 + s) has the features ln(1 + s) and 1 / (1 + s).
void add_distance(const std::vector<float>& weight, float length, float* edge) {
    const std::size_t d_e = weight.size() / 2;
    const float nearness = std::exp(-length);
    for (std::size_t c = 0; c < d_e; ++c) edge[c] += weight[c] * length + weight[d_e + c] * nearness;
}

/// The tables are filled pair by pair: max(h_u, h_v) is the same both ways, so one product serves two edges.
class Filler {
public:
    Filler(EdgeTables& tables, const AlignedFloats& differences, const AlignedFloats& distances)
        : tables_(tables),
          weights_(tables.model->prepared),
          kernels_(*tables.model->kernels),
          d_v_(tables.model->config.d_v),
          d_e_(tables.model->config.d_e),
          heads_(tables.model->config.heads),
          differences_(differences.data()),
          distances_(distances.data()),
          maxima_(block(d_v_)),
          shared_(block(d_e_)),
          forward_(block(d_e_)),
          backward_(block(d_e_)),
          scratch_(block(2 * d_e_)),
          squares_(tables.layers.size(), std::vector<float>(static_cast<std::size_t>(heads_), 0.0f)) {}

    /// All edges between u and larger vertices, both ways.
    void fill_from(Vertex u) {
        if (tables_.complete) {
            for (Vertex v = u + 1; v < tables_.n; v += block_edges) {
                others_.clear();
                for (Vertex w = v; w < std::min<Vertex>(tables_.n, v + block_edges); ++w) others_.push_back(w);
                fill(u, tables_.record(u, v));
            }
            return;
        }
        const std::size_t end = tables_.row_begin[static_cast<std::size_t>(u) + 1];
        for (std::size_t k = tables_.record(u, u); k < end; k += block_edges) {
            const std::size_t stop = std::min(end, k + block_edges);
            others_.assign(tables_.neighbours.begin() + static_cast<std::ptrdiff_t>(k),
                           tables_.neighbours.begin() + static_cast<std::ptrdiff_t>(stop));
            fill(u, k);
        }
    }

    void merge_norms() {
        for (std::size_t l = 0; l < squares_.size(); ++l) {
            auto& norms = tables_.layers[l].squared_key_norms;
            for (std::size_t h = 0; h < norms.size(); ++h) norms[h] = std::max(norms[h], squares_[l][h]);
        }
    }

private:
    static std::size_t block(int width) { return static_cast<std::size_t>(block_edges * width); }
    [[nodiscard]] const float* vertex(Vertex v) const {
        return tables_.vertices.data() + static_cast<std::ptrdiff_t>(v) * d_v_;
    }
    [[nodiscard]] const float* difference(Vertex v) const {
        return differences_ + static_cast<std::ptrdiff_t>(v) * d_e_;
    }

    void fill(Vertex u, std::size_t first) {
        const int count = static_cast<int>(others_.size());
        const float* mine = difference(u);
        for (int k = 0; k < count; ++k) {
            kernels_.maximum(vertex(u), vertex(others_[static_cast<std::size_t>(k)]), maxima_.data() + k * d_v_,
                             d_v_);
        }
        weights_.edge_maximum.apply(kernels_, maxima_.data(), count, shared_.data());
        if (!weights_.distance.empty()) add_distances(u);
        for (int k = 0; k < count; ++k) {
            const float* theirs = difference(others_[static_cast<std::size_t>(k)]);
            const float* shared = shared_.data() + k * d_e_;
            for (int c = 0; c < d_e_; ++c) {
                const float delta = mine[c] - theirs[c];
                forward_.data()[k * d_e_ + c] = shared[c] + delta;
                backward_.data()[k * d_e_ + c] = shared[c] - delta;
            }
        }
        fill_forward(first, count);
        fill_backward(u, count);
    }

    void add_distances(Vertex u) {
        const float* row = distances_ + static_cast<std::ptrdiff_t>(u) * tables_.n;
        float* shared = shared_.data();
        for (const Vertex v : others_) {
            add_distance(weights_.distance, row[v], shared);
            shared += d_e_;
        }
    }

    void fill_forward(std::size_t first, int count) {
        const auto d_e = static_cast<std::size_t>(d_e_);
        for (std::size_t l = 0; l < tables_.layers.size(); ++l) {
            float* records = tables_.layers[l].records.data() + first * 2 * d_e;
            weights_.decoder[l].edge_key_value.apply(kernels_, forward_.data(), count, records);
            measure(records, count, squares_[l]);
        }
        weights_.action_key.apply(kernels_, forward_.data(), count, tables_.action_keys.data() + first * d_e);
        pool(forward_.data(), count * d_e_, tables_.pooled.data() + first * d_e / 2);
    }

    void fill_backward(Vertex u, int count) {
        const auto d_e = static_cast<std::size_t>(d_e_);
        places_.clear();
        for (const Vertex v : others_) places_.push_back(tables_.record(v, u));
        for (std::size_t l = 0; l < tables_.layers.size(); ++l) {
            weights_.decoder[l].edge_key_value.apply(kernels_, backward_.data(), count, scratch_.data());
            measure(scratch_.data(), count, squares_[l]);
            scatter(2 * d_e, tables_.layers[l].records.data());
        }
        weights_.action_key.apply(kernels_, backward_.data(), count, scratch_.data());
        scatter(d_e, tables_.action_keys.data());
        pool(backward_.data(), count * d_e_, scratch_.data());
        scatter(d_e / 2, tables_.pooled.data());
    }

    void scatter(std::size_t width, float* table) {
        for (std::size_t k = 0; k < places_.size(); ++k) {
            std::memcpy(table + places_[k] * width, scratch_.data() + k * width, width * sizeof(float));
        }
    }

    /// Keys are in lane order: channel c of head h stands at c·heads + h.
    void measure(const float* records, int count, std::vector<float>& squares) {
        float* longest = squares.data();
        for (int k = 0; k < count; ++k) {
            const float* key = records + static_cast<std::ptrdiff_t>(k) * 2 * d_e_;
            for (int h = 0; h < heads_; ++h) {
                float square = 0;
                for (int c = h; c < d_e_; c += heads_) square += key[c] * key[c];
                longest[h] = std::max(longest[h], square);
            }
        }
    }

    EdgeTables& tables_;
    const Prepared& weights_;
    const Kernels& kernels_;
    int d_v_;
    int d_e_;
    int heads_;
    const float* differences_;  // (n, d_e)
    const float* distances_;    // (n, n), where the policy sees them
    AlignedFloats maxima_;      // (block_edges, d_v)
    AlignedFloats shared_;      // (block_edges, d_e)
    AlignedFloats forward_;
    AlignedFloats backward_;
    AlignedFloats scratch_;  // (block_edges, 2·d_e)
    std::vector<std::vector<float>> squares_;
    std::vector<Vertex> others_;
    std::vector<std::size_t> places_;
};

void list_edges(EdgeTables& tables, const Weights& weights, StopRequest& stop) {
    tables.complete = weights.is_complete();
    if (tables.complete) return;
    tables.row_begin.push_back(0);
    for (Vertex u = 0; u < tables.n; ++u) {
        if (u % 64 == 0) stop.throw_if_made();
        weights.for_each_neighbour(u, [&](Vertex v, double) { tables.neighbours.push_back(v); });
        tables.row_begin.push_back(tables.neighbours.size());
    }
}

/// What does not depend on pairs: graph feature, and the start (v, v) whose difference half is zero.
void fill_starts(EdgeTables& tables) {
    const Prepared& weights = tables.model->prepared;
    const Kernels& kernels = *tables.model->kernels;
    const auto d_v = static_cast<std::size_t>(tables.model->config.d_v);
    const auto d_e = static_cast<std::size_t>(tables.model->config.d_e);
    const auto n = static_cast<std::size_t>(tables.n);

    std::vector<double> total(d_v, 0.0);
    for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t c = 0; c < d_v; ++c) total[c] += static_cast<double>(tables.vertices.data()[v * d_v + c]);
    }
    std::vector<float> mean(d_v);
    for (std::size_t c = 0; c < d_v; ++c) mean[c] = static_cast<float>(total[c] / static_cast<double>(n));
    std::vector<float> graph(d_e);
    weights.graph.apply(kernels, mean.data(), 1, graph.data());
    tables.pooled_graph.resize(d_e / 2);
    pool(graph.data(), static_cast<int>(d_e), tables.pooled_graph.data());

    std::vector<float> starts(n * d_e);
    weights.edge_maximum.apply(kernels, tables.vertices.data(), tables.n, starts.data());
    if (!weights.distance.empty()) {
        for (std::size_t v = 0; v < n; ++v) add_distance(weights.distance, 0, starts.data() + v * d_e);
    }
    tables.pooled_starts.resize(n * d_e / 2);
    pool(starts.data(), static_cast<int>(n * d_e), tables.pooled_starts.data());
}

}  // namespace

std::shared_ptr<const EdgeTables> make_edge_tables(std::shared_ptr<const Model> model, const Problem& problem,
                                                   const EncodeOptions& options) {
    if (options.symmetry < 0 || options.symmetry > 7) {
        throw InputError(fmt::format("symmetry {}: expected 0 to 7", options.symmetry));
    }
    if (problem.size() < 1) throw InputError("an instance needs at least one vertex");
    if (!options.points.empty() && options.points.size() != static_cast<std::size_t>(problem.size())) {
        throw InputError(fmt::format("{} points for {} vertices", options.points.size(), problem.size()));
    }
    const int threads = std::max(1, options.threads);
    require_memory(encoding_bytes(model->config, problem, threads), options.max_memory, problem.size());

    auto result = std::make_shared<EdgeTables>();
    EdgeTables& tables = *result;
    tables.model = std::move(model);
    tables.n = problem.size();
    StopRequest stop(options.interrupted);
    list_edges(tables, problem.weights(), stop);

    std::vector<bool> is_terminal(static_cast<std::size_t>(tables.n));
    for (Vertex v = 0; v < tables.n; ++v) is_terminal[static_cast<std::size_t>(v)] = problem.required(v);
    std::vector<Point> points(options.points.begin(), options.points.end());
    if (points.empty()) points = feature_points(problem.instance(), options.interrupted);
    points = in_unit_square(turned(std::move(points), options.turn), options.symmetry);
    const PolicyConfig& config = tables.model->config;
    const bool sees_weights = sees_true_weights(config, problem.weights());
    if (sees_weights || sees_specification(config)) {
        tables.weight_unit = feature_unit(config, problem.weights(), points, options.interrupted);
    }
    AlignedFloats distances;
    if (sees_weights) {
        distances = log_lengths(problem.weights(), tables.weight_unit, points, threads, stop);
    } else if (sees_distances(config)) {
        distances = log_distances(points, threads, stop);
    }
    std::vector<float> facts;
    if (sees_specification(config)) facts = input_facts_of(problem, points, tables.weight_unit);
    tables.vertices = encode_vertices(*tables.model, points, is_terminal, distances.data(),
                                      facts.empty() ? nullptr : facts.data(), threads, stop);
    fill_starts(tables);
    stop.throw_if_made();

    const auto d_e = static_cast<std::size_t>(tables.model->config.d_e);
    const auto heads = static_cast<std::size_t>(tables.model->config.heads);
    const std::size_t edges = tables.edge_count();
    for (int l = 0; l < tables.model->config.decoder_layers; ++l) {
        tables.layers.push_back({AlignedFloats(edges * 2 * d_e), std::vector<float>(heads, 0.0f)});
        bring_in(tables.layers.back().records, threads, stop);
    }
    tables.action_keys = AlignedFloats(edges * d_e);
    bring_in(tables.action_keys, threads, stop);
    tables.pooled = AlignedFloats(edges * d_e / 2);
    bring_in(tables.pooled, threads, stop);

    AlignedFloats differences(static_cast<std::size_t>(tables.n) * d_e);
    tables.model->prepared.edge_difference.apply(*tables.model->kernels, tables.vertices.data(), tables.n,
                                                 differences.data());
    std::atomic<Vertex> next{0};
    std::mutex mutex;
    run_on_threads(threads, [&](int) {
        Filler filler(tables, differences, distances);
        for (Vertex u = next++; u < tables.n; u = next++) {
            stop.throw_if_made();
            filler.fill_from(u);
        }
        const std::lock_guard lock(mutex);
        filler.merge_norms();
    });
    return result;
}

}  // namespace neuroprim::policy

namespace neuroprim {

Encoded::Encoded(const Policy& policy, const Problem& problem, const EncodeOptions& options)
    : tables_(policy::make_edge_tables(policy.model_, problem, options)) {}

Policy Encoded::policy() const {
    return Policy(tables_->model);
}

Vertex Encoded::size() const {
    return tables_->n;
}

std::size_t Encoded::bytes() const {
    std::size_t floats = tables_->vertices.size() + tables_->action_keys.size() + tables_->pooled.size() +
                         tables_->pooled_starts.size();
    for (const auto& layer : tables_->layers) floats += layer.records.size();
    return floats * sizeof(float) + tables_->neighbours.size() * sizeof(Vertex) +
           tables_->row_begin.size() * sizeof(std::size_t);
}

}  // namespace neuroprim
