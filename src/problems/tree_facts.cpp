#include "neuroprim/tree_facts.hpp"

#include <algorithm>

namespace neuroprim {

namespace {

/// Loads are worth knowing even where nothing limits them.
std::vector<double> demands_for(const TreeSpec& spec, const Instance& instance) {
    if (!spec.has(Limit::capacity) && spec.demands.empty() && !instance.demands.empty()) return instance.demands;
    std::vector<double> demands(index(instance.size()));
    for (Vertex v = 0; v < instance.size(); ++v) demands[index(v)] = spec.demand(v);
    return demands;
}

}  // namespace

Vertex vantage_point(const Instance& instance, const Tree& tree) {
    if (!instance.root || !instance.other_roots.empty()) return tree.start;
    const Vertex root = *instance.root;
    const bool is_inside = std::any_of(tree.edges.begin(), tree.edges.end(),
                                       [&](const Edge& edge) { return edge.u == root || edge.v == root; });
    return is_inside ? root : tree.start;
}

TreeFacts facts_of(const TreeSpec& spec, const Instance& instance, const Tree& tree) {
    const auto n = index(instance.size());
    TreeFacts facts;
    facts.roots = spec.roots();
    if (facts.roots.empty()) facts.roots.push_back(vantage_point(instance, tree));
    RootedTree rooted = hang(tree, facts.roots, instance.size());
    facts.distance.assign(n, 0);
    facts.demand = demands_for(spec, instance);
    facts.load.assign(n, 0);
    facts.cable.assign(n, -1);
    for (const Vertex v : rooted.order) {
        const Vertex u = rooted.parent[index(v)];
        if (u != no_vertex) facts.distance[index(v)] = facts.distance[index(u)] + instance.weights(u, v);
    }
    for (auto v = rooted.order.rbegin(); v != rooted.order.rend(); ++v) {
        const Vertex u = rooted.parent[index(*v)];
        if (u == no_vertex) continue;
        double& load = facts.load[index(*v)];
        load += facts.demand[index(*v)];
        facts.load[index(u)] += load;
        if (spec.cables.empty()) continue;
        const double price = spec.cable_price(load);
        const auto cable = std::find_if(spec.cables.begin(), spec.cables.end(),
                                        [&](const Cable& each) { return each.price == price; });
        if (cable != spec.cables.end()) facts.cable[index(*v)] = static_cast<int>(cable - spec.cables.begin());
    }
    facts.parent = std::move(rooted.parent);
    facts.depth = std::move(rooted.depth);
    return facts;
}

}  // namespace neuroprim
