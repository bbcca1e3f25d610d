#include "policy/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "policy/model.hpp"
#include "policy/planar_features.hpp"
#include "policy/specification.hpp"
#include "policy/vertex_encoder.hpp"

namespace neuroprim::policy {

namespace {

std::vector<double> sum(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
}

template <class Item>
std::vector<const Item*> pointers(const std::vector<Item>& items) {
    std::vector<const Item*> result;
    result.reserve(items.size());
    for (const Item& item : items) result.push_back(&item);
    return result;
}

std::vector<double> relu(std::vector<double> x) {
    for (double& value : x) value = std::max(0.0, value);
    return x;
}

}  // namespace

Reference::Reference(const Policy& policy, const Problem& problem, int symmetry)
    : policy_(policy), problem_(problem) {
    points_ = in_unit_square(feature_points(problem.instance()), symmetry);
    unit_ = sees_true_weights() ? mean_edge_unit() : weight_unit(problem.weights(), points_);
    vertices_ = encoded();
    Vector mean(vertices_[0].size(), 0.0);
    for (const Vector& vertex : vertices_) mean = sum(mean, vertex);
    for (double& value : mean) value /= static_cast<double>(vertices_.size());
    graph_ = linear("graph", mean);
    for (Vertex u = 0; u < problem.size(); ++u) {
        for (Vertex v = 0; v < problem.size(); ++v) edges_.push_back(edge_feature(u, v));
    }
    for (int l = 0; l < policy_.config().decoder_layers; ++l) {
        edge_keys_.push_back(projected(fmt::format("decoder.{}.edge_attention", l), edges_));
    }
}

Reference::Vector Reference::linear(const std::string& name, const Vector& x) const {
    const auto& weight = policy_.model().values(name + ".weight");
    const auto& bias = policy_.model().values(name + ".bias");
    Vector y(bias.begin(), bias.end());
    for (std::size_t o = 0; o < y.size(); ++o) {
        for (std::size_t i = 0; i < x.size(); ++i) y[o] += static_cast<double>(weight[o * x.size() + i]) * x[i];
    }
    return y;
}

Reference::Vector Reference::batch_norm(const std::string& name, const Vector& x) const {
    const auto& gain = policy_.model().values(name + ".weight");
    const auto& bias = policy_.model().values(name + ".bias");
    const auto& mean = policy_.model().values(name + ".running_mean");
    const auto& variance = policy_.model().values(name + ".running_var");
    Vector y(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
        y[k] = (x[k] - static_cast<double>(mean[k])) / std::sqrt(static_cast<double>(variance[k]) + 1e-5) *
                   static_cast<double>(gain[k]) +
               static_cast<double>(bias[k]);
    }
    return y;
}

Reference::Vector Reference::vertex_norm(const std::string& name, const Vector& x) const {
    return has_layer_norms(policy_.config()) ? layer_norm(name, x) : batch_norm(name, x);
}

Reference::Vector Reference::layer_norm(const std::string& name, const Vector& x) const {
    const auto& gain = policy_.model().values(name + ".weight");
    const auto& bias = policy_.model().values(name + ".bias");
    const auto size = static_cast<double>(x.size());
    double mean = 0;
    for (const double value : x) mean += value / size;
    double variance = 0;
    for (const double value : x) variance += (value - mean) * (value - mean) / size;
    Vector y(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
        y[k] =
            (x[k] - mean) / std::sqrt(variance + 1e-5) * static_cast<double>(gain[k]) + static_cast<double>(bias[k]);
    }
    return y;
}

std::vector<Reference::KeyValue> Reference::projected(const std::string& attention, const Matrix& others) const {
    std::vector<KeyValue> result;
    for (const Vector& other : others) {
        result.push_back({linear(attention + ".key", other), linear(attention + ".value", other)});
    }
    return result;
}

Reference::Vector Reference::attention(const std::string& name, const Vector& query,
                                       const std::vector<const KeyValue*>& others) const {
    return attention(name, query, others, [](double score, std::size_t, std::size_t) { return score; });
}

Reference::Vector Reference::attention(const std::string& name, const Vector& query,
                                       const std::vector<const KeyValue*>& others, const Adjust& adjust) const {
    const Vector q = linear(name + ".query", query);
    const auto heads = static_cast<std::size_t>(policy_.config().heads);
    const std::size_t size = q.size() / heads;
    Vector context(q.size(), 0.0);
    for (std::size_t h = 0; h < heads; ++h) {
        Vector scores(others.size(), 0.0);
        for (std::size_t k = 0; k < others.size(); ++k) {
            for (std::size_t c = h * size; c < (h + 1) * size; ++c) scores[k] += q[c] * others[k]->key[c];
            scores[k] = adjust(scores[k] / std::sqrt(static_cast<double>(size)), h, k);
        }
        const double top = *std::max_element(scores.begin(), scores.end());
        double total = 0;
        for (double& score : scores) total += score = std::exp(score - top);
        for (std::size_t k = 0; k < others.size(); ++k) {
            for (std::size_t c = h * size; c < (h + 1) * size; ++c)
                context[c] += scores[k] / total * others[k]->value[c];
        }
    }
    return linear(name + ".output", context);
}

Reference::Vector Reference::edge_feature(Vertex u, Vertex v) const {
    const Vector& a = vertices_[static_cast<std::size_t>(u)];
    const Vector& b = vertices_[static_cast<std::size_t>(v)];
    Vector both;
    for (std::size_t k = 0; k < a.size(); ++k) both.push_back(a[k] - b[k]);
    for (std::size_t k = 0; k < a.size(); ++k) both.push_back(std::max(a[k], b[k]));
    Vector result = linear("edge", both);
    if (sees_distances(policy_.config())) {
        const auto& weight = policy_.model().values("distance.weight");
        for (std::size_t c = 0; c < result.size(); ++c) {
            result[c] += static_cast<double>(weight[2 * c]) * length(u, v) +
                         static_cast<double>(weight[2 * c + 1]) * std::exp(-length(u, v));
        }
    }
    return result;
}

double Reference::length(Vertex u, Vertex v) const {
    const bool by_weight = sees_true_weights() && problem_.weights().has_edge(u, v);
    const double s = by_weight ? unit_ * problem_.weights()(u, v) : apart(u, v);
    return std::log1p(std::sqrt(static_cast<double>(points_.size())) * s);
}

double Reference::apart(Vertex u, Vertex v) const {
    const Point a = points_[index(u)];
    const Point b = points_[index(v)];
    return std::hypot(a.x - b.x, a.y - b.y);
}

bool Reference::sees_true_weights() const {
    const Weights& weights = problem_.weights();
    const bool straight = weights.form() == Weights::Form::points && weights.metric() == Metric::euclidean;
    return sees_weights(policy_.config()) && !straight;
}

double Reference::mean_edge_unit() const {
    double product = 0;  // its logarithm
    double count = 0;
    for (const WeightedEdge& edge : problem_.weights().edges()) {
        if (edge.weight == 0 || apart(edge.u, edge.v) == 0) continue;
        product += std::log(apart(edge.u, edge.v)) - std::log(edge.weight);
        ++count;
    }
    return count > 0 ? std::exp(product / count) : 1;
}

Reference::Matrix Reference::encoded() const {
    Matrix x;
    for (Vertex v = 0; v < problem_.size(); ++v) {
        const Point p = points_[static_cast<std::size_t>(v)];
        x.push_back(linear(problem_.required(v) ? "input.terminal" : "input.other", {p.x, p.y}));
    }
    if (sees_specification(policy_.config())) {
        const auto facts = input_facts_of(problem_, points_, unit_);
        const auto& weight = policy_.model().values("specification.weight");
        for (std::size_t v = 0; v < x.size(); ++v) {
            for (std::size_t k = 0; k < x[v].size() * input_facts; ++k) {
                x[v][k / input_facts] +=
                    static_cast<double>(weight[k]) * static_cast<double>(facts[v * input_facts + k % input_facts]);
            }
        }
    }
    const double sharp = sharpness(policy_.config(), problem_.size());
    for (int l = 0; l < policy_.config().encoder_layers; ++l) {
        const std::string layer = fmt::format("encoder.{}", l);
        const auto all = projected(layer + ".attention", x);
        const auto keys = pointers(all);
        Vector decline(static_cast<std::size_t>(policy_.config().heads), 0.0);
        if (sees_distances(policy_.config())) {
            const auto& stored = policy_.model().values(layer + ".attention.distance");
            decline.assign(stored.begin(), stored.end());
        }
        for (Vertex v = 0; v < problem_.size(); ++v) {
            const auto adjust = [&](double score, std::size_t h, std::size_t k) {
                return sharp * score - decline[h] * length(v, static_cast<Vertex>(k));
            };
            Vector& row = x[static_cast<std::size_t>(v)];
            row =
                vertex_norm(layer + ".attention_norm", sum(row, attention(layer + ".attention", row, keys, adjust)));
            const Vector inner = linear(layer + ".contract", relu(linear(layer + ".expand", row)));
            row = vertex_norm(layer + ".output_norm", sum(row, inner));
        }
    }
    if (has_layer_norms(policy_.config())) return x;
    for (Vector& row : x) row = batch_norm("encoder_norm", row);
    return x;
}

std::vector<Edge> Reference::allowed(const Construction& state) const {
    std::vector<Edge> result;
    for (Vertex u = 0; u < problem_.size(); ++u) {
        for (Vertex v = 0; v < problem_.size(); ++v) {
            if (state.allows(u, v)) result.push_back({u, v});
        }
    }
    return result;
}

Reference::Matrix Reference::row_terms_of(const Construction& state) const {
    Matrix result(vertices_.size());
    if (!sees_specification(policy_.config())) return result;
    const RowFacts rows(problem_, unit_);
    for (Vertex u = 0; u < problem_.size(); ++u) {
        if (!state.contains(u)) continue;
        float facts[row_facts];
        rows.write(state, u, facts);
        const Vector told(facts, facts + row_facts);
        result[static_cast<std::size_t>(u)] = linear("row.contract", relu(linear("row.expand", told)));
    }
    return result;
}

std::vector<Reference::Action> Reference::actions(const Construction& state) const {
    // The whole past is decoded again: every step sees the edges that were allowed at that step.
    const Tree& tree = state.tree();
    Construction replay(problem_, tree.start);
    std::vector<std::vector<Edge>> allowed_at;  // per step
    std::vector<Matrix> terms_at;               // per step
    Matrix x;                                   // (steps, d_e)
    for (std::size_t t = 0; t <= tree.edges.size(); ++t) {
        const Edge last = t == 0 ? Edge{tree.start, tree.start} : tree.edges[t - 1];
        if (t > 0) replay.add(last.u, last.v);
        allowed_at.push_back(allowed(replay));
        terms_at.push_back(row_terms_of(replay));
        Vector both = graph_;
        both.insert(both.end(), edges_[place(last)].begin(), edges_[place(last)].end());
        Vector pooled;
        for (std::size_t k = 0; k < both.size(); k += 2) pooled.push_back(std::max(both[k], both[k + 1]));
        x.push_back(pooled);
    }
    if (allowed_at.back().empty()) return {};

    const auto heads = static_cast<std::size_t>(policy_.config().heads);
    for (std::size_t l = 0; l < edge_keys_.size(); ++l) {
        const std::string layer = fmt::format("decoder.{}", l);
        const auto memory = projected(layer + ".self_attention", x);
        const bool is_last = l + 1 == edge_keys_.size();
        for (std::size_t t = is_last ? x.size() - 1 : 0; t < x.size(); ++t) {
            auto past = pointers(memory);
            past.resize(t + 1);
            std::vector<const KeyValue*> edges;
            for (const Edge& edge : allowed_at[t]) edges.push_back(&edge_keys_[l][place(edge)]);
            const auto add_term = [&](double score, std::size_t head, std::size_t k) {
                const Vector& terms = terms_at[t][static_cast<std::size_t>(allowed_at[t][k].u)];
                return terms.empty() ? score : score + terms[l * heads + head];
            };
            Vector h = layer_norm(layer + ".self_norm", sum(x[t], attention(layer + ".self_attention", x[t], past)));
            h = layer_norm(layer + ".edge_norm", sum(h, attention(layer + ".edge_attention", h, edges, add_term)));
            const Vector inner = linear(layer + ".contract", relu(linear(layer + ".expand", h)));
            x[t] = layer_norm(layer + ".output_norm", sum(h, inner));
        }
    }
    const Vector query = linear("action.query", x.back());
    std::vector<Action> result;
    for (const Edge& edge : allowed_at.back()) {
        const Vector key = linear("action.key", edges_[place(edge)]);
        double score = 0;
        for (std::size_t c = 0; c < query.size(); ++c) score += query[c] * key[c];
        score /= std::sqrt(static_cast<double>(query.size()));
        if (const Vector& terms = terms_at.back()[static_cast<std::size_t>(edge.u)]; !terms.empty()) {
            score += terms.back();
        }
        result.push_back({edge, score, policy_.config().clip * std::tanh(score)});
    }
    return result;
}

double Reference::log_probability(const Tree& tree, double temperature) const {
    Construction state(problem_, tree.start);
    double result = 0;
    for (const Edge& edge : tree.edges) {
        double top = -std::numeric_limits<double>::infinity();
        double chosen = top;
        const auto options = actions(state);
        for (const Action& action : options) {
            top = std::max(top, action.logit / temperature);
            if (action.edge == edge) chosen = action.logit / temperature;
        }
        double total = 0;
        for (const Action& action : options) total += std::exp(action.logit / temperature - top);
        if (chosen == -std::numeric_limits<double>::infinity()) return chosen;
        result += chosen - top - std::log(total);
        state.add(edge.u, edge.v);
    }
    return result;
}

Tree Reference::greedy(Vertex start, double& closest) const {
    Construction state(problem_, start);
    closest = std::numeric_limits<double>::infinity();
    while (!is_grown(state)) {
        const auto options = actions(state);
        if (options.empty()) break;
        const Action* best = &options[0];
        for (const Action& action : options) {
            if (action.score > best->score) best = &action;
        }
        for (const Action& action : options) {
            if (&action != best) closest = std::min(closest, best->score - action.score);
        }
        state.add(best->edge.u, best->edge.v);
    }
    return state.tree();
}

}  // namespace neuroprim::policy
