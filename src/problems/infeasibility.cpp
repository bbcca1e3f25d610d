#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "graph/disjoint_sets.hpp"
#include "graph/shortest_ways.hpp"
#include "neuroprim/tree_spec.hpp"
#include "problems/cut_vertices.hpp"
#include "problems/required.hpp"
#include "problems/root_contraction.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

namespace {

using Reason = std::optional<std::string>;

/// (n) The fewest edges from `source` to each vertex; −1 out of reach.
std::vector<int> fewest_hops(const Weights& weights, Vertex source) {
    std::vector<int> hops(index(weights.size()), -1);
    std::vector<Vertex> queue = {source};
    hops[index(source)] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const Vertex u = queue[head];
        weights.for_each_neighbour(u, [&](Vertex v, double) {
            if (hops[index(v)] >= 0) return;
            hops[index(v)] = hops[index(u)] + 1;
            queue.push_back(v);
        });
    }
    return hops;
}

/// The most vertices that a tree has within `levels` edges of one vertex, or of both ends of one edge.
double most_vertices(int degree, int levels, bool from_an_edge) {
    double level = from_an_edge ? 2 : 1;
    double sum = level;
    for (int k = 0; k < levels && sum < 1e12; ++k) {
        level *= k == 0 && !from_an_edge ? degree : degree - 1;
        sum += level;
    }
    return sum;
}

class InfeasibilityCertificates {
public:
    InfeasibilityCertificates(const TreeSpec& spec, const Instance& instance)
        : spec_(spec), instance_(instance), required_(required_by(spec, instance.size())) {}

    [[nodiscard]] Reason disconnected() const {
        if (instance_.weights.is_complete()) return std::nullopt;
        DisjointSets parts(size());
        for (const auto& [u, v, weight] : instance_.weights.edges()) parts.join(u, v);
        Vertex first = no_vertex;
        for (Vertex v = 0; v < size(); ++v) {
            if (!required_[index(v)]) continue;
            if (first == no_vertex) first = v;
            if (parts.find(v) != parts.find(first)) {
                return fmt::format("the graph is not connected: no path joins vertices {} and {}", label(first),
                                   label(v));
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason too_few_places() const {
        if (spec_.degrees.empty() || spec_.coverage != Coverage::all) return std::nullopt;
        const long places = std::accumulate(spec_.degrees.begin(), spec_.degrees.end(), 0L);
        const long needed = 2L * (size() - 1);
        if (places >= needed) return std::nullopt;
        return fmt::format("the degree limits add up to {}, a tree of {} vertices needs {}", places, size(), needed);
    }

    [[nodiscard]] Reason too_flat() const {
        if (spec_.degrees.empty() || size() < 3) return std::nullopt;
        const auto vertices = std::count(required_.begin(), required_.end(), true);
        const int degree = *std::max_element(spec_.degrees.begin(), spec_.degrees.end());
        const auto reason = [&](double most, std::string_view what, int limit) -> Reason {
            if (most >= static_cast<double>(vertices)) return std::nullopt;
            return fmt::format("a tree with degree ≤ {} and {} {} holds at most {:g} vertices, {} must be in", degree,
                               what, limit, most, vertices);
        };
        if (spec_.hops) {
            if (auto found = reason(most_vertices(degree, *spec_.hops, false), "hops ≤", *spec_.hops)) return found;
        }
        if (!spec_.diameter) return std::nullopt;
        return reason(most_vertices(degree, *spec_.diameter / 2, *spec_.diameter % 2 == 1), "diameter ≤",
                      *spec_.diameter);
    }

    /// Breadth-first search is the flattest tree there is: a vertex it reaches too late is out of reach.
    [[nodiscard]] Reason too_many_hops() const {
        if (!spec_.hops || instance_.weights.is_complete()) return std::nullopt;
        const std::vector<int> hops = fewest_hops(instance_.weights, *spec_.root);
        const Vertex v = farthest(hops);
        if (v == no_vertex || hops[index(v)] <= *spec_.hops) return std::nullopt;
        return fmt::format("vertex {} is {} hops from root {} on any path, the limit is {}", label(v), hops[index(v)],
                           label(*spec_.root), *spec_.hops);
    }

    [[nodiscard]] Reason included_too_deep() const {
        if (spec_.hops != 1) return std::nullopt;
        for (const auto& [u, v] : spec_.included_edges) {
            if (u == *spec_.root || v == *spec_.root) continue;
            return fmt::format("edge {}-{} must be in the tree, but all edges are at root {} with 1 hop", label(u),
                               label(v), label(*spec_.root));
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason too_far() const {
        constexpr Vertex most_for_all_pairs = 3000;
        if (!spec_.length) return std::nullopt;
        const bool quick = straight_lines_are_shortest(instance_.weights) ||
                           instance_.weights.form() == Weights::Form::sparse || size() <= most_for_all_pairs;
        if (!quick) return std::nullopt;
        const std::vector<double> length = shortest_ways(instance_.weights, *spec_.root).length;
        const Vertex v = farthest(length);
        if (v == no_vertex || length[index(v)] <= *spec_.length * (1 + sum_tolerance)) return std::nullopt;
        return fmt::format("vertex {} is {:g} from root {} on the shortest way, the limit is {:g}", label(v),
                           length[index(v)], label(*spec_.root), *spec_.length);
    }

    [[nodiscard]] Reason too_wide() const {
        if (!spec_.diameter) return std::nullopt;
        const auto first = std::find(required_.begin(), required_.end(), true);
        if (first == required_.end()) return std::nullopt;
        if (*spec_.diameter == 1 && std::count(required_.begin(), required_.end(), true) > 2) {
            return std::string("a tree of diameter 1 has two vertices, more must be in");
        }
        if (instance_.weights.is_complete()) return std::nullopt;
        const auto source = static_cast<Vertex>(first - required_.begin());
        const std::vector<int> hops = fewest_hops(instance_.weights, source);
        for (Vertex v = 0; v < size(); ++v) {
            if (!required_[index(v)] || hops[index(v)] <= *spec_.diameter) continue;
            return fmt::format("vertices {} and {} are {} hops apart on any path, the diameter is limited to {}",
                               label(source), label(v), hops[index(v)], *spec_.diameter);
        }
        return std::nullopt;
    }

    [[nodiscard]] Reason too_much_load() const {
        if (!spec_.has(Limit::capacity) || spec_.degrees.empty()) return std::nullopt;
        double demand = 0;
        for (Vertex v = 0; v < size(); ++v) {
            if (required_[index(v)] && v != *spec_.root) demand += spec_.demand(v);
        }
        const int branches = spec_.degrees[index(*spec_.root)];
        const double most = spec_.branch_capacity();
        if (demand <= branches * most * (1 + sum_tolerance)) return std::nullopt;
        return fmt::format("the demands add up to {:g}, but {} branches at root {} carry {:g} each", demand, branches,
                           label(*spec_.root), most);
    }

    /// Where the graph hangs together in one vertex, the tree does too.
    [[nodiscard]] Reason too_narrow() const {
        if (spec_.degrees.empty() || instance_.weights.is_complete()) return std::nullopt;
        const std::vector<int> parts = parts_without(instance_.weights, required_);
        for (Vertex v = 0; v < size(); ++v) {
            const int needed = parts[index(v)];
            if (needed < 2 || needed <= spec_.degrees[index(v)]) continue;
            return fmt::format(
                "without vertex {} what must be in the tree falls into {} parts, so it needs {} edges there, and its "
                "degree limit is {}",
                label(v), needed, needed, spec_.degrees[index(v)]);
        }
        return std::nullopt;
    }

    /// What the root's edges into one part of the graph carry; the parts meet in the root only.
    [[nodiscard]] Reason too_few_root_edges() const {
        if (!spec_.has(Limit::capacity) || instance_.weights.is_complete()) return std::nullopt;
        const Vertex root = *spec_.root;
        DisjointSets parts(size());
        std::vector<int> branches(index(size()), 0);
        std::vector<double> demand(index(size()), 0);
        for (const auto& [u, v, weight] : instance_.weights.edges()) {
            if (u != root && v != root) parts.join(u, v);
        }
        instance_.weights.for_each_neighbour(root, [&](Vertex v, double) { ++branches[index(parts.find(v))]; });
        for (Vertex v = 0; v < size(); ++v) {
            if (required_[index(v)] && v != root) demand[index(parts.find(v))] += spec_.demand(v);
        }
        const double most = spec_.branch_capacity();
        for (Vertex v = 0; v < size(); ++v) {
            const double needed = demand[index(parts.find(v))];
            const int edges = branches[index(parts.find(v))];
            if (v == root || needed <= edges * most * (1 + sum_tolerance)) continue;
            return fmt::format(
                "the demands around vertex {} add up to {:g}, but the edges of root {} that lead there "
                "carry {:g} together",
                label(v), needed, label(root), edges * most);
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] Vertex size() const { return instance_.size(); }

    /// On a map a number says little: where it is says more.
    [[nodiscard]] std::string label(Vertex v) const {
        std::string label = instance_.label(v);
        if (!instance_.map || instance_.layout.empty() || label != std::to_string(v)) return label;
        const Point at = instance_.layout[index(v)];
        return fmt::format("{} at [{:.7g}, {:.7g}]", label, at.x, at.y);
    }

    /// The required vertex with the largest value, the first of several: a limit that it keeps, all keep.
    template <class Value>
    [[nodiscard]] Vertex farthest(const std::vector<Value>& values) const {
        Vertex result = no_vertex;
        for (Vertex v = 0; v < size(); ++v) {
            if (!required_[index(v)]) continue;
            if (result == no_vertex || values[index(v)] > values[index(result)]) result = v;
        }
        return result;
    }

    const TreeSpec& spec_;
    const Instance& instance_;
    std::vector<bool> required_;  // (n)
};

}  // namespace

std::optional<std::string> infeasibility(const TreeSpec& spec, const Instance& instance) {
    if (!spec.other_roots.empty()) {
        const RootContraction contracted(spec, instance);
        if (!contracted.has_all_edges()) return std::nullopt;  // other edges may make a tree of it
        return infeasibility(contracted.spec(), contracted.instance());
    }
    const InfeasibilityCertificates certificates(spec, instance);
    for (const auto question :
         {&InfeasibilityCertificates::too_few_places, &InfeasibilityCertificates::disconnected,
          &InfeasibilityCertificates::too_flat, &InfeasibilityCertificates::too_many_hops,
          &InfeasibilityCertificates::included_too_deep, &InfeasibilityCertificates::too_far,
          &InfeasibilityCertificates::too_wide, &InfeasibilityCertificates::too_much_load,
          &InfeasibilityCertificates::too_narrow, &InfeasibilityCertificates::too_few_root_edges}) {
        if (auto reason = (certificates.*question)()) return reason;
    }
    return std::nullopt;
}

}  // namespace neuroprim
