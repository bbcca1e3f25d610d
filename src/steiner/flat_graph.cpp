#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

FlatGraph::FlatGraph(const Graph& graph, const PrizeModel& model) {
    std::vector<Vertex> place(index(graph.size()), no_vertex);
    for (Vertex v = 0; v < graph.size(); ++v) {
        const bool matters = graph.degree(v) > 0 || graph.is_terminal(v) || graph.prize(v) > 0;
        if (!graph.is_alive(v) || !matters) continue;
        place[index(v)] = static_cast<Vertex>(vertex_.size());
        vertex_.push_back(v);
        terminal_.push_back(graph.is_terminal(v) || v == model.anchor ? 1 : 0);
        if (terminal_.back() != 0) terminals_.push_back(place[index(v)]);
    }
    for (int e = 0; e < graph.edge_slots(); ++e) {
        if (!graph.has(e)) continue;
        const auto& link = graph.link(e);
        add_link(place[index(link.u)], place[index(link.v)], link.weight, e);
    }
    given_edges_ = end_of_prize_edges_ = edge_count();
    if (graph.has_prizes()) add_copies(graph, model, place);
    find_arcs();
}

void FlatGraph::add_link(Vertex u, Vertex v, double weight, int origin) {
    links_.push_back({u, v, weight});
    weights_.push_back(weight);
    edge_.push_back(origin);
}

void FlatGraph::add_copies(const Graph& graph, const PrizeModel& model, const std::vector<Vertex>& place) {
    const auto add_terminal = [&] {
        vertex_.push_back(no_vertex);
        terminal_.push_back(1);
        terminals_.push_back(static_cast<Vertex>(vertex_.size()) - 1);
        return terminals_.back();
    };
    detour_ = model.detour;
    const bool is_rootless = terminals_.empty();
    if (is_rootless) {
        anchor_ = add_terminal();
        surplus_ = model.tree_price;
    } else {
        anchor_ = model.anchor != no_vertex ? place[index(model.anchor)] : terminals_.front();
    }
    const auto end = static_cast<Vertex>(vertex_.size());
    for (Vertex v = 0; v < end; ++v) {
        if (vertex_[index(v)] == no_vertex || terminal_[index(v)] != 0) continue;
        const double prize = graph.prize(vertex_[index(v)]);
        if (prize <= 0) continue;
        const Vertex copy = add_terminal();
        add_link(v, copy, detour_, Graph::none);
        add_link(anchor_, copy, detour_ + prize, Graph::none);
        surplus_ += detour_;
    }
    end_of_prize_edges_ = edge_count();
    if (!is_rootless) return;
    for (int e = given_edges_; e < end_of_prize_edges_; e += 2) {
        add_link(anchor_, link(e).u, model.tree_price, Graph::none);
    }
}

void FlatGraph::find_arcs() {
    begin_.assign(vertex_.size() + 1, 0);
    for (const Link& link : links_) {
        ++begin_[index(link.u) + 1];
        ++begin_[index(link.v) + 1];
    }
    for (std::size_t v = 0; v < vertex_.size(); ++v) begin_[v + 1] += begin_[v];
    arcs_.resize(begin_.back());
    std::vector<std::size_t> filled(begin_.begin(), begin_.end() - 1);
    for (int e = 0; e < edge_count(); ++e) {
        const auto [u, v, weight] = link(e);
        arcs_[filled[index(u)]++] = {v, e, weight, 2 * e + 1};
        arcs_[filled[index(v)]++] = {u, e, weight, 2 * e};
    }
}

}  // namespace neuroprim::steiner
