#include "steiner/pool.hpp"

#include <algorithm>

namespace neuroprim::steiner {

void Pool::add(const EdgeTree& tree) {
    const auto place = std::upper_bound(trees_.begin(), trees_.end(), tree,
                                        [](const EdgeTree& a, const EdgeTree& b) { return a.cost < b.cost; });
    if (place == trees_.end() && trees_.size() == capacity) return;
    for (const EdgeTree& known : trees_) {
        if (known.edges == tree.edges) return;
    }
    trees_.insert(place, tree);
    if (trees_.size() > capacity) trees_.pop_back();
}

std::optional<EdgeTree> Pool::combined(const FlatGraph& graph, Random& random) const {
    const std::size_t first = random.below(trees_.size());
    std::size_t second = random.below(trees_.size() - 1);
    if (second >= first) ++second;
    std::vector<char> uses(static_cast<std::size_t>(graph.edge_count()), 0);
    for (const int e : trees_[first].edges) ++uses[static_cast<std::size_t>(e)];
    for (const int e : trees_[second].edges) ++uses[static_cast<std::size_t>(e)];
    std::vector<double> weights(graph.weights());
    for (int e = 0; e < graph.edge_count(); ++e) {
        const auto at = static_cast<std::size_t>(e);
        if (uses[at] == 1) weights[at] = graph.scaled(e, 2 + 4 * random.uniform());
        if (uses[at] == 0) weights[at] = graph.scaled(e, 10 + 10 * random.uniform());
    }
    const auto terminals = graph.terminals();
    return shortest_path_tree(graph, terminals[random.below(terminals.size())], weights);
}

}  // namespace neuroprim::steiner
