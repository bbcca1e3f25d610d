#include "search/closure/closure_rebuilding.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/solve.hpp"
#include "search/closure/closure_growth.hpp"
#include "search/closure/closure_trees.hpp"
#include "search/closure/street_problems.hpp"
#include "search/initial_solutions.hpp"
#include "search/spare_tree.hpp"

namespace neuroprim {
namespace {

TEST(ClosureGrowth, IsFeasible) {
    const Instance streets = testing::chained_streets(10, 4);
    for (const auto& [what, spec] : testing::street_problems(streets)) {
        const Problem problem(streets, spec);
        ASSERT_TRUE(has_closure_windows(problem));
        int grown = 0;
        for (const Vertex start : problem.starts()) {
            const auto tree = grown_in_closures(testing::policy_of_chance(), problem, {.starts = 1}, start, 0, {});
            if (!tree) continue;
            ++grown;
            EXPECT_EQ(problem.violation(*tree), std::nullopt) << what;
            if (grown == 3) break;
        }
        // Chance may use up a tight limit, but nothing else ends in a dead end.
        EXPECT_TRUE(grown > 0 || spec.hops || spec.length) << what;
    }
}

Tree any_tree(const Problem& problem) {
    TreePool pool(problem);
    add_first_tree(problem, {}, {}, pool);
    return pool[0].tree;
}

TEST(ClosureRebuilding, KeepsTheLimitsAndGainsWhatItSays) {
    const Instance streets = testing::chained_streets(10, 6);
    double gained = 0;
    for (const auto& [what, spec] : testing::street_problems(streets)) {
        const Problem problem(streets, spec);
        const Tree first = any_tree(problem);
        double cost = problem.cost(first);
        ClosureRebuilding rebuilding(testing::policy_of_chance(), problem, first, {.samples = 4}, 2);
        for (int pass = 0; pass < 5; ++pass) {
            const double gain = rebuilding.pass({});
            EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt) << what;
            const double now = problem.cost(rebuilding.tree());
            EXPECT_NEAR(cost - now, gain, 1e-9 * cost) << what;
            EXPECT_GE(gain, 0) << what;
            gained += gain;
            cost = now;
        }
    }
    EXPECT_GT(gained, 0);
}

TEST(ClosureRebuilding, DoesNotDependOnThreads) {
    const Instance streets = testing::chained_streets(12, 7);
    for (const auto& [what, spec] : testing::street_problems(streets)) {
        const Problem problem(streets, spec);
        std::vector<Tree> trees;
        for (const int threads : {1, 3}) {
            ClosureRebuilding rebuilding(testing::policy_of_chance(), problem, any_tree(problem), {.samples = 2},
                                         threads);
            for (int pass = 0; pass < 2; ++pass) (void)rebuilding.pass({});
            trees.push_back(rebuilding.tree());
        }
        EXPECT_EQ(trees[0], trees[1]) << what;
    }
}

TEST(ClosureRebuilding, StopsWhenAsked) {
    const Instance streets = testing::chained_streets(12, 8);
    const Problem problem(streets, testing::street_problems(streets).front().spec);
    const Tree first = any_tree(problem);
    ClosureRebuilding rebuilding(testing::policy_of_chance(), problem, first, {}, 1);
    const StopToken at_once(std::nullopt, [] { return true; });
    EXPECT_EQ(rebuilding.pass(at_once), 0);
    EXPECT_EQ(rebuilding.tree(), first);
    std::atomic<int> questions = 0;
    const StopToken soon(std::nullopt, [&] { return ++questions > 100; });
    (void)rebuilding.pass(soon);
    EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt);
    EXPECT_THROW(
        (void)grown_in_closures(testing::policy_of_chance(), problem, {}, problem.starts().front(), 0, at_once),
        Interrupted);
}

SolveOptions by_chance(const char* method) {
    SolveOptions options;
    options.method = method;
    options.policy = std::make_shared<const Policy>(testing::policy_of_chance());
    return options;
}

TEST(SolveInClosures, ServesGreedyAndRebuild) {
    const Instance streets = testing::chained_streets(10, 9);
    for (const auto& [what, spec] : testing::street_problems(streets)) {
        const Problem problem(streets, spec);
        const Solution greedy = solve(problem, by_chance("greedy"));
        EXPECT_TRUE(greedy.found_by.starts_with("closures from ")) << greedy.found_by;
        SolveOptions options = by_chance("rebuild");
        options.max_iterations = 3;
        const Solution rebuilt = solve(problem, options);
        EXPECT_EQ(problem.violation(rebuilt.tree), std::nullopt) << what;
        options.threads = 2;
        EXPECT_EQ(solve(problem, options).tree, rebuilt.tree) << what;
        options.max_iterations = 9;
        EXPECT_LE(solve(problem, options).cost, rebuilt.cost) << what;
    }
}

TEST(SolveInClosures, AnswersWithATreeFromTheStartThatIsAskedFor) {
    const Instance streets = testing::chained_streets(10, 9);
    const Problem problem(streets, testing::street_problems(streets).front().spec);
    SolveOptions options = by_chance("rebuild");
    options.max_iterations = 2;
    const std::vector<Vertex> starts = problem.starts();
    for (const Vertex start : {starts.front(), starts.back()}) {
        options.start = start;
        const Solution solution = solve(problem, options);
        EXPECT_EQ(solution.tree.start, start);
        EXPECT_EQ(problem.violation(solution.tree), std::nullopt);
    }
}

TEST(SolveInClosures, BeginsWithAConstructionWhereThereIsNoTime) {
    const Instance streets = testing::chained_streets(10, 9);
    const Problem problem(streets, testing::street_problems(streets).front().spec);
    SolveOptions options = by_chance("rebuild");
    options.time_limit = 1e-9;
    const Solution solution = solve(problem, options);
    EXPECT_EQ(problem.violation(solution.tree), std::nullopt);
    EXPECT_EQ(solution.found_by, "shortest-path") << "nothing was rebuilt";
}

TEST(SolveInClosures, AnswersUnderATimeLimitWithAConstructionThatIsCheaper) {
    const Instance streets = testing::chained_streets(10, 9);
    const Problem problem(streets, testing::street_problems(streets).front().spec);
    SolveOptions options = by_chance("rebuild");
    options.max_iterations = 0;
    const Solution own = solve(problem, options);
    ASSERT_EQ(own.found_by, "closures from greedy");
    options.time_limit = 1000;
    const Solution answer = solve(problem, options);
    const Candidate construction = constructed_tree(problem, options, {});
    ASSERT_LT(construction.cost, own.cost);
    EXPECT_DOUBLE_EQ(answer.cost, construction.cost);
    EXPECT_EQ(answer.found_by, construction.source);
}

}  // namespace
}  // namespace neuroprim
