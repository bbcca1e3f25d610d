#include "search/start_sequence.hpp"

#include <algorithm>

#include "neuroprim/construction.hpp"

namespace neuroprim {

namespace {

/// Of a root, unless more are asked for. Half of the trees of 100 vertices; the other half are hardly ever the best.
constexpr std::size_t usual_first_edges = 48;

/// The edges that a tree may begin with, shortest first.
std::vector<Edge> edges_at_root(const Problem& problem, Vertex root) {
    const Construction state(problem, root);
    std::vector<Edge> edges;
    for (const Vertex v : state.outside()) {
        if (state.allows(root, v)) edges.push_back({root, v});
    }
    const auto weight = [&](const Edge& edge) { return problem.weights()(edge.u, edge.v); };
    std::stable_sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) { return weight(a) < weight(b); });
    return edges;
}

}  // namespace

StartSequence::StartSequence(const Problem& problem, const NeuralOptions& options)
    : evenly_(options.mode == DecodeMode::greedy) {
    const bool is_free = options.start == no_vertex;
    if (is_free && evenly_ && options.beam == 0 && options.starts != 1 && problem.spec().root) {
        first_edges_ = edges_at_root(problem, *problem.spec().root);
        const std::size_t most = options.starts == 0 ? usual_first_edges : options.starts - 1;
        first_edges_.resize(std::min(first_edges_.size(), most));
        allowed_ = {*problem.spec().root};
        size_ = 1 + first_edges_.size();
        return;
    }
    if (!is_free) {
        allowed_ = {options.start};
    } else {
        allowed_ = evenly_ ? greedy_starts(problem, options.starts) : problem.starts();
    }
    const std::size_t most = evenly_ ? allowed_.size() : samples_per_start * allowed_.size();
    const std::size_t asked = evenly_ ? std::min(options.starts, most) : options.samples;
    size_ = asked == 0 || allowed_.empty() ? most : asked;
}

Start StartSequence::operator[](std::size_t k) const {
    if (!first_edges_.empty()) {
        Start start{allowed_.front(), k};
        if (k > 0) start.prefix = {&first_edges_[k - 1], 1};
        return start;
    }
    return {allowed_[evenly_ ? k * allowed_.size() / size_ : k % allowed_.size()], k};
}

}  // namespace neuroprim
