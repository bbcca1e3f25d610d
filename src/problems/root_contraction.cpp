#include "problems/root_contraction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/neighbours.hpp"
#include "graph/without_edges.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

namespace {

/// The elements of a list with one for each vertex, of those that are left; an empty list stays empty.
template <class Value>
std::vector<Value> of_those_left(const std::vector<Value>& values, const std::vector<Vertex>& original) {
    std::vector<Value> result;
    if (values.empty()) return result;
    result.reserve(original.size());
    for (const Vertex v : original) result.push_back(values[index(v)]);
    return result;
}

std::string joined_names(const Instance& instance, const std::vector<Vertex>& roots) {
    std::vector<std::string> names;
    names.reserve(roots.size());
    for (const Vertex root : roots) names.push_back(instance.label(root));
    return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace

RootContraction::RootContraction(const TreeSpec& spec, const Instance& instance)
    : number_(index(instance.size()), no_vertex) {
    const std::vector<Vertex> roots = spec.roots();
    for (Vertex v = 0; v < instance.size(); ++v) {
        if (std::binary_search(spec.other_roots.begin(), spec.other_roots.end(), v)) continue;
        number_[index(v)] = static_cast<Vertex>(original_.size());
        original_.push_back(v);
    }
    for (const Vertex root : spec.other_roots) number_[index(root)] = number_[index(*spec.root)];

    instance_.name = instance.name;
    for (const Vertex v : original_) {
        instance_.names.push_back(v == *spec.root ? joined_names(instance, roots) : instance.label(v));
    }
    const auto positions = instance.positions();
    instance_.layout = of_those_left(std::vector<Point>(positions.begin(), positions.end()), original_);
    spec_ = spec;
    contract_weights(spec, spec.excluded_edges.empty() ? instance : without_edges(instance, spec.excluded_edges));
    contract_specification(spec);
    if (!instance_.layout.empty()) {
        instance_.root = spec_.root;
        for (std::size_t v = 0; v < joined_.size(); ++v) {
            const Vertex end = joined_[v] == no_vertex ? *spec.root : joined_[v];
            instance_.root_ends.push_back(positions[index(end)]);
        }
    }
}

void RootContraction::contract_weights(const TreeSpec& spec, const Instance& given) {
    const std::size_t n = original_.size();
    const Vertex root = contracted(*spec.root);
    joined_.assign(n, no_vertex);
    std::vector<double> lightest(n, Weights::infinity);
    for (const Vertex from : spec.roots()) {
        given.weights.for_each_neighbour(from, [&](Vertex v, double weight) {
            const Vertex to = contracted(v);
            if (to == root || weight >= lightest[index(to)]) return;
            lightest[index(to)] = weight;
            joined_[index(to)] = from;
        });
    }
    // An edge that must be in the forest is the one that the tree has, be it the lightest or not.
    for (const auto& [u, v] : spec.included_edges) {
        const Vertex from = contracted(u) == root ? u : v;
        const Vertex to = from == u ? v : u;
        if (contracted(from) != root || contracted(to) == root) continue;
        lightest[index(contracted(to))] = given.weights(from, to);
        joined_[index(contracted(to))] = from;
    }
    if (given.weights.form() == Weights::Form::sparse) {
        std::vector<WeightedEdge> edges;
        for (const auto& [u, v, weight] : given.weights.edges()) {
            if (contracted(u) != root && contracted(v) != root)
                edges.push_back({contracted(u), contracted(v), weight});
        }
        for (std::size_t v = 0; v < n; ++v) {
            if (lightest[v] < Weights::infinity) edges.push_back({root, static_cast<Vertex>(v), lightest[v]});
        }
        instance_.weights = Weights::from_edges(static_cast<Vertex>(n), std::move(edges));
        return;
    }
    if (given.weights.form() == Weights::Form::points && n > most_for_a_matrix) {
        take_near_edges(spec, given.weights, lightest);
        return;
    }
    std::vector<double> lower(n * (n - 1) / 2);
    for (Vertex v = 1; v < static_cast<Vertex>(n); ++v) {
        for (Vertex u = 0; u < v; ++u) {
            lower[pair_index(u, v)] = u == root   ? lightest[index(v)]
                                      : v == root ? lightest[index(u)]
                                                  : given.weights(original_[index(u)], original_[index(v)]);
        }
    }
    instance_.weights = Weights::from_lower_triangle(static_cast<Vertex>(n), lower);
}

void RootContraction::take_near_edges(const TreeSpec& spec, const Weights& given,
                                      const std::vector<double>& lightest) {
    constexpr std::size_t near = 12;
    has_all_edges_ = false;
    const Vertex root = contracted(*spec.root);
    std::vector<WeightedEdge> edges;
    const auto take = [&](Vertex u, Vertex v) {
        if (contracted(u) != root && contracted(v) != root) {
            edges.push_back({contracted(u), contracted(v), given(u, v)});
        }
    };
    const Neighbours neighbours = nearest_neighbours(given, near);
    for (Vertex u = 0; u < given.size(); ++u) {
        for (const Vertex v : neighbours.of(u)) take(u, v);
    }
    for (const auto& [u, v] : minimum_spanning_tree(given).edges) take(u, v);
    for (const auto& [u, v] : spec.included_edges) take(u, v);
    for (std::size_t v = 0; v < lightest.size(); ++v) {
        if (lightest[v] < Weights::infinity) edges.push_back({root, static_cast<Vertex>(v), lightest[v]});
    }
    instance_.weights = Weights::from_edges(static_cast<Vertex>(original_.size()), std::move(edges));
}

void RootContraction::contract_specification(const TreeSpec& spec) {
    spec_.root = contracted(*spec.root);
    spec_.other_roots.clear();
    spec_.excluded_edges.clear();  // the graph does without them
    for (auto& [u, v] : spec_.included_edges) {
        u = contracted(u);
        v = contracted(v);
    }
    spec_.degrees = of_those_left(spec.degrees, original_);
    spec_.groups = of_those_left(spec.groups, original_);
    spec_.demands = of_those_left(spec.demands, original_);
    spec_.prizes = of_those_left(spec.prizes, original_);
    for (Vertex& terminal : spec_.terminals) terminal = contracted(terminal);
    std::sort(spec_.terminals.begin(), spec_.terminals.end());
    spec_.terminals.erase(std::unique(spec_.terminals.begin(), spec_.terminals.end()), spec_.terminals.end());
}

Tree RootContraction::contracted(const Tree& forest) const {
    Tree result{*spec_.root, {}};
    for (const auto& [u, v] : forest.edges) result.edges.push_back({contracted(u), contracted(v)});
    return grown_from(result, *spec_.root, instance_.size());
}

Edge RootContraction::edge_of(Vertex u, Vertex v) const {
    return {u == spec_.root ? joined_[index(v)] : original_[index(u)],
            v == spec_.root ? joined_[index(u)] : original_[index(v)]};
}

Tree RootContraction::forest(const Tree& tree) const {
    Tree result{original_[index(*spec_.root)], {}};
    result.edges.reserve(tree.edges.size());
    for (const auto& [u, v] : tree.edges) result.edges.push_back(edge_of(u, v));
    return result;
}

}  // namespace neuroprim
