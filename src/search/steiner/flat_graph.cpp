#include "search/steiner/flat_graph.hpp"

namespace neuroprim::steiner {

FlatGraph::FlatGraph(const Graph& graph) {
    std::vector<Vertex> place(index(graph.size()), no_vertex);
    begin_.push_back(0);
    for (Vertex v = 0; v < graph.size(); ++v) {
        if (!graph.is_alive(v) || (graph.degree(v) == 0 && !graph.is_terminal(v))) continue;
        place[index(v)] = static_cast<Vertex>(vertex_.size());
        vertex_.push_back(v);
        terminal_.push_back(graph.is_terminal(v) ? 1 : 0);
        if (graph.is_terminal(v)) terminals_.push_back(place[index(v)]);
        begin_.push_back(begin_.back() + static_cast<std::size_t>(graph.degree(v)));
    }
    arcs_.resize(begin_.back());
    std::vector<std::size_t> filled(begin_.begin(), begin_.end() - 1);
    for (int e = 0; e < graph.edge_slots(); ++e) {
        if (!graph.has(e)) continue;
        const Vertex u = place[index(graph.link(e).u)];
        const Vertex v = place[index(graph.link(e).v)];
        const double weight = graph.link(e).weight;
        const int number = edge_count();
        links_.push_back({u, v, weight});
        weights_.push_back(weight);
        edge_.push_back(e);
        arcs_[filled[index(u)]++] = {v, number, weight, 2 * number + 1};
        arcs_[filled[index(v)]++] = {u, number, weight, 2 * number};
    }
}

}  // namespace neuroprim::steiner
