#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Prizes without limits, and no more vertices than a policy judges well at once?
[[nodiscard]] bool has_prize_looks(const Problem& problem);

/// Improves a tree that collects prizes by a policy.
///
/// The policy's tree reaches for every prize that there is, and pruning leaves some of them out again: ways to those
/// that stay were chosen with the others in sight. More starts and samples give the same tree. So in every look some
/// prizes are hidden: half of those that the tree leaves out, and two that it has. What grows is pruned by all
/// prizes. Most looks see the tree and the vertices near it only, which is quicker.
class PrizeLooks {
public:
    /// The tree must be feasible. `policy` and `problem` must outlive it. Throws Interrupted.
    PrizeLooks(const Policy& policy, const Problem& problem, Tree tree, std::uint64_t seed, int threads,
               const StopToken& stop);

    /// Looks eight times, each time under another symmetry of the square, and says by how much the tree became
    /// cheaper. What is done when the stop token expires stays. The answer does not depend on the threads.
    double pass(const StopToken& stop);

    [[nodiscard]] const Tree& tree() const { return tree_; }

private:
    [[nodiscard]] std::vector<double> visible_prizes(const RootedTree& tree, Random& random) const;
    /// The tree's and those near it, increasing.
    [[nodiscard]] std::vector<Vertex> vertices_around(const RootedTree& tree) const;
    /// The best tree of a look at these vertices; nothing without a better one than so far.
    [[nodiscard]] std::optional<Tree> look(const std::vector<Vertex>& vertices, const std::vector<double>& prizes,
                                           Random random, int symmetry, const StopToken& stop) const;

    const Policy* policy_;
    const Problem* problem_;
    Tree tree_;
    double cost_;
    Neighbours near_;
    std::vector<Point> points_;  // (n) where the policy sees the vertices
    std::vector<Vertex> all_;
    std::uint64_t seed_;
    int threads_;
    std::uint64_t passes_ = 0;
};

}  // namespace neuroprim
