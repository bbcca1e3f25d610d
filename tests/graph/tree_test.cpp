#include "neuroprim/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using testing::of_edges;

Tree random_tree(Vertex n, std::uint64_t seed) {
    Random random(seed);
    Tree tree{0, {}};
    for (Vertex v = 1; v < n; ++v) {
        tree.edges.push_back({static_cast<Vertex>(random.below(static_cast<std::uint64_t>(v))), v});
    }
    return tree;
}

/// Σ over pairs, by walking from every vertex: the definition, not the shortcut.
double routing_cost_by_definition(const Tree& tree, const Weights& weights) {
    double sum = 0;
    for (Vertex source = 0; source < weights.size(); ++source) {
        const RootedTree rooted = hang(tree, source, weights.size());
        for (Vertex v = 0; v < source; ++v) {
            for (Vertex at = v; at != source; at = rooted.parent[static_cast<std::size_t>(at)]) {
                sum += weights(at, rooted.parent[static_cast<std::size_t>(at)]);
            }
        }
    }
    return sum;
}

TEST(RoutingCost, OfAStarIsNMinusOneTimesItsLength) {
    const Instance instance = testing::paper_example();
    const Tree star{0, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}};
    EXPECT_DOUBLE_EQ(routing_cost(star, instance.weights), 4 * total_weight(star, instance.weights));
}

TEST(RoutingCost, EqualsItsDefinitionOnRandomTrees) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto n = static_cast<Vertex>(1 + seed % 17);
        const Instance instance = generate({.n = n, .seed = seed});
        const Tree tree = random_tree(n, seed);
        const double expected = routing_cost_by_definition(tree, instance.weights);
        EXPECT_NEAR(routing_cost(tree, instance.weights), expected, 1e-9 * (1 + expected));
    }
}

TEST(CommunicationCost, WithOneForEveryPairIsTheRoutingCost) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.n = 12, .seed = seed});
        const Tree tree = random_tree(12, seed);
        const std::vector<double> ones(66, 1);
        EXPECT_NEAR(communication_cost(tree, instance.weights, ones), routing_cost(tree, instance.weights), 1e-9);
    }
}

TEST(CommunicationCost, CountsEachPairByItsRequirement) {
    const Instance instance = of_edges(3, {{0, 1, 2}, {1, 2, 5}});
    const Tree tree{0, {{0, 1}, {1, 2}}};
    EXPECT_DOUBLE_EQ(communication_cost(tree, instance.weights, std::vector<double>{10, 100, 1000}),
                     10 * 2 + 100 * 7 + 1000 * 5);
}

TEST(StructuralViolation, NamesTheFirstReason) {
    const Weights weights = of_edges(5, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {3, 4, 1}}).weights;
    EXPECT_EQ(structural_violation({0, {{0, 1}, {1, 2}}}, weights), std::nullopt);
    EXPECT_EQ(structural_violation({0, {{0, 1}, {1, 2}, {0, 2}}}, weights), "cycle at edge 0-2");
    EXPECT_EQ(structural_violation({0, {{0, 3}}}, weights), "edge 0-3 is not in the graph");
    EXPECT_EQ(structural_violation({0, {{0, 1}, {3, 4}}}, weights),
              "not connected: vertices 0 and 3 lie in different parts");
    EXPECT_EQ(structural_violation({0, {{0, 7}}}, weights), "edge 0: vertex 7 is not among the 5 vertices");
    EXPECT_EQ(structural_violation({0, {{2, 2}}}, weights), "edge 0 joins vertex 2 to itself");
    EXPECT_EQ(structural_violation({-1, {}}, weights), "start vertex -1 is not among the 5 vertices");
}

TEST(Pruned, CutsLeavesThatNobodyNeedsAgainAndAgain) {
    // 0-1-2-3 with 4 and 5 hanging from 2 in a row; only 0 and 2 are needed.
    const Tree tree{0, {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {4, 5}}};
    const Tree result = pruned(tree, {true, false, true, false, false, false});
    EXPECT_EQ(result.edges, (std::vector<Edge>{{0, 1}, {1, 2}}));
}

TEST(Pruned, MovesAStartThatIsCutOff) {
    const Tree tree{3, {{3, 2}, {2, 1}, {1, 0}}};
    const Tree result = pruned(tree, {true, false, true, false});
    EXPECT_EQ(result.start, 0);
    EXPECT_EQ(result.edges, (std::vector<Edge>{{0, 1}, {1, 2}}));
}

TEST(Pruned, ASingleRequiredVertexKeepsNoEdges) {
    const Tree result = pruned({0, {{0, 1}, {1, 2}}}, {false, true, false});
    EXPECT_TRUE(result.edges.empty());
    EXPECT_EQ(result.start, 1);
}

TEST(GrownFrom, EveryEdgeJoinsANewVertexToTheGrownPart) {
    const Tree tree{0, {{3, 4}, {1, 2}, {2, 3}, {0, 1}}};
    const Tree grown = grown_from(tree, 3, 5);
    std::vector<Vertex> inside = {3};
    for (const auto& [u, v] : grown.edges) {
        EXPECT_NE(std::find(inside.begin(), inside.end(), u), inside.end());
        EXPECT_EQ(std::find(inside.begin(), inside.end(), v), inside.end());
        inside.push_back(v);
    }
    EXPECT_EQ(inside.size(), 5U);
}

}  // namespace
}  // namespace neuroprim
