#pragma once

#include <functional>
#include <vector>

#include "neuroprim/policy.hpp"

namespace neuroprim::policy {

/// The policy as docs/model.md writes it, in doubles, one loop per formula and nothing shared with the engine but the
/// tensors: the oracle of the tests. The past is decoded again at every step; for small n only.
class Reference {
public:
    Reference(const Policy& policy, const Problem& problem, int symmetry = 0);

    /// Logits C·tanh(score) of every allowed edge after the given construction, ordered by (u, v).
    struct Action {
        Edge edge;
        double score;  ///< before tanh
        double logit;
    };
    [[nodiscard]] std::vector<Action> actions(const Construction& state) const;

    /// Log-probability of growing `tree` edge by edge.
    [[nodiscard]] double log_probability(const Tree& tree, double temperature = 1) const;

    /// The most probable edge at every step, ties to the smaller (u, v); `closest` becomes the smallest difference
    /// between the two best scores of a step, which tells whether another program may decide otherwise.
    [[nodiscard]] Tree greedy(Vertex start, double& closest) const;

private:
    using Vector = std::vector<double>;
    using Matrix = std::vector<Vector>;
    struct KeyValue {
        Vector key;
        Vector value;
    };

    [[nodiscard]] std::size_t place(Edge edge) const {
        return static_cast<std::size_t>(edge.u) * vertices_.size() + static_cast<std::size_t>(edge.v);
    }
    /// What becomes of the score of head h for the k-th of the others.
    using Adjust = std::function<double(double score, std::size_t h, std::size_t k)>;
    [[nodiscard]] Vector linear(const std::string& name, const Vector& x) const;
    [[nodiscard]] Vector batch_norm(const std::string& name, const Vector& x) const;
    [[nodiscard]] Vector vertex_norm(const std::string& name, const Vector& x) const;
    [[nodiscard]] Vector layer_norm(const std::string& name, const Vector& x) const;
    [[nodiscard]] Vector attention(const std::string& name, const Vector& query,
                                   const std::vector<const KeyValue*>& others) const;
    [[nodiscard]] Vector attention(const std::string& name, const Vector& query,
                                   const std::vector<const KeyValue*>& others, const Adjust& adjust) const;
    [[nodiscard]] std::vector<KeyValue> projected(const std::string& attention, const Matrix& others) const;
    [[nodiscard]] std::vector<Edge> allowed(const Construction& state) const;
    [[nodiscard]] Vector edge_feature(Vertex u, Vertex v) const;
    [[nodiscard]] double length(Vertex u, Vertex v) const;
    [[nodiscard]] double apart(Vertex u, Vertex v) const;
    [[nodiscard]] bool sees_true_weights() const;
    [[nodiscard]] double mean_edge_unit() const;
    [[nodiscard]] Matrix encoded() const;
    /// (n): what the network of rows makes of each tree vertex, one score per head of each layer, then the action's;
    /// empty for a policy that is not told the specification.
    [[nodiscard]] Matrix row_terms_of(const Construction& state) const;

    Policy policy_;
    const Problem& problem_;
    std::vector<Point> points_;                     // in the unit square
    Matrix vertices_;                               // (n, d_v)
    Vector graph_;                                  // (d_e)
    double unit_ = 1;                               // feature distance per unit of weight
    Matrix edges_;                                  // (n·n, d_e)
    std::vector<std::vector<KeyValue>> edge_keys_;  // (decoder_layers, n·n)
};

}  // namespace neuroprim::policy
