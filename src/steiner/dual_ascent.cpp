#include "steiner/dual_ascent.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "steiner/root_component.hpp"

namespace neuroprim::steiner {

namespace {

using AscentEntry = std::pair<double, Vertex>;
using AscentQueue = std::priority_queue<AscentEntry, std::vector<AscentEntry>, std::greater<>>;

/// Pays until all terminals are reached from the root or from the hub. False when the stop token expired, or when a
/// terminal cannot be reached.
bool ascend(const FlatGraph& graph, std::pair<Vertex, Vertex> root_and_hub, const StopToken& stop,
            DualAscent& result) {
    const auto [root, hub] = root_and_hub;
    using Entry = std::pair<std::size_t, Vertex>;  // size of the cut when last seen
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    for (const Vertex t : graph.terminals()) {
        if (t != root) waiting.emplace(graph.arcs(t).size(), t);
    }
    RootComponent component(graph, result.reduced, root);
    if (hub != no_vertex) component.put_back(hub);  // whoever is reached from there is served
    std::size_t rounds = 0;
    while (!waiting.empty()) {
        if ((++rounds & 15) == 0 && stop.expired()) return false;
        const auto [known, terminal] = waiting.top();
        waiting.pop();
        component.start(terminal);
        while (!component.is_served()) {
            // A cut that has grown waits for its turn.
            if (!waiting.empty() && component.cut_size() > known && component.cut_size() > waiting.top().first) {
                waiting.emplace(component.cut_size(), terminal);
                component.put_back(terminal);
                break;
            }
            const double paid = component.raise();
            result.bound += paid;
            if (paid == std::numeric_limits<double>::infinity()) return false;
        }
    }
    return true;
}

}  // namespace

DualAscent dual_ascent(const FlatGraph& graph, Vertex root, const StopToken& stop, Vertex hub) {
    DualAscent result{root, 0, std::vector<double>(2 * graph.weights().size())};
    for (std::size_t e = 0; e < graph.weights().size(); ++e) {
        result.reduced[2 * e] = graph.weights()[e];
        result.reduced[2 * e + 1] = graph.weights()[e];
    }
    if (hub != no_vertex && !ascend(graph, {root, hub}, stop, result)) return result;
    ascend(graph, {root, no_vertex}, stop, result);
    return result;
}

ReducedCostBounds reduced_cost_bounds(const FlatGraph& graph, const DualAscent& ascent) {
    const auto n = index(graph.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> from_root(n, infinity);
    std::vector<double> to_terminal(n, infinity);
    const auto search = [&](std::vector<double>& distance, AscentQueue& queue, bool forward) {
        while (!queue.empty()) {
            const auto [length, v] = queue.top();
            queue.pop();
            if (length > distance[index(v)]) continue;
            for (const auto& arc : graph.arcs(v)) {
                const auto directed = static_cast<std::size_t>(forward ? arc.inward ^ 1 : arc.inward);
                const double longer = length + ascent.reduced[directed];
                if (longer >= distance[index(arc.to)]) continue;
                distance[index(arc.to)] = longer;
                queue.emplace(longer, arc.to);
            }
        }
    };
    AscentQueue queue;
    from_root[index(ascent.root)] = 0;
    queue.emplace(0, ascent.root);
    search(from_root, queue, true);
    for (const Vertex t : graph.terminals()) {
        if (t == ascent.root) continue;
        to_terminal[index(t)] = 0;
        queue.emplace(0, t);
    }
    search(to_terminal, queue, false);

    ReducedCostBounds result{std::vector<double>(n, 0), std::vector<double>(graph.weights().size(), 0)};
    for (Vertex v = 0; v < graph.size(); ++v) {
        if (!graph.is_terminal(v)) {
            result.with_vertex[index(v)] = ascent.bound + from_root[index(v)] + to_terminal[index(v)];
        }
    }
    for (int e = 0; e < graph.edge_count(); ++e) {
        const auto [u, v, weight] = graph.link(e);
        const auto at = static_cast<std::size_t>(e);
        const double there = from_root[index(u)] + ascent.reduced[2 * at] + to_terminal[index(v)];
        const double back = from_root[index(v)] + ascent.reduced[2 * at + 1] + to_terminal[index(u)];
        result.with_edge[at] = ascent.bound + std::min(there, back);
    }
    return result;
}

}  // namespace neuroprim::steiner
