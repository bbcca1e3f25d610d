#include "problems/strong_pruning.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

struct PruningCase {
    Instance instance;
    Tree tree;
    std::vector<bool> kept;
    std::vector<double> prizes;
};

PruningCase random_pruning_case(Random& random, bool keeps_some) {
    const auto n = static_cast<Vertex>(1 + random.below(9));
    PruningCase result{generate({.n = n, .seed = random.next()}), {0, {}}, std::vector<bool>(index(n)), {}};
    for (Vertex v = 1; v < n; ++v) {
        result.tree.edges.push_back({static_cast<Vertex>(random.below(static_cast<std::uint64_t>(v))), v});
    }
    for (Vertex v = 0; v < n; ++v) {
        result.kept[index(v)] = keeps_some && random.below(4) == 0;
        result.prizes.push_back(random.below(3) == 0 ? 0 : random.uniform());
    }
    return result;
}

/// Weights of the part's edges and prizes of the vertices that it leaves out.
double part_cost(const PruningCase& c, const std::vector<bool>& inside) {
    double cost = 0;
    for (const auto& [u, v] : c.tree.edges) {
        if (inside[index(u)] && inside[index(v)]) cost += c.instance.weights(u, v);
    }
    for (std::size_t v = 0; v < inside.size(); ++v) cost += inside[v] ? 0 : c.prizes[v];
    return cost;
}

bool is_one_part(const Tree& tree, const std::vector<bool>& inside) {
    std::size_t vertices = 0;
    std::size_t edges = 0;
    for (const bool in : inside) vertices += in ? 1 : 0;
    for (const auto& [u, v] : tree.edges) edges += inside[index(u)] && inside[index(v)] ? 1 : 0;
    return vertices > 0 && edges + 1 == vertices;
}

double least_part_cost(const PruningCase& c) {
    const std::size_t n = c.prizes.size();
    double least = Weights::infinity;
    for (std::size_t subset = 1; subset < (std::size_t{1} << n); ++subset) {
        std::vector<bool> inside(n);
        bool keeps = true;
        for (std::size_t v = 0; v < n; ++v) {
            inside[v] = (subset >> v & 1) != 0;
            keeps = keeps && (inside[v] || !c.kept[v]);
        }
        if (keeps && is_one_part(c.tree, inside)) least = std::min(least, part_cost(c, inside));
    }
    return least;
}

TEST(StrongPruning, LeavesTheBestPartThatHoldsWhatIsKept) {
    Random random(3);
    for (int trial = 0; trial < 400; ++trial) {
        const PruningCase c = random_pruning_case(random, trial % 2 == 0);
        const Tree pruned = strongly_pruned(c.tree, c.instance.weights, c.kept, c.prizes);
        std::vector<bool> inside(c.prizes.size(), false);
        inside[index(pruned.start)] = true;
        for (const auto& [u, v] : pruned.edges) inside[index(u)] = inside[index(v)] = true;
        for (std::size_t v = 0; v < inside.size(); ++v) EXPECT_TRUE(inside[v] || !c.kept[v]);
        ASSERT_TRUE(is_one_part(c.tree, inside));
        EXPECT_NEAR(part_cost(c, inside), least_part_cost(c), 1e-12);
    }
}

}  // namespace
}  // namespace neuroprim
