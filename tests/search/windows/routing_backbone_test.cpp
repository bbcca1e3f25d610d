#include "search/windows/routing_backbone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/solve.hpp"
#include "search/windows/backbone_looks.hpp"
#include "search/windows/windowed_greedy.hpp"
#include "support/untrained_policy.hpp"

namespace neuroprim {
namespace {

const Policy& policy_of_backbones() {
    static const Policy policy = testing::untrained_policy();
    return policy;
}

SolveOptions greedy_looks(std::size_t looks, int threads) {
    SolveOptions options;
    options.method = "greedy";
    options.policy = std::make_shared<const Policy>(policy_of_backbones());
    options.starts = looks;
    options.threads = threads;
    return options;
}

TEST(SpreadSample, HoldsEveryVertexOnceWhereAllFit) {
    const Instance instance = generate({.n = 30, .seed = 1});
    const std::vector<Vertex> all = spread_sample(*make_problem("mrcst", instance), 40, 0.9);
    ASSERT_EQ(all.size(), 30U);
    for (Vertex v = 0; v < 30; ++v) EXPECT_EQ(all[index(v)], v);
}

TEST(SpreadSample, HoldsTheHubsOfATreeThatIsKnown) {
    const Instance instance = generate({.n = 60, .seed = 2});
    const auto problem = make_problem("mrcst", instance);
    Tree hubs{0, {}};  // 0 to 29 are a path, and 30 hang from its first vertices
    for (Vertex v = 1; v < 30; ++v) hubs.edges.push_back({v - 1, v});
    for (Vertex v = 30; v < 60; ++v) hubs.edges.push_back({v % 8, v});
    const std::vector<Vertex> sample = spread_sample(*problem, 16, 0.3, &hubs);
    EXPECT_EQ(sample.size(), 16U);
    EXPECT_EQ(std::adjacent_find(sample.begin(), sample.end(), std::greater_equal<>()), sample.end());
    for (Vertex v = 0; v < 8; ++v) EXPECT_TRUE(std::binary_search(sample.begin(), sample.end(), v)) << v;
    // Three quarters are for inner vertices, the rest is spread over all others.
    const auto others = std::count_if(sample.begin(), sample.end(), [](Vertex v) { return v >= 12; });
    EXPECT_EQ(others, 4);
}

TEST(TreeAroundBackbone, IsNoWorseThanWithEveryVertexAtItsNearestHub) {
    int better = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Vertex n = 150;
        const Instance instance = generate({.n = n, .seed = seed});
        const auto problem = make_problem("mrcst", instance);
        const auto tree =
            tree_around_backbone(policy_of_backbones(), *problem, spread_sample(*problem, 20, 0.5), 8, 2, {});
        ASSERT_TRUE(tree);
        ASSERT_EQ(problem->violation(*tree), std::nullopt);
        const std::vector<int> degree = degrees(*tree, n);
        Tree nearest = *tree;
        for (auto& [hub, v] : nearest.edges) {
            if (degree[index(v)] > 1) continue;
            for (Vertex u = 0; u < n; ++u) {
                if (degree[index(u)] > 1 && instance.weights(u, v) < instance.weights(hub, v)) hub = u;
            }
        }
        EXPECT_LE(problem->cost(*tree), problem->cost(nearest));
        if (problem->cost(*tree) < problem->cost(nearest)) ++better;
    }
    EXPECT_GE(better, 3);  // one hub alone leaves no choice
}

TEST(TreeAroundBackbone, IsTheBestOfTheViewsOfItsSample) {
    const Instance instance = generate({.n = 200, .seed = 3});
    const auto problem = make_problem("mrcst", instance);
    const std::vector<Vertex> sample = spread_sample(*problem, 40, 0.5);
    const auto one = tree_around_backbone(policy_of_backbones(), *problem, sample, 1, 1, {});
    const auto eight = tree_around_backbone(policy_of_backbones(), *problem, sample, 8, 1, {});
    ASSERT_TRUE(one && eight);
    EXPECT_LT(problem->cost(*eight), problem->cost(*one));
}

TEST(BackboneLooks, GrowTheGreedyTreeOfManyPointsWhateverTheThreads) {
    const Instance instance = generate({.n = 400, .seed = 4});
    const auto problem = make_problem("mrcst", instance);
    const Solution one = solve(*problem, greedy_looks(1, 1));
    const Solution six = solve(*problem, greedy_looks(6, 1));
    EXPECT_EQ(one.found_by, "backbone");
    EXPECT_LT(six.cost, one.cost);
    EXPECT_EQ(six.tree.edges, solve(*problem, greedy_looks(6, 2)).tree.edges);
}

TEST(BackboneLooks, SeeOneViewWhereOneIsAskedForAndEightUnlessTold) {
    const Instance instance = generate({.n = 400, .seed = 4});
    const auto problem = make_problem("mrcst", instance);
    const auto under = [&](int views) {
        SolveOptions options = greedy_looks(2, 1);
        options.augmentations = views;
        return solve(*problem, options).cost;
    };
    EXPECT_EQ(under(0), under(8));
    EXPECT_LT(under(0), under(1));
    EXPECT_THROW((void)under(-1), InputError);
}

TEST(BackboneLooks, DifferBySeedsHoweverFarThoseLieApart) {
    const Instance instance = generate({.n = 5000, .seed = 4});  // a sample has a 25th of them
    const auto problem = make_problem("mrcst", instance);
    const auto look = [&](std::uint64_t seed) {
        SolveOptions options = greedy_looks(1, 1);
        options.augmentations = 1;
        options.seed = seed;
        return BackboneLooks(policy_of_backbones(), *problem, options).next(nullptr, {})->edges;
    };
    EXPECT_TRUE(look(1) == look(1));
    EXPECT_FALSE(look(0) == look(64));
    EXPECT_FALSE(look(1) == look(65));
    EXPECT_FALSE(look(1) == look(1025));
}

TEST(BackboneLooks, GoOnFromTheHubsOfTheBestTree) {
    const Instance instance = generate({.n = 400, .seed = 5});
    const auto problem = make_problem("mrcst", instance);
    BackboneLooks fresh(policy_of_backbones(), *problem, greedy_looks(1, 1));
    BackboneLooks again(policy_of_backbones(), *problem, greedy_looks(1, 1));
    const Tree first = *fresh.next(nullptr, {});
    ASSERT_EQ(first.edges, again.next(nullptr, {})->edges);
    EXPECT_NE(fresh.next(nullptr, {})->edges, again.next(&first, {})->edges);
}

TEST(BackboneLooks, LeaveSmallGraphsAndStartsThatAreAskedForToOneLook) {
    const Instance instance = generate({.n = 200, .seed = 6});
    const auto problem = make_problem("mrcst", instance);
    SolveOptions options = greedy_looks(0, 1);
    EXPECT_TRUE(sees_backbones_only(*problem, options));
    options.start = 5;
    const Solution whole = solve(*problem, options);
    EXPECT_EQ(whole.tree.start, 5);
    EXPECT_TRUE(whole.statistics);
    options.method = "rebuild";
    options.max_iterations = 1;
    EXPECT_EQ(solve(*problem, options).tree.start, 5) << "also where a look at a sample was better";
    const Instance small = generate({.n = 150, .seed = 6});
    EXPECT_FALSE(sees_backbones_only(*make_problem("mrcst", small), greedy_looks(0, 1)));
    EXPECT_FALSE(sees_backbones_only(*make_problem("dcmst", instance, {.degree = 3}), greedy_looks(0, 1)));
}

TEST(BackboneLooks, SayThatTheyWereStopped) {
    const Instance instance = generate({.n = 300, .seed = 7});
    const auto problem = make_problem("mrcst", instance);
    SolveOptions options = greedy_looks(2, 1);
    options.interrupted = [] { return true; };
    EXPECT_THROW((void)solve(*problem, options), Interrupted);
    options.method = "rebuild";
    EXPECT_EQ(problem->violation(solve(*problem, options).tree), std::nullopt);
}

}  // namespace
}  // namespace neuroprim
