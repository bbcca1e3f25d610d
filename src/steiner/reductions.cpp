#include "steiner/reductions.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "steiner/special_distance.hpp"

namespace neuroprim::steiner {

namespace {
constexpr int edges_of_costly_rounds = 10'000;
}

bool reduce_by_degree(Graph& graph) {
    bool changed = false;
    std::vector<Vertex> open;
    for (Vertex v = graph.size(); v-- > 0;) {
        if (graph.is_alive(v) && graph.degree(v) <= 2) open.push_back(v);
    }
    const auto look_again = [&](Vertex v) {
        if (graph.degree(v) <= 2) open.push_back(v);
    };
    // The best tree of one vertex must not get lost where nothing else is known to be in the tree.
    Vertex guarded = graph.terminal_count() == 0 ? graph.richest() : no_vertex;
    while (!open.empty()) {
        const Vertex v = open.back();
        open.pop_back();
        if (!graph.is_alive(v) || graph.degree(v) > 2) continue;
        const double prize = graph.prize(v);
        if (graph.degree(v) == 0) {
            if (prize == 0 || v == guarded) continue;
            graph.remove_vertex(v);
            changed = true;
            continue;
        }
        const int arc = graph.first(v);
        const Vertex a = graph.head(arc);
        if (graph.is_terminal(v)) {
            if (graph.degree(v) != 1 || graph.terminal_count() < 2) continue;
            look_again(graph.contract(arc / 2));
        } else if (v == guarded) {
            continue;
        } else if (graph.degree(v) == 1 && prize > graph.weight(arc)) {
            const Vertex both = graph.absorb(arc / 2);
            if (guarded != no_vertex && (a == guarded || graph.prize(both) > graph.prize(guarded))) guarded = both;
            look_again(both);
        } else if (graph.degree(v) == 1) {
            graph.remove_vertex(v);
            look_again(a);
        } else {
            if (prize > std::min(graph.weight(arc), graph.weight(graph.next(arc)))) continue;
            const Vertex b = graph.head(graph.next(arc));
            graph.bridge(arc, graph.next(arc));
            graph.remove_vertex(v);
            look_again(a);
            look_again(b);
        }
        changed = true;
    }
    return changed;
}

void Reducer::list_edges(const Graph& graph) {
    edges_.clear();
    for (int e = 0; e < graph.edge_slots(); ++e) {
        if (graph.has(e)) edges_.push_back(e);
    }
    std::sort(edges_.begin(), edges_.end(), [&](int a, int b) {
        const double wa = graph.link(a).weight;
        const double wb = graph.link(b).weight;
        return wa != wb ? wa > wb : a < b;
    });
}

bool Reducer::test_edges(Graph& graph, const StopToken& stop) {
    SpecialDistance special(graph, effort_);
    std::size_t looked_at = 0;
    for (; next_ < edges_.size(); ++next_) {
        if ((++looked_at & 31) == 0 && stop.expired()) return false;
        const int e = edges_[next_];
        if (!graph.has(e)) continue;
        Vertex u = graph.link(e).u;
        Vertex v = graph.link(e).v;
        if (graph.degree(u) > graph.degree(v)) std::swap(u, v);
        if (special.within(u, v, graph.link(e).weight, e)) {
            graph.remove(e);
            ++removed_;
        }
        // Light edges are removed less often than heavy ones: when few of the last ones were, the rest may stay.
        if (next_ % 1000 == 999 && std::exchange(removed_, 0) < 20) break;
    }
    return true;
}

/// A vertex of degree 3 whose neighbours are joined without it by two special paths no longer than its three edges
/// together need not branch: paths of two of its edges take its place, where no special path is as short. A prize
/// that is too small to make it a leaf counts against its edges.
bool Reducer::test_vertices(Graph& graph, const StopToken& stop) {
    SpecialDistance special(graph, effort_);
    const Vertex guarded = graph.terminal_count() == 0 ? graph.richest() : no_vertex;
    std::size_t looked_at = 0;
    for (; next_ < index(graph.size()); ++next_) {
        const auto v = static_cast<Vertex>(next_);
        if (!graph.is_alive(v) || graph.is_terminal(v) || graph.degree(v) != 3) continue;
        if ((++looked_at & 15) == 0 && stop.expired()) return false;
        const int a = graph.first(v);
        const int b = graph.next(a);
        const int c = graph.next(b);
        const std::array<int, 3> arcs = {a, b, c};
        const double prize = graph.prize(v);
        if (v == guarded || prize > std::min({graph.weight(a), graph.weight(b), graph.weight(c)})) continue;
        const double all = graph.weight(a) + graph.weight(b) + graph.weight(c) - prize;

        // Special distances between the neighbours without v, rounded up to one of the lengths that matter.
        std::array<double, 6> steps = {graph.weight(a),
                                       graph.weight(b),
                                       graph.weight(c),
                                       graph.weight(a) + graph.weight(b) - prize,
                                       graph.weight(a) + graph.weight(c) - prize,
                                       graph.weight(b) + graph.weight(c) - prize};
        std::sort(steps.begin(), steps.end());
        std::array<double, 3> distance{};  // between the neighbours other than that of arcs[k]
        for (std::size_t k = 0; k < 3; ++k) {
            const Vertex p = graph.head(arcs[(k + 1) % 3]);
            const Vertex q = graph.head(arcs[(k + 2) % 3]);
            distance[k] = 2 * all;
            for (std::size_t s = steps.size(); s-- > 0;) {
                if (!special.within(p, q, steps[s], Graph::none, v)) break;
                distance[k] = steps[s];
            }
        }
        const double sum = distance[0] + distance[1] + distance[2];
        if (sum - std::max({distance[0], distance[1], distance[2]}) > all) continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const int p = arcs[(k + 1) % 3];
            const int q = arcs[(k + 2) % 3];
            if (distance[k] > graph.weight(p) + graph.weight(q) - prize) graph.bridge(p, q);
        }
        graph.remove_vertex(v);
    }
    return true;
}

bool Reducer::advance(Graph& graph, const StopToken& stop) {
    while (true) {
        switch (stage_) {
            case Stage::begin:
                edges_before_ = graph.edge_count();
                reduce_by_degree(graph);
                while (reduce_by_prizes(graph)) reduce_by_degree(graph);
                list_edges(graph);
                next_ = 0;
                removed_ = 0;
                stage_ = Stage::edges;
                break;
            case Stage::edges:
                if (!test_edges(graph, stop)) return false;
                reduce_by_degree(graph);
                stage_ = Stage::links;
                break;
            case Stage::links:
                // A round costs as much however little it finds.
                if (!reduce_by_short_links(graph) ||
                    (++link_rounds_ >= 3 && graph.edge_count() > edges_of_costly_rounds)) {
                    next_ = 0;
                    link_rounds_ = 0;
                    stage_ = Stage::vertices;
                }
                reduce_by_degree(graph);
                break;
            case Stage::vertices:
                if (!test_vertices(graph, stop)) return false;
                reduce_by_degree(graph);
                stage_ = graph.edge_count() + edges_before_ / 50 < edges_before_ ? Stage::begin : Stage::finished;
                break;
            case Stage::finished:
                return true;
        }
        if (stage_ != Stage::finished && stop.expired()) return false;
    }
}

bool reduce(Graph& graph, const StopToken& stop) {
    return Reducer().advance(graph, stop);
}

}  // namespace neuroprim::steiner
