#include "bounds/dual_ascent.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace neuroprim::steiner {

namespace {

using AscentEntry = std::pair<double, Vertex>;
using AscentQueue = std::priority_queue<AscentEntry, std::vector<AscentEntry>, std::greater<>>;

/// The set of vertices that reach a terminal by free arcs, and the arcs into it.
class RootComponent {
public:
    RootComponent(const FlatGraph& graph, std::vector<double>& reduced, Vertex root)
        : graph_(graph), reduced_(reduced), inside_(index(graph.size()), 0), waits_(index(graph.size()), 0) {
        for (const Vertex t : graph.terminals()) waits_[index(t)] = 1;
        waits_[index(root)] = 1;
    }

    void start(Vertex terminal) {
        for (const Vertex v : members_) inside_[index(v)] = 0;
        members_.clear();
        cut_.clear();
        is_served_ = false;
        waits_[index(terminal)] = 0;
        take(terminal);
        drop_inner_arcs();
    }

    /// The terminal will be reached from the root, or from a terminal that still waits and will be reached itself.
    [[nodiscard]] bool is_served() const { return is_served_; }

    /// The terminal has to wait for its next turn.
    void put_back(Vertex terminal) { waits_[index(terminal)] = 1; }

    [[nodiscard]] std::size_t cut_size() const { return cut_.size(); }

    /// Pays for the cheapest arc on all arcs of the cut and takes in what is free now. Returns what was paid.
    double raise() {
        double least = std::numeric_limits<double>::infinity();
        for (const Inward& arc : cut_) least = std::min(least, reduced_[static_cast<std::size_t>(arc.arc)]);
        if (cut_.empty()) return least;
        const std::size_t count = cut_.size();
        for (std::size_t k = 0; k < count; ++k) reduced_[static_cast<std::size_t>(cut_[k].arc)] -= least;
        for (std::size_t k = 0; k < count && !is_served_; ++k) {
            if (reduced_[static_cast<std::size_t>(cut_[k].arc)] <= 0 && inside_[index(cut_[k].from)] == 0) {
                take(cut_[k].from);
            }
        }
        if (!is_served_) drop_inner_arcs();
        return least;
    }

private:
    struct Inward {
        Vertex from;
        int arc;
    };

    void take(Vertex first) {
        open_.assign(1, first);
        inside_[index(first)] = 1;
        members_.push_back(first);
        while (!open_.empty()) {
            const Vertex v = open_.back();
            open_.pop_back();
            if (waits_[index(v)] != 0) {
                is_served_ = true;
                return;
            }
            for (const auto& arc : graph_.arcs(v)) {
                if (inside_[index(arc.to)] != 0) continue;
                if (reduced_[static_cast<std::size_t>(arc.inward)] <= 0) {
                    inside_[index(arc.to)] = 1;
                    members_.push_back(arc.to);
                    open_.push_back(arc.to);
                } else {
                    cut_.push_back({arc.to, arc.inward});
                }
            }
        }
    }

    void drop_inner_arcs() {
        std::erase_if(cut_, [&](const Inward& arc) { return inside_[index(arc.from)] != 0; });
    }

    const FlatGraph& graph_;
    std::vector<double>& reduced_;
    std::vector<char> inside_;  // (n)
    std::vector<char> waits_;   // (n) the root, and terminals that have to be reached
    std::vector<Vertex> members_;
    std::vector<Vertex> open_;
    std::vector<Inward> cut_;
    bool is_served_ = false;
};

}  // namespace

DualAscent dual_ascent(const FlatGraph& graph, Vertex root, const StopToken& stop) {
    DualAscent result{root, 0, std::vector<double>(2 * graph.weights().size())};
    for (std::size_t e = 0; e < graph.weights().size(); ++e) {
        result.reduced[2 * e] = graph.weights()[e];
        result.reduced[2 * e + 1] = graph.weights()[e];
    }
    using Entry = std::pair<std::size_t, Vertex>;  // size of the cut when last seen
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    for (const Vertex t : graph.terminals()) {
        if (t != root) waiting.emplace(graph.arcs(t).size(), t);
    }
    RootComponent component(graph, result.reduced, root);
    std::size_t rounds = 0;
    while (!waiting.empty()) {
        if ((++rounds & 15) == 0 && stop.expired()) break;
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
            if (paid == std::numeric_limits<double>::infinity()) return result;
        }
    }
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
