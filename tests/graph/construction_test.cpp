#include "neuroprim/construction.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

std::vector<Vertex> sorted(std::span<const Vertex> list) {
    std::vector<Vertex> result(list.begin(), list.end());
    std::sort(result.begin(), result.end());
    return result;
}

TEST(Construction, APathHasTwoOpenEnds) {
    const Instance instance = testing::paper_example();
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    Construction state(*problem, 1);
    EXPECT_EQ(sorted(state.open()), (std::vector<Vertex>{1}));
    state.add(1, 2);
    state.add(2, 3);
    EXPECT_EQ(sorted(state.open()), (std::vector<Vertex>{1, 3}));
    EXPECT_FALSE(state.is_open(2));
    EXPECT_EQ(sorted(state.outside()), (std::vector<Vertex>{0, 4}));
    EXPECT_TRUE(state.allows(1, 0));
    EXPECT_FALSE(state.allows(2, 0));
    EXPECT_EQ(state.depth(3), 2);
    EXPECT_EQ(state.parent(3), 2);
}

TEST(Construction, OfPrizesMayStopAnywhereAndMustStopWhenAllAreIn) {
    Instance instance = testing::paper_example();
    instance.prizes = {0, 3, 0, 2, 0};
    const auto problem = make_problem("pcst", instance);
    Construction state(*problem, 1);
    EXPECT_TRUE(state.may_stop());
    EXPECT_FALSE(state.must_stop());
    EXPECT_TRUE(state.is_feasible());
    state.add(1, 3);
    EXPECT_TRUE(state.may_stop() && state.must_stop() && state.is_feasible());
}

TEST(Construction, ThatMustHoldAllMayStopNoEarlierThanItMust) {
    const Instance instance = testing::paper_example();
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 2});
    Construction state(*problem, 0);
    for (const auto& [u, v] : std::vector<Edge>{{0, 1}, {1, 2}, {1, 3}, {0, 4}}) {
        EXPECT_FALSE(state.may_stop() || state.must_stop() || state.is_feasible());
        state.add(u, v);
    }
    EXPECT_TRUE(state.may_stop() && state.must_stop() && state.is_feasible());
    // Whoever checks nothing may grow what is not feasible.
    Construction deep(*problem, 0);
    for (const auto& [u, v] : std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 4}}) deep.add(u, v);
    EXPECT_TRUE(deep.may_stop());
    EXPECT_FALSE(deep.is_feasible());
}

TEST(Construction, ListsAreWhatTheRulesSayAfterEveryStep) {
    Random random(3);
    for (const char* name : {"mst", "dcmst", "hmst", "stp"}) {
        const Instance instance = generate({.n = 25, .terminals = 9, .seed = 1});
        const auto problem = testing::classic_problem(name, instance, {.degree = 3, .root = 0, .hops = 4});
        Construction state(*problem, problem->starts().front());
        while (!state.may_stop()) {
            std::vector<Vertex> open, outside;
            Vertex required_outside = 0;
            for (Vertex v = 0; v < instance.size(); ++v) {
                if (!state.contains(v)) {
                    outside.push_back(v);
                    if (problem->required(v)) ++required_outside;
                } else if (problem->has_residual_capacity(state, v)) {
                    open.push_back(v);
                }
            }
            ASSERT_EQ(sorted(state.open()), open);
            ASSERT_EQ(sorted(state.outside()), outside);
            ASSERT_EQ(state.required_outside(), required_outside);
            state.add(state.open()[random.below(state.open().size())],
                      state.outside()[random.below(state.outside().size())]);
        }
    }
}

TEST(Construction, OnlyEdgesOfTheGraphAreAllowed) {
    const Instance instance = testing::of_edges(3, {{0, 1, 1}, {1, 2, 1}});
    const auto problem = make_problem("mst", instance);
    const Construction state(*problem, 0);
    EXPECT_TRUE(state.allows(0, 1));
    EXPECT_FALSE(state.allows(0, 2));
    EXPECT_FALSE(state.allows(1, 2));
}

}  // namespace
}  // namespace neuroprim
