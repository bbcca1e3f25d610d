#include <gtest/gtest.h>

#include <limits>

#include "bounds/group_bound.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/solve.hpp"
#include "search/group_search.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Vertices in three groups; some are in none where `with_free` says so.
Instance grouped(std::uint64_t seed, Vertex n, int groups, bool with_free) {
    GenerateOptions options;
    const bool is_sparse = seed % 2 == 0;
    options.shape = is_sparse ? GenerateOptions::Shape::sparse : GenerateOptions::Shape::uniform;
    options.n = n;
    options.average_degree = 4;
    options.seed = seed;
    options.scale = is_sparse ? 5 : 1;
    options.integers = is_sparse;
    Instance instance = generate(options);
    for (Vertex v = 0; v < n; ++v) {
        const bool is_free = with_free && v % 5 == 4;
        instance.groups.push_back(is_free ? -1 : static_cast<int>(v) % groups);
    }
    return instance;
}

TEST(GroupBound, MeetsTheOptimumAndNeverPassesIt) {
    int solved = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        const Instance instance = grouped(seed, 7, 3, seed % 3 == 0);
        const auto problem = make_problem("gmst", instance);
        const auto optimum = testing::optimum(*problem);
        if (!optimum) continue;
        ++solved;
        ASSERT_TRUE(group_bound_suits(*problem));
        const auto bound = make_bound_process(*problem);
        ASSERT_NE(bound, nullptr);
        const double slack = 1e-9 * (1 + *optimum);
        const double known = seed % 4 == 0 ? *optimum : unknown;
        while (bound->advance(known, StopToken())) EXPECT_LE(bound->value(), *optimum + slack) << "seed " << seed;
        EXPECT_NEAR(bound->value(), *optimum, slack) << "seed " << seed;
        if (known == *optimum) continue;
        ASSERT_TRUE(bound->tree().has_value()) << "seed " << seed;
        EXPECT_EQ(problem->violation(*bound->tree()), std::nullopt) << "seed " << seed;
        EXPECT_NEAR(problem->cost(*bound->tree()), *optimum, slack) << "seed " << seed;
    }
    EXPECT_GT(solved, 50);
}

TEST(GroupBound, KnowsTheRoot) {
    for (std::uint64_t seed = 1; seed < 40; seed += 2) {
        const Instance instance = grouped(seed, 7, 3, false);
        ProblemOptions options;
        options.root = 2;
        const auto problem = make_problem("gmst", instance, options);
        const auto optimum = testing::optimum(*problem);
        ASSERT_TRUE(optimum.has_value());
        const auto bound = make_group_bound(*problem);
        while (bound->advance(unknown, StopToken())) {
        }
        EXPECT_NEAR(bound->value(), *optimum, 1e-9 * (1 + *optimum)) << "seed " << seed;
    }
}

TEST(GroupSearch, FindsTheOptimumOfSmallGraphs) {
    for (std::uint64_t seed = 1; seed < 60; seed += 2) {
        const Instance instance = grouped(seed, 7, 3, false);
        const auto problem = make_problem("gmst", instance);
        EXPECT_EQ(local_search_for(*problem).name, "groups");
        const auto search = prepare_group_search(*problem, 1, StopToken());
        const auto worker = search->worker(1, 0);
        worker->adopt(Tree{0, {{0, 1}, {1, 2}}});
        worker->run(30, StopToken());
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
        EXPECT_NEAR(worker->cost(), *testing::optimum(*problem), 1e-9) << "seed " << seed;
        EXPECT_NEAR(worker->cost(), problem->cost(worker->tree()), 1e-9);
    }
}

TEST(GroupSearch, LeavesFreeVerticesToTheGeneralSearch) {
    const Instance all = grouped(1, 10, 3, false);
    const Instance some = grouped(1, 10, 3, true);
    EXPECT_TRUE(group_search_suits(*make_problem("gmst", all)));
    EXPECT_FALSE(group_search_suits(*make_problem("gmst", some)));
}

TEST(GroupSearch, DoesTheSameForTheSameSeedHoweverItIsSliced) {
    const Instance instance = grouped(3, 120, 20, false);
    const auto problem = make_problem("gmst", instance);
    const auto search = prepare_group_search(*problem, 2, StopToken());
    Tree star{0, {}};
    for (Vertex v = 1; v < 20; ++v) star.edges.push_back({0, v});
    const auto whole = search->worker(4, 1);
    const auto sliced = search->worker(4, 1);
    whole->adopt(star);
    sliced->adopt(star);
    whole->run(30, StopToken());
    for (int k = 0; k < 15; ++k) sliced->run(2, StopToken());
    EXPECT_EQ(whole->tree(), sliced->tree());
    EXPECT_LT(whole->cost(), problem->cost(star));
    EXPECT_EQ(problem->violation(whole->tree()), std::nullopt);
}

TEST(GroupSearch, ProvesGraphsOfSomeGroups) {
    for (std::uint64_t seed = 1; seed < 6; seed += 2) {
        const Instance instance = grouped(seed, 20, 5, false);
        const auto problem = make_problem("gmst", instance);
        SolveOptions options;
        options.max_iterations = 20'000;
        options.target_gap = 0;
        const Solution solution = solve(*problem, options);
        EXPECT_NEAR(solution.bound.value_or(0), solution.cost, 1e-9) << "seed " << seed;
    }
}

}  // namespace
}  // namespace neuroprim
