#include "search/beam.hpp"

#include <algorithm>
#include <limits>

namespace neuroprim {

namespace {

/// A partial tree, and what the policy made of it.
struct BeamNode {
    Vertex start = 0;
    std::vector<Edge> prefix;
    std::vector<Edge> alternatives;
    std::size_t edges = 0;  ///< of the whole tree
    double cost = 0;
};

void complete_nodes(const Encoded& encoded, const Problem& problem, const DecodeOptions& options, BestTree& best,
                    std::vector<BeamNode>& nodes) {
    std::vector<Start> starts;
    starts.reserve(nodes.size());
    for (const BeamNode& node : nodes) starts.push_back({node.start, 0, node.prefix});
    std::vector<Rollout> rollouts = decode(encoded, problem, starts, options);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        nodes[k].alternatives = std::move(rollouts[k].alternatives);
        nodes[k].edges = rollouts[k].tree.edges.size();
    }
    const std::vector<double> cost = best.take(std::move(rollouts), options.threads, options.interrupted);
    for (std::size_t k = 0; k < nodes.size(); ++k) nodes[k].cost = cost[k];
}

std::vector<BeamNode> children_of(const std::vector<BeamNode>& nodes) {
    std::vector<BeamNode> result;
    for (const BeamNode& node : nodes) {
        if (node.prefix.size() >= node.edges) continue;
        for (const Edge& edge : node.alternatives) {
            result.push_back({node.start, node.prefix, {}, 0, 0});
            result.back().prefix.push_back(edge);
        }
    }
    return result;
}

void keep_cheapest(std::vector<BeamNode>& nodes, std::size_t count) {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [](const BeamNode& a, const BeamNode& b) { return a.cost < b.cost; });
    if (nodes.size() > count) nodes.resize(count);
}

}  // namespace

double search_by_beam(const Encoded& encoded, const Problem& problem, std::span<const Start> starts,
                      const DecodeOptions& decoding, std::size_t width, BestTree& best) {
    DecodeOptions options = decoding;
    options.alternatives = width;
    std::vector<BeamNode> nodes;
    for (const Start& start : starts) nodes.push_back({start.vertex, {}, {}, 0, 0});
    std::size_t kept = 1;
    double cheapest = std::numeric_limits<double>::infinity();
    while (!nodes.empty()) {
        complete_nodes(encoded, problem, options, best, nodes);
        keep_cheapest(nodes, kept);
        cheapest = std::min(cheapest, nodes.front().cost);
        if (options.interrupted && options.interrupted()) break;
        nodes = children_of(nodes);
        kept = width;
    }
    return cheapest;
}

}  // namespace neuroprim
