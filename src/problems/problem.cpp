#include "neuroprim/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/disjoint_sets.hpp"

namespace neuroprim {

Problem::Problem(const Instance& instance) : instance_(&instance) {
    instance.weights.check();
}

bool Problem::required(Vertex) const {
    return true;
}

std::vector<Vertex> Problem::starts() const {
    std::vector<Vertex> result;
    for (Vertex v = 0; v < size(); ++v) {
        if (required(v)) result.push_back(v);
    }
    return result;
}

bool Problem::has_room(const Construction&, Vertex) const {
    return true;
}

bool Problem::admits(const Construction&, Vertex) const {
    return true;
}

bool Problem::finished(const Construction& state) const {
    return state.required_outside() == 0;
}

double Problem::cost(const Tree& tree) const {
    return total_weight(tree, weights());
}

Tree Problem::tidied(Tree tree) const {
    return tree;
}

std::optional<std::string> Problem::obstacle() const {
    DisjointSets parts(size());
    if (!weights().is_complete()) {
        for (const auto& [u, v, weight] : weights().edges()) parts.join(u, v);
        Vertex first = no_vertex;
        for (Vertex v = 0; v < size(); ++v) {
            if (!required(v)) continue;
            if (first == no_vertex) first = v;
            if (parts.find(v) != parts.find(first)) {
                return fmt::format("the graph is not connected: no path joins vertices {} and {}", first, v);
            }
        }
    }
    return std::nullopt;
}

namespace {

/// Whether the rules let `tree` grow edge by edge as it is listed. A tree that does is feasible, in one pass; one
/// that does not may be so in another order.
bool grows_as_listed(const Problem& problem, const Tree& tree, const std::vector<Vertex>& starts) {
    if (!problem.room_is_local()) return false;
    if (std::find(starts.begin(), starts.end(), tree.start) == starts.end()) return false;
    const auto in_range = [n = problem.size()](Vertex v) { return v >= 0 && v < n; };
    Construction state(problem, tree.start);
    for (const auto& [u, v] : tree.edges) {
        if (!in_range(u) || !in_range(v) || !state.is_open(u) || state.contains(v)) return false;
        if (!problem.weights().has_edge(u, v)) return false;
        state.add(u, v);
    }
    return state.required_outside() == 0 && state.finished();
}

}  // namespace

std::optional<std::string> Problem::violation(const Tree& tree) const {
    const std::vector<Vertex> allowed = starts();
    if (grows_as_listed(*this, tree, allowed)) return std::nullopt;
    if (auto reason = structural_violation(tree, weights())) return reason;

    const std::vector<int> degree = degrees(tree, size());
    const auto contains = [&](Vertex v) {
        return tree.edges.empty() ? v == tree.start : degree[static_cast<std::size_t>(v)] > 0;
    };
    for (Vertex v = 0; v < size(); ++v) {
        if (required(v) && !contains(v)) return describe_missing(v);
    }

    // Replay from the tree's own start where the problem allows that, otherwise from where it must start.
    if (allowed.empty()) return "the problem names no vertex to start from";
    const bool own_start =
        contains(tree.start) && std::find(allowed.begin(), allowed.end(), tree.start) != allowed.end();
    const Vertex root = own_start ? tree.start : allowed.front();
    const RootedTree rooted = hang(tree, root, size());
    Construction replay(*this, root);
    for (std::size_t k = 1; k < rooted.order.size(); ++k) {
        const Vertex v = rooted.order[k];
        const Vertex u = rooted.parent[static_cast<std::size_t>(v)];
        if (!replay.is_open(u)) return describe_overflow(tree, u);
        replay.add(u, v);
    }
    if (!replay.finished()) return "the tree is not finished";
    return std::nullopt;
}

std::string Problem::describe_overflow(const Tree&, Vertex u) const {
    return fmt::format("no room for another child at vertex {}", u);
}

std::string Problem::describe_missing(Vertex v) const {
    return fmt::format("not connected: vertex {} is not in the tree", v);
}

}  // namespace neuroprim
