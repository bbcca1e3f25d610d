#pragma once

#include <optional>
#include <vector>

#include "neuroprim/random.hpp"
#include "steiner/edge_tree.hpp"

namespace neuroprim::steiner {

/// A few good trees of one graph that differ, the best first.
class Pool {
public:
    void add(const EdgeTree& tree);
    [[nodiscard]] std::size_t size() const { return trees_.size(); }
    [[nodiscard]] const EdgeTree& best() const { return trees_.front(); }

    /// A tree grown by shortest paths that likes the edges of two of the trees, those of both most.
    /// Its cost is by the weights it grew with. Needs two trees.
    [[nodiscard]] std::optional<EdgeTree> combined(const FlatGraph& graph, Random& random) const;

private:
    static constexpr std::size_t capacity = 16;
    std::vector<EdgeTree> trees_;
};

}  // namespace neuroprim::steiner
