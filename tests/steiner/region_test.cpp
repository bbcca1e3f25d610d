#include "steiner/region.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "neuroprim/generate.hpp"
#include "steiner/search_graph.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim::steiner {
namespace {

TEST(Region, OfAllVerticesGivesTheOptimum) {
    for (std::uint64_t number = 0; number < 200; ++number) {
        const Instance instance = testing::small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const auto search = search_graph(*problem, StopToken());
        const FlatGraph flat(search->graph);
        auto tree =
            shortest_path_tree(flat, flat.terminals().front(), std::vector<double>(flat.weights().size(), 1.0));
        ASSERT_TRUE(tree.has_value());
        tree->cost = cost_of(*tree, flat.weights());
        const double before = tree->cost;
        const double optimum = testing::steiner_optimum(*problem);
        const bool gained = improve_region(flat, *tree, {0, 100, 1000}, search->whole_weights, StopToken());
        EXPECT_EQ(gained, before > optimum * (1 + 1e-9)) << "instance " << number;
        EXPECT_NEAR(tree->cost, optimum, 1e-9 * (1 + optimum)) << "instance " << number;
    }
}

TEST(Region, LeavesTheRestOfTheTreeAlone) {
    GenerateOptions options;
    options.shape = GenerateOptions::Shape::sparse;
    options.n = 300;
    options.terminals = 60;
    options.seed = 4;
    const Instance instance = generate(options);
    const auto problem = make_problem("stp", instance);
    const FlatGraph flat(search_graph(*problem, StopToken())->graph);
    auto tree = *shortest_path_tree(flat, flat.terminals().front(), std::vector<double>(flat.weights().size(), 1.0));
    tree.cost = cost_of(tree, flat.weights());
    int gains = 0;
    for (Vertex centre = 0; centre < flat.size(); centre += 7) {
        const EdgeTree before = tree;
        if (!improve_region(flat, tree, {centre, 30, 20}, false, StopToken())) {
            EXPECT_EQ(tree.edges, before.edges);
            continue;
        }
        ++gains;
        EXPECT_LT(tree.cost, before.cost);
        EXPECT_NEAR(tree.cost, cost_of(tree, flat.weights()), 1e-9);
        EXPECT_EQ(tree_among(flat, tree.edges, flat.weights())->edges, tree.edges);
        std::vector<int> lost;
        std::set_difference(before.edges.begin(), before.edges.end(), tree.edges.begin(), tree.edges.end(),
                            std::back_inserter(lost));
        EXPECT_LT(lost.size(), 30U);
    }
    EXPECT_GT(gains, 5);
}

}  // namespace
}  // namespace neuroprim::steiner
