#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::steiner {

/// The set of vertices that reach a terminal by free arcs, and the arcs into it: one step of Wong's dual ascent.
///
/// `Graph` has `size()`, `terminals()`, and `arcs(v)`, each with its other end `to` and the number `inward` of the
/// directed arc from there to v.
template <class Graph>
class RootComponent {
public:
    RootComponent(const Graph& graph, std::vector<double>& reduced, Vertex root)
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

    const Graph& graph_;
    std::vector<double>& reduced_;
    std::vector<char> inside_;  // (n)
    std::vector<char> waits_;   // (n) the root, and terminals that have to be reached
    std::vector<Vertex> members_;
    std::vector<Vertex> open_;
    std::vector<Inward> cut_;
    bool is_served_ = false;
};

}  // namespace neuroprim::steiner
