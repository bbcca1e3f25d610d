#include "steiner/region.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "steiner/branching.hpp"

namespace neuroprim::steiner {

namespace {

/// The nearest vertices by path length, and the anchor of copies. No copies.
std::vector<Vertex> vertices_around(const FlatGraph& graph, const Region& region, std::vector<char>& inside) {
    std::vector<Vertex> around;
    std::unordered_map<Vertex, double> length = {{region.centre, 0}};
    using Entry = std::pair<double, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    queue.emplace(0, region.centre);
    while (!queue.empty() && around.size() < region.size) {
        const auto [distance, v] = queue.top();
        queue.pop();
        if (inside[index(v)] != 0) continue;
        inside[index(v)] = 1;
        around.push_back(v);
        for (const auto& arc : graph.arcs(v)) {
            if (arc.edge >= graph.first_prize_edge()) continue;
            const double longer = distance + arc.weight;
            const auto [known, is_new] = length.try_emplace(arc.to, longer);
            if (!is_new && known->second <= longer) continue;
            known->second = longer;
            queue.emplace(longer, arc.to);
        }
    }
    if (graph.has_copies() && inside[index(graph.anchor())] == 0) {
        inside[index(graph.anchor())] = 1;
        around.push_back(graph.anchor());
    }
    return around;
}

/// Each prize is collected or lost, as the real edges of the tree have it.
void append_prize_edges(const FlatGraph& graph, std::vector<int>& edges) {
    if (!graph.has_copies()) return;
    DisjointSets joined(graph.size());
    for (const int e : edges) joined.join(graph.link(e).u, graph.link(e).v);
    for (int e = graph.first_prize_edge(); e < graph.end_of_prize_edges(); e += 2) {
        const bool is_in = joined.find(graph.link(e).u) == joined.find(graph.anchor());
        edges.push_back(is_in ? e : e + 1);
    }
}

}  // namespace

bool improve_region(const FlatGraph& graph, EdgeTree& tree, const Region& region, bool whole_weights,
                    const StopToken& stop) {
    std::vector<char> inside(index(graph.size()), 0);
    const std::vector<Vertex> around = vertices_around(graph, region, inside);
    DisjointSets outside(graph.size());
    std::vector<int> edges;  // that stay
    double cost = 0;         // of those that may go, and of prizes that may be collected
    for (const int e : tree.edges) {
        const auto& link = graph.link(e);
        if (e >= graph.first_prize_edge()) {
            const bool is_lost = (e - graph.first_prize_edge()) % 2 == 1;
            if (is_lost && inside[index(graph.link(e - 1).u)] != 0) cost += link.weight - graph.offset(e);
        } else if (inside[index(link.u)] != 0 && inside[index(link.v)] != 0) {
            cost += link.weight;
        } else {
            outside.join(link.u, link.v);
            edges.push_back(e);
        }
    }
    if (cost == 0) return false;

    std::vector<Vertex> place(index(graph.size()), no_vertex);  // of a set's representative
    Vertex count = 0;
    for (const Vertex v : around) {
        if (Vertex& at = place[index(outside.find(v))]; at == no_vertex) at = count++;
    }
    auto origins = std::make_shared<Origins>();
    Graph part(count, origins);
    for (const Vertex v : around) {
        const Vertex at = place[index(outside.find(v))];
        if (graph.is_terminal(v) || outside.size_of(v) > 1) part.make_terminal(at);
        for (const auto& arc : graph.arcs(v)) {
            if (arc.edge >= graph.first_prize_edge()) {
                if (part.is_terminal(at)) continue;
                part.set_prize(at, graph.link(arc.edge + 1).weight - graph.offset(arc.edge));
                continue;
            }
            if (arc.to < v || inside[index(arc.to)] == 0) continue;
            const Vertex to = place[index(outside.find(arc.to))];
            if (to != at) part.add(at, to, arc.weight, origins->input(arc.edge, arc.edge));
        }
    }
    Branching branching(std::move(part), whole_weights, 60);
    branching.advance(cost, Branching::no_limit, stop, region.nodes);
    if (branching.cost() >= cost) return false;
    for (const Edge& edge : branching.edges()) edges.push_back(edge.u);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    append_prize_edges(graph, edges);
    auto better = tree_among(graph, std::move(edges), graph.weights());
    if (!better || better->cost >= tree.cost * (1 - 1e-12)) return false;
    tree = *std::move(better);
    return true;
}

}  // namespace neuroprim::steiner
