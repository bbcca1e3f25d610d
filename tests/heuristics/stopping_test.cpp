#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "graph/neighbours.hpp"
#include "heuristics/construct.hpp"
#include "heuristics/quick_degrees.hpp"
#include "heuristics/trees_at_hand.hpp"
#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/solve.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::construct;

struct StoppedKind {
    const char* problem;
    ProblemOptions options;
};

const StoppedKind stopped_kinds[] = {{"mst", {}},
                                     {"dcmst", {.degree = 2}},
                                     {"dcmst", {.degree = 3}},
                                     {"mrcst", {}},
                                     {"ocst", {}},
                                     {"stp", {}},
                                     {"hmst", {.root = 0, .hops = 12}},
                                     {"cmst", {.root = 0, .capacity = 20}},
                                     {"bdmst", {.diameter = 20}},
                                     {"lmst", {.root = 0, .length = 2}}};

bool at_once() {
    return true;
}

Instance instance_of(Shape shape, Vertex n) {
    return generate({.shape = shape, .n = n, .terminals = n / 4, .average_degree = 20, .requirements = true});
}

TEST(EveryMethod, IsAskedOftenWhetherItShallStop) {
    // A method that works for a minute without a look at this would be asked a handful of times.
    const Instance instance = instance_of(Shape::uniform, 1500);
    for (const auto& [name, options] : {stopped_kinds[0], stopped_kinds[2], stopped_kinds[3], stopped_kinds[6],
                                        stopped_kinds[7], stopped_kinds[8], stopped_kinds[9]}) {
        const auto problem = make_problem(name, instance, options);
        for (const Method& method : methods()) {
            if (!method.supports(*problem)) continue;
            if (method.name == "star" && std::string_view(name) == "dcmst") continue;
            if (method.name == "hop-levels" || method.name == "shortest-path-tree") continue;  // a millisecond
            std::atomic<int> asked = 0;
            (void)construct(method.name, *problem, {.threads = 2, .interrupted = [&asked] {
                                                        ++asked;
                                                        return false;
                                                    }});
            EXPECT_GT(asked, 15) << method.name << " for " << name;
        }
    }
}

TEST(EveryMethod, ThrowsStoppedOrReturnsAWholeTreeWhenItIsStopped) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        const Instance instance = instance_of(shape, 400);
        for (const auto& [name, options] : stopped_kinds) {
            const auto problem = make_problem(name, instance, options);
            for (const Method& method : methods()) {
                if (!method.supports(*problem)) continue;
                try {
                    const Tree tree = construct(method.name, *problem, {.interrupted = at_once});
                    EXPECT_EQ(structural_violation(tree, instance.weights), std::nullopt) << method.name;
                    const std::size_t least = std::string_view(name) == "stp" ? 99 : 399;
                    EXPECT_GE(tree.edges.size(), least) << method.name;
                } catch (const Interrupted& stopped) {
                    EXPECT_STREQ(stopped.what(), "stopped before the first tree was complete") << method.name;
                } catch (const InputError&) {
                    EXPECT_EQ(method.name, "farthest-insertion");
                } catch (const Infeasible&) {  // stuck before it was time to ask
                    EXPECT_TRUE(testing::finds_no_tree(method.name, *problem)) << method.name;
                }
            }
        }
    }
}

TEST(EveryMethod, IsNotChangedByBeingAsked) {
    const Instance instance = instance_of(Shape::uniform, 60);
    for (const auto& [name, options] : stopped_kinds) {
        const auto problem = make_problem(name, instance, options);
        for (const Method& method : methods()) {
            if (!method.supports(*problem) || testing::finds_no_tree(method.name, *problem)) continue;
            EXPECT_EQ(construct(method.name, *problem, {.interrupted = [] { return false; }}),
                      construct(method.name, *problem))
                << method.name;
        }
    }
}

TEST(MinimumSpanningTree, StopsWhenAsked) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        const Instance instance = instance_of(shape, shape == Shape::sparse ? 20'000 : 300);
        EXPECT_THROW((void)minimum_spanning_tree(instance.weights, 1, at_once), Interrupted);
        EXPECT_EQ(lower_bound(*make_problem("mst", instance), 1, at_once), std::nullopt);
    }
}

TEST(NearestNeighbours, StopWhenTheStopTokenExpires) {
    const StopToken expired(std::nullopt, at_once);
    for (const int threads : {1, 3}) {
        EXPECT_THROW((void)nearest_neighbours(instance_of(Shape::uniform, 12'000).weights, 5, threads, expired),
                     Interrupted);
    }
    EXPECT_THROW((void)nearest_neighbours(instance_of(Shape::matrix, 1000).weights, 5, 1, expired), Interrupted);
    const auto problem_of = [](const Instance& instance) { return make_problem("dcmst", instance, {.degree = 3}); };
    const Instance instance = instance_of(Shape::uniform, 300);
    EXPECT_EQ(quick_degree_limited_tree(*problem_of(instance), 1, expired), std::nullopt);
}

TEST(TreesAtHand, HoldEveryVertex) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        for (const Vertex n : {1, 2, 50}) {
            const Instance instance = generate({.shape = shape, .n = n, .average_degree = std::min(4.0, n - 1.0)});
            const auto problem = make_problem("mst", instance);
            for (const Tree& tree : trees_at_hand(*problem)) EXPECT_EQ(problem->violation(tree), std::nullopt);
        }
    }
}

TEST(TreesAtHand, TheFlattestTreeKeepsDegreesInAsFewHopsAsTheyAllow) {
    const Instance instance = instance_of(Shape::uniform, 300);
    std::vector<int> degrees(300, 4);
    // 1 + 4 + 12 + 36 + 108 vertices are within four hops.
    const Problem even(instance, TreeSpec{.root = 5, .degrees = degrees, .hops = 5});
    EXPECT_EQ(even.violation(flattest_tree(even).value()), std::nullopt);
    const Problem tight(instance, TreeSpec{.root = 5, .degrees = degrees, .hops = 4});
    EXPECT_NE(tight.violation(flattest_tree(tight).value()), std::nullopt);
    // Vertices that may have children come first, whatever their numbers.
    for (Vertex v = 0; v < 300; v += 2) degrees[index(v)] = 1;
    const Problem uneven(instance, TreeSpec{.root = 5, .degrees = degrees, .hops = 6});
    EXPECT_EQ(uneven.violation(flattest_tree(uneven).value()), std::nullopt);
    std::fill(degrees.begin(), degrees.end(), 1);
    EXPECT_EQ(flattest_tree(Problem(instance, TreeSpec{.root = 5, .degrees = degrees})), std::nullopt);
    const Problem free(instance, TreeSpec{.root = 5, .hops = 1});
    EXPECT_EQ(free.violation(flattest_tree(free).value()), std::nullopt);
}

TEST(Solve, SaysThatAMethodWasStoppedBeforeTheFirstTreeWasComplete) {
    const Instance instance = instance_of(Shape::uniform, 300);
    const auto problem = make_problem("mrcst", instance);
    const auto complaint = [&](const SolveOptions& options) -> std::string {
        try {
            (void)solve(*problem, options);
            return "solved";
        } catch (const Interrupted& stopped) {
            return stopped.what();
        }
    };
    EXPECT_EQ(complaint({.method = "campos", .interrupted = at_once}),
              "campos was stopped before the first tree was complete");
    EXPECT_EQ(complaint({.method = "campos", .time_limit = 0}),
              "campos did not complete a tree within the time limit of 0 s");
    EXPECT_EQ(complaint({.method = "campos", .time_limit = 1e300}), "solved");
}

TEST(AnytimeSearch, HasATreeHoweverEarlyItIsStopped) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        const Instance instance = instance_of(shape, 1200);
        for (const auto& [name, options] : stopped_kinds) {
            const bool is_tight = options.degree || options.capacity || options.length;
            if (shape == Shape::sparse && is_tight) continue;  // no tree is at hand
            const auto problem = make_problem(name, instance, options);
            for (const SolveOptions& rules : {SolveOptions{.interrupted = at_once}, SolveOptions{.time_limit = 0}}) {
                const Solution solution = solve(*problem, rules);
                EXPECT_EQ(problem->violation(solution.tree), std::nullopt) << name;
            }
        }
    }
}

TEST(AnytimeSearch, SaysThatItWasStoppedWhereNoTreeIsAtHand) {
    const Instance instance = instance_of(Shape::sparse, 5000);
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    EXPECT_THROW((void)solve(*problem, {.interrupted = at_once}), Interrupted);
}

TEST(AnytimeSearch, HasATreeOfVeryManyPointsBeforeTheMinimumSpanningTreeIsThere) {
    const Instance instance = generate({.n = 120'000});
    const Solution solution = solve(*make_problem("mst", instance), {.time_limit = 0});
    EXPECT_EQ(solution.tree.edges.size(), 119'999U);
    EXPECT_EQ(solution.found_by, "tree at hand");
}

}  // namespace
}  // namespace neuroprim
