#include <algorithm>

#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

namespace {

/// Σ over edges of weight × price(what is summed behind the edge, seen from its root).
template <class Amount, class Price>
double priced_by_load(const Tree& tree, const Weights& weights, std::span<const Vertex> roots, Amount&& amount,
                      Price&& price) {
    const RootedTree rooted = hang(tree, roots, weights.size());
    std::vector<double> load(index(weights.size()), 0);
    double sum = 0;
    for (auto v = rooted.order.rbegin(); v != rooted.order.rend(); ++v) {
        const Vertex u = rooted.parent[index(*v)];
        if (u == no_vertex) continue;
        load[index(*v)] += amount(*v);
        load[index(u)] += load[index(*v)];
        sum += weights(u, *v) * price(load[index(*v)]);
    }
    return sum;
}

double lost_prizes(const TreeSpec& spec, const Tree& tree) {
    if (spec.prizes.empty()) return 0;
    std::vector<bool> inside(spec.prizes.size(), false);
    inside[index(tree.start)] = true;
    for (const Vertex root : spec.other_roots) inside[index(root)] = true;
    for (const auto& [u, v] : tree.edges) inside[index(u)] = inside[index(v)] = true;
    double sum = 0;
    for (std::size_t v = 0; v < inside.size(); ++v) {
        if (!inside[v]) sum += spec.prizes[v];
    }
    return sum;
}

double edge_cost(const TreeSpec& spec, const Instance& instance, const Tree& tree) {
    switch (spec.objective) {
        case Objective::length:
            return total_weight(tree, instance.weights);
        case Objective::communication:
            return communication_cost(tree, instance.weights, instance.requirements);
        case Objective::routing_cost: {
            if (spec.masses.empty()) return routing_cost(tree, instance.weights);
            double total = 0;
            for (const double mass : spec.masses) total += mass;
            return priced_by_load(
                tree, instance.weights, std::span(&tree.start, 1), [&](Vertex v) { return spec.mass(v); },
                [&](double behind) { return behind * (total - behind); });
        }
        case Objective::cables:
            return priced_by_load(
                tree, instance.weights, spec.root ? spec.roots() : std::vector{tree.start},
                [&](Vertex v) { return spec.demand(v); }, [&](double load) { return spec.cable_price(load); });
    }
    return 0;
}

}  // namespace

double cost(const TreeSpec& spec, const Instance& instance, const Tree& tree) {
    return edge_cost(spec, instance, tree) + lost_prizes(spec, tree);
}

}  // namespace neuroprim
