#pragma once

#include <algorithm>
#include <vector>

#include "neuroprim/random.hpp"
#include "search/levels/level_link.hpp"
#include "search/levels/level_tree.hpp"
#include "search/levels/sorted_graph.hpp"

namespace neuroprim::levels {

/// Answers two questions about a tree of levels: which vertex of a lower level is nearest, and who would rather hang
/// from v? This one looks at the edges of v, lightest first, till it knows.
class ListLevelReach {
public:
    using Graph = SortedGraph;

    /// What it is given must outlive it.
    ListLevelReach(const SortedGraph& graph, const LevelTree& tree, int hops)
        : graph_(&graph), tree_(&tree), longest_(static_cast<std::size_t>(hops) + 1, 0) {}

    /// The nearest vertex of a level below this one, without `excluded`.
    [[nodiscard]] LevelLink nearest(Vertex v, int below, Vertex excluded) const {
        for (const LevelLink& link : graph_->links(v)) {
            if (tree_->level(link.to) < below && link.to != excluded) return link;
        }
        return {};
    }

    /// Calls `visit(x, weight)` for the vertices of levels `low` to `high` whose edge above is heavier than that to
    /// v.
    template <class Visit>
    void for_each_taker(Vertex v, int low, int high, Visit&& visit) const {
        const double reach = *std::max_element(longest_.begin() + low, longest_.begin() + high + 1);
        for (const LevelLink& link : graph_->links(v)) {
            if (link.weight >= reach) break;
            const int level = tree_->level(link.to);
            if (level >= low && level <= high && link.weight < tree_->weight(link.to)) visit(link.to, link.weight);
        }
    }

    [[nodiscard]] double weight(Vertex u, Vertex v) const { return graph_->weights()(u, v); }

    /// Some vertex near `v`, or itself.
    [[nodiscard]] Vertex any_near(Vertex v, Random& random) const {
        constexpr std::size_t most = 10;
        const auto links = graph_->links(v);
        return links[random.below(std::min(most, links.size()))].to;
    }

    /// To be told when all levels may be new.
    void levels_changed() {}

    /// To be told when the level of a vertex has changed, and when it hangs elsewhere.
    void level_changed(Vertex) {}
    void link_changed(Vertex v) {
        double& longest = longest_[static_cast<std::size_t>(tree_->level(v))];
        longest = std::max(longest, tree_->weight(v));
    }

    /// Forgets edges that are no more: bounds only grow in between. O(n).
    void tighten() {
        std::fill(longest_.begin(), longest_.end(), 0);
        for (Vertex v = 0; v < tree_->size(); ++v) link_changed(v);
    }

private:
    const SortedGraph* graph_;
    const LevelTree* tree_;
    std::vector<double> longest_;  // (hops + 1) no edge above a vertex of the level is heavier
};

}  // namespace neuroprim::levels
