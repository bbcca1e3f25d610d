#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "steiner/reductions.hpp"

namespace neuroprim::steiner {

namespace {

/// A vertex whose prize pays for the way to a terminal is in some optimum, and is a terminal itself then.
bool require_what_pays(Graph& graph) {
    if (graph.terminal_count() == 0) return false;
    std::vector<double> distance(index(graph.size()), std::numeric_limits<double>::infinity());
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (Vertex v = 0; v < graph.size(); ++v) {
        if (!graph.is_terminal(v)) continue;
        distance[index(v)] = 0;
        queue.emplace(0, v);
    }
    bool changed = false;
    while (!queue.empty()) {
        auto [length, v] = queue.top();
        queue.pop();
        if (length > distance[index(v)]) continue;
        if (length > 0 && graph.prize(v) >= length) {
            graph.make_terminal(v);
            distance[index(v)] = length = 0;
            changed = true;
        }
        for (int a = graph.first(v); a != Graph::none; a = graph.next(a)) {
            const Vertex w = graph.head(a);
            if (const double longer = length + graph.weight(a); longer < distance[index(w)]) {
                distance[index(w)] = longer;
                queue.emplace(longer, w);
            }
        }
    }
    return changed;
}

/// If both ends of an edge are worth its weight, then a tree that holds one may as well hold the other. If it is the
/// lightest edge at one of them besides, then it may as well be the way between them.
bool absorb_light_edges(Graph& graph) {
    bool changed = false;
    for (Vertex v = 0; v < graph.size(); ++v) {
        while (graph.is_alive(v) && (graph.is_terminal(v) || graph.prize(v) > 0) && graph.degree(v) > 0) {
            int lightest = graph.first(v);
            for (int a = graph.next(lightest); a != Graph::none; a = graph.next(a)) {
                if (graph.weight(a) < graph.weight(lightest)) lightest = a;
            }
            const auto is_worth_it = [&](Vertex x) {
                return graph.is_terminal(x) || graph.prize(x) >= graph.weight(lightest);
            };
            const Vertex other = graph.head(lightest);
            if (!is_worth_it(v) || !is_worth_it(other)) break;
            if (!graph.is_terminal(other) && graph.prize(other) == 0) break;
            graph.absorb(lightest / 2);
            changed = true;
        }
    }
    return changed;
}

}  // namespace

bool reduce_by_prizes(Graph& graph) {
    if (!graph.has_prizes()) return false;
    const bool more_terminals = require_what_pays(graph);
    return absorb_light_edges(graph) || more_terminals;
}

}  // namespace neuroprim::steiner
