#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim::rooted {

/// Makes branches of the root as short as they can be. Where only the load of a branch is limited, every tree within
/// it does, so the shortest one that spans it and the root is best.
class BranchSpanning {
public:
    /// Does no limit and no price look into a branch?
    [[nodiscard]] static bool suits(const Problem& problem);

    /// What it is given must outlive it.
    BranchSpanning(const Problem& problem, ResourceTree& tree);

    /// The branches of these vertices are to be spanned. All must hang below the root.
    void add(std::span<const Vertex> vertices);

    /// Spans those that were added since the last time, unless they are large. O(size²) each.
    void span();

private:
    void span(Vertex top);

    const Problem* problem_;
    ResourceTree* tree_;
    std::vector<Vertex> branches_;
    std::vector<char> added_;       // (n)
    std::vector<Vertex> vertices_;  // of one branch
    std::vector<Vertex> nearest_;   // by place in `vertices_`
    std::vector<double> distance_;  // likewise
    std::vector<Edge> joined_;
};

}  // namespace neuroprim::rooted
