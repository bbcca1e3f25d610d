#include "steiner/vertex_insertion.hpp"

#include <algorithm>

namespace neuroprim::steiner {

void VertexInsertion::hang(const EdgeTree& tree) {
    const auto n = index(graph_.size());
    parent_.assign(n, outside);
    edge_.assign(n, -1);
    mark_.assign(n, 0);
    marks_ = 0;
    std::vector<char> used(static_cast<std::size_t>(graph_.edge_count()), 0);
    for (const int e : tree.edges) used[static_cast<std::size_t>(e)] = 1;
    std::vector<Vertex> order = {graph_.terminals().front()};
    parent_[index(order.front())] = no_vertex;
    for (std::size_t k = 0; k < order.size(); ++k) {
        for (const auto& arc : graph_.arcs(order[k])) {
            if (used[static_cast<std::size_t>(arc.edge)] == 0 || contains(arc.to)) continue;
            parent_[index(arc.to)] = order[k];
            edge_[index(arc.to)] = arc.edge;
            order.push_back(arc.to);
        }
    }
}

void VertexInsertion::set_parent(Vertex v, Vertex parent, int edge) {
    changes_.push_back({v, parent_[index(v)], edge_[index(v)]});
    parent_[index(v)] = parent;
    edge_[index(v)] = edge;
}

void VertexInsertion::undo() {
    for (; !changes_.empty(); changes_.pop_back()) {
        const Change& change = changes_.back();
        parent_[index(change.v)] = change.parent;
        edge_[index(change.v)] = change.edge;
    }
}

double VertexInsertion::insert(Vertex v) {
    changes_.clear();
    const FlatGraph::Arc* lightest = nullptr;
    for (const auto& arc : graph_.arcs(v)) {
        if (contains(arc.to) && (lightest == nullptr || weight(arc.edge) < weight(lightest->edge))) lightest = &arc;
    }
    if (lightest == nullptr) return 0;
    set_parent(v, lightest->to, lightest->edge);
    double gain = -weight(lightest->edge);
    for (const auto& arc : graph_.arcs(v)) {
        if (!contains(arc.to) || arc.edge == lightest->edge) continue;
        ++marks_;
        for (Vertex x = v; x != no_vertex; x = parent_[index(x)]) mark_[index(x)] = marks_;
        // Up from the other end of the new edge, then up from v, to where the two ways meet.
        Vertex heaviest = arc.to;
        Vertex meet = arc.to;
        bool below_other_end = true;
        double most = 0;
        for (; mark_[index(meet)] != marks_; meet = parent_[index(meet)]) {
            if (weight(edge_[index(meet)]) > most) {
                most = weight(edge_[index(meet)]);
                heaviest = meet;
            }
        }
        for (Vertex x = v; x != meet; x = parent_[index(x)]) {
            if (weight(edge_[index(x)]) > most) {
                most = weight(edge_[index(x)]);
                heaviest = x;
                below_other_end = false;
            }
        }
        if (most <= weight(arc.edge)) continue;
        gain += most - weight(arc.edge);
        // The part below the heaviest edge now hangs from the new edge: turn the links around on the way.
        Vertex child = below_other_end ? arc.to : v;
        Vertex parent = below_other_end ? v : arc.to;
        int edge = arc.edge;
        while (true) {
            const Vertex above = parent_[index(child)];
            const int above_edge = edge_[index(child)];
            set_parent(child, parent, edge);
            if (child == heaviest) break;
            parent = child;
            edge = above_edge;
            child = above;
        }
    }
    return gain;
}

double VertexInsertion::gain(const EdgeTree& tree, Vertex v) {
    hang(tree);
    const double result = insert(v);
    undo();
    return result;
}

bool VertexInsertion::improve(EdgeTree& tree, const StopToken& stop) {
    hang(tree);
    bool changed = false;
    const double least = 1e-9 * std::max(1.0, tree.cost);
    for (Vertex v = 0; v < graph_.size(); ++v) {
        if ((v & 63) == 0 && stop.expired()) break;
        if (contains(v)) continue;
        if (insert(v) > least) {
            changed = true;
            changes_.clear();
        } else {
            undo();
        }
    }
    if (!changed) return false;
    std::vector<int> edges;
    for (Vertex v = 0; v < graph_.size(); ++v) {
        if (contains(v) && edge_[index(v)] >= 0) edges.push_back(edge_[index(v)]);
    }
    auto better = tree_among(graph_, std::move(edges), weights_);
    if (!better || better->cost >= tree.cost) return false;
    tree = *std::move(better);
    return true;
}

}  // namespace neuroprim::steiner
