#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "steiner/reductions.hpp"

namespace neuroprim::steiner {

namespace {

/// The Voronoi regions of the terminals: each vertex with its nearest terminal.
struct TerminalRegions {
    explicit TerminalRegions(const Graph& graph)
        : base(index(graph.size()), no_vertex),
          distance(index(graph.size()), std::numeric_limits<double>::infinity()) {
        using Entry = std::pair<double, Vertex>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        for (Vertex v = 0; v < graph.size(); ++v) {
            if (!graph.is_alive(v) || !graph.is_terminal(v)) continue;
            base[index(v)] = v;
            distance[index(v)] = 0;
            queue.emplace(0, v);
        }
        while (!queue.empty()) {
            const auto [length, v] = queue.top();
            queue.pop();
            if (length > distance[index(v)]) continue;
            for (int a = graph.first(v); a != Graph::none; a = graph.next(a)) {
                const Vertex w = graph.head(a);
                if (const double longer = length + graph.weight(a); longer < distance[index(w)]) {
                    distance[index(w)] = longer;
                    base[index(w)] = base[index(v)];
                    queue.emplace(longer, w);
                }
            }
        }
    }

    std::vector<Vertex> base;      // (n)
    std::vector<double> distance;  // (n)
};

}  // namespace

/// A tree must leave the region of a terminal t. If the lightest edge uv out of it, with the ways from u to t and
/// from v to its own terminal, is no longer than the second lightest, then some optimum has the edge uv.
///
/// The test looks at one region and a path out of it; contracting an edge between two other regions changes
/// neither, so one round may contract for many regions that do not touch.
bool reduce_by_short_links(Graph& graph) {
    const TerminalRegions regions(graph);
    const auto n = index(graph.size());
    std::vector<int> lightest(n, Graph::none);
    std::vector<double> second(n, std::numeric_limits<double>::infinity());
    for (int e = 0; e < graph.edge_slots(); ++e) {
        if (!graph.has(e)) continue;
        const auto& link = graph.link(e);
        const Vertex a = regions.base[index(link.u)];
        const Vertex b = regions.base[index(link.v)];
        if (a == b || a == no_vertex || b == no_vertex) continue;
        for (const Vertex t : {a, b}) {
            int& best = lightest[index(t)];
            if (best == Graph::none || link.weight < graph.link(best).weight) {
                if (best != Graph::none) second[index(t)] = graph.link(best).weight;
                best = e;
            } else if (link.weight < second[index(t)]) {
                second[index(t)] = link.weight;
            }
        }
    }
    std::vector<char> touched(n, 0);
    bool changed = false;
    for (Vertex t = 0; t < graph.size(); ++t) {
        const int e = lightest[index(t)];
        if (e == Graph::none || !graph.has(e)) continue;
        const auto link = graph.link(e);
        const Vertex a = regions.base[index(link.u)];
        const Vertex b = regions.base[index(link.v)];
        if (touched[index(a)] != 0 || touched[index(b)] != 0) continue;
        const double path = regions.distance[index(link.u)] + link.weight + regions.distance[index(link.v)];
        if (path > second[index(t)]) continue;
        touched[index(a)] = 1;
        touched[index(b)] = 1;
        graph.contract(e);
        changed = true;
    }
    return changed;
}

}  // namespace neuroprim::steiner
