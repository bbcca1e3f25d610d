#include "search/windows/window_trees.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "support/untrained_policy.hpp"

namespace neuroprim {
namespace {

std::vector<Tree> trees_of(const Policy& policy, const Problem& problem, const WindowLook& look) {
    std::vector<Tree> trees;
    offer_window_trees(policy, problem, look, {}, [&](Tree tree) { trees.push_back(std::move(tree)); });
    return trees;
}

TEST(WindowStarts, AreSpreadOverThoseAllowedAndMoveTogether) {
    const Instance instance = generate({.n = 12, .seed = 1});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const auto vertices = [&](std::size_t most, std::size_t shift) {
        std::vector<Vertex> result;
        for (const Start& start : window_starts(*problem, most, shift)) result.push_back(start.vertex);
        return result;
    };
    EXPECT_EQ(vertices(3, 0), (std::vector<Vertex>{0, 4, 8}));
    EXPECT_EQ(vertices(3, 5), (std::vector<Vertex>{5, 9, 1}));
    EXPECT_EQ(vertices(99, 0).size(), 12U);
}

TEST(WindowTrees, AreThoseOfThePolicyUnderEachView) {
    const Instance instance = generate({.n = 20, .seed = 2});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const Policy policy = testing::untrained_policy(7);
    WindowLook look;
    look.starts = window_starts(*problem, 2);
    look.first_view = 6;
    look.views = 10;
    const std::vector<Tree> trees = trees_of(policy, *problem, look);
    ASSERT_EQ(trees.size(), 20U);
    for (int view = 0; view < look.views; ++view) {
        EncodeOptions seen;
        seen.symmetry = (6 + view) % 8;
        seen.turn = view < 8 ? 0 : 3;
        const auto rollouts = decode(Encoded(policy, *problem, seen), *problem, look.starts, {});
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_EQ(trees[2 * static_cast<std::size_t>(view) + k].edges, rollouts[k].tree.edges) << view;
        }
    }
}

TEST(WindowTrees, AreSampledAnewInEveryStream) {
    const Instance instance = generate({.n = 20, .seed = 3});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const Policy policy = testing::untrained_policy(7);
    WindowLook look;
    look.starts = window_starts(*problem, 1);
    look.samples = 5;
    const std::vector<Tree> first = trees_of(policy, *problem, look);
    ASSERT_EQ(first.size(), 6U);
    EXPECT_EQ(first.back().edges, trees_of(policy, *problem, look).back().edges);
    look.stream = 1;
    const std::vector<Tree> second = trees_of(policy, *problem, look);
    EXPECT_EQ(first.front().edges, second.front().edges) << "greedy trees have no chance in them";
    EXPECT_NE(first.back().edges, second.back().edges);
}

TEST(WindowTrees, StopWhenAsked) {
    const Instance instance = generate({.n = 20, .seed = 4});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    WindowLook look;
    look.starts = window_starts(*problem, 1);
    const StopToken stopped(std::nullopt, [] { return true; });
    EXPECT_THROW(offer_window_trees(testing::untrained_policy(7), *problem, look, stopped, [](Tree) {}), Interrupted);
}

}  // namespace
}  // namespace neuroprim
