// Constructions that are made for one limit, on cases whose answer is known.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using testing::complaint;
using testing::construct;
using testing::of_edges;
using testing::of_points;

double star_cost(const Problem& problem, Vertex centre) {
    double sum = 0;
    for (Vertex v = 0; v < problem.size(); ++v) sum += v == centre ? 0 : problem.weights()(centre, v);
    return sum;
}

double mst_cost(const Problem& problem) {
    return total_weight(minimum_spanning_tree(problem.weights()), problem.weights());
}

double farthest_from(const Instance& instance, Vertex root) {
    double farthest = 0;
    instance.weights.for_each_neighbour(root, [&](Vertex, double weight) { farthest = std::max(farthest, weight); });
    return farthest;
}

TEST(EsauWilliams, GivesEachVertexABranchWhereNoTwoFit) {
    const Instance instance = generate({.n = 12, .seed = 3});
    const auto problem = make_problem("cmst", instance, {.root = 4, .capacity = 1});
    EXPECT_NEAR(problem->cost(construct("esau-williams", *problem)), star_cost(*problem, 4), 1e-12);
}

TEST(EsauWilliams, NeverCostsMoreThanTheStarNorLessThanTheMinimumSpanningTree) {
    Random random(5);
    for (int trial = 0; trial < 50; ++trial) {
        const auto n = static_cast<Vertex>(2 + random.below(30));
        const Instance instance = generate({.n = n, .seed = random.next()});
        const auto capacity = static_cast<double>(1 + random.below(8));
        const auto problem = make_problem("cmst", instance, {.root = 0, .capacity = capacity});
        const Tree tree = construct("esau-williams", *problem);
        EXPECT_EQ(problem->violation(tree), std::nullopt);
        EXPECT_LE(problem->cost(tree), star_cost(*problem, 0) + 1e-9);
        EXPECT_GE(problem->cost(tree), mst_cost(*problem) - 1e-9);
    }
}

TEST(EsauWilliams, TakesTheLargestSavingFirst) {
    // 2 saves 9 by joining 1, and then 3, next to 1 too, does not fit any more.
    const Instance instance = of_points({{0, 0}, {10, 0}, {11, 0}, {10, 3}});
    const auto problem = make_problem("cmst", instance, {.root = 0, .capacity = 2});
    const Tree tree = construct("esau-williams", *problem);
    EXPECT_NEAR(problem->cost(tree), 10 + 1 + std::hypot(10, 3), 1e-12);
}

TEST(EsauWilliams, SpansBranchesAnewThatBreakAnotherLimit) {
    const Instance instance = generate({.n = 300, .seed = 9});
    const Problem free(instance, TreeSpec{.root = 0, .capacity = 30});
    const double least = free.cost(construct("esau-williams", free));
    std::vector<int> degrees(300, 3);
    degrees[0] = 300;
    const std::vector<TreeSpec> specs = {
        {.root = 0, .hops = 5, .capacity = 30},
        {.root = 0, .length = 1.02 * farthest_from(instance, 0), .capacity = 30},
        {.root = 0, .degrees = degrees, .capacity = 30},
        {.root = 0, .degrees = degrees, .hops = 9, .length = 2, .capacity = 30},
    };
    for (const TreeSpec& spec : specs) {
        const Problem problem(instance, spec);
        ASSERT_NE(problem.violation(construct("esau-williams", free)), std::nullopt) << describe(spec, instance);
        const Tree one = method_named("esau-williams").construct(problem, {.threads = 1});
        EXPECT_EQ(problem.violation(one), std::nullopt) << describe(spec, instance);
        EXPECT_LT(problem.cost(one), 1.5 * least) << describe(spec, instance);
        EXPECT_EQ(method_named("esau-williams").construct(problem, {.threads = 3}), one);
    }
}

TEST(EsauWilliams, SaysWhatItIsFor) {
    const Instance instance = generate({.n = 5, .seed = 3});
    EXPECT_EQ(complaint("esau-williams", *make_problem("mst", instance)),
              "esau-williams is for trees over all vertices with a root and a capacity");
    // {1, 4} and {2, 3} fit, but 4 is nearer to 3, where 2 must go.
    const Instance narrow = of_edges(5, {{0, 1, 1}, {0, 3, 1}, {1, 4, 5}, {3, 4, 1}, {2, 3, 2}});
    const auto problem = make_problem("cmst", narrow, {.root = 0, .capacity = 2});
    EXPECT_NE(complaint("esau-williams", *problem).find("no way to the root for the part of vertex 2"),
              std::string::npos)
        << complaint("esau-williams", *problem);
}

TEST(LengthBlend, IsTheMinimumSpanningTreeWhereTheLimitIsWide) {
    const Instance instance = generate({.n = 40, .seed = 8});
    const auto problem = make_problem("lmst", instance, {.root = 0, .length = 100});
    EXPECT_NEAR(problem->cost(construct("length-blend", *problem)), mst_cost(*problem), 1e-12);
}

TEST(LengthBlend, KeepsALimitThatTheFarthestVertexJustMeets) {
    Random random(2);
    for (int trial = 0; trial < 30; ++trial) {
        const Instance instance = generate({.n = 25, .seed = random.next()});
        double farthest = 0;
        for (Vertex v = 1; v < 25; ++v) farthest = std::max(farthest, instance.weights(0, v));
        const auto problem = make_problem("lmst", instance, {.root = 0, .length = farthest});
        const Tree tree = construct("length-blend", *problem);
        EXPECT_EQ(problem->violation(tree), std::nullopt);
        EXPECT_LE(problem->cost(tree), star_cost(*problem, 0) + 1e-9);
    }
}

TEST(GroupKruskal, LooksAtNearEdgesOfManyPoints) {
    Instance instance = generate({.n = 3000, .seed = 5});
    // Large groups in squares, whose near neighbours are their own, beside small ones and vertices of none.
    instance.groups.assign(3000, -1);
    for (std::size_t v = 0; v < 2900; ++v) {
        const Point p = instance.weights.points()[v];
        instance.groups[v] = p.x < 0.5 ? (p.y < 0.5 ? 0 : 1) : static_cast<int>(2 + v % 300);
    }
    const auto problem = make_problem("gmst", instance, {.root = 2950});
    const Tree tree = construct("group-kruskal", *problem);
    EXPECT_EQ(problem->violation(tree), std::nullopt);
    EXPECT_EQ(tree.start, 2950);
}

TEST(GroupKruskal, LetsTheNearestVerticesSpeakForTheirGroups) {
    // Groups {0, 1}, {2, 3} and {4}: 1 and 2 are neighbours, and 4 is next to 2.
    Instance instance = of_points({{0, 0}, {5, 0}, {6, 0}, {20, 0}, {6, 2}});
    instance.groups = {0, 0, 1, 1, 2};
    const auto problem = make_problem("gmst", instance);
    const Tree tree = construct("group-kruskal", *problem);
    EXPECT_EQ(problem->violation(tree), std::nullopt);
    EXPECT_NEAR(problem->cost(tree), 3, 1e-12);
    EXPECT_EQ(complaint("group-kruskal", *make_problem("mst", instance)),
              "group-kruskal is for one vertex of each group");
}

TEST(PrizeGrowth, TakesWhatPaysAndLeavesTheRest) {
    Instance instance = of_points({{0, 0}, {1, 0}, {2, 0}, {50, 0}});
    instance.prizes = {5, 0, 5, 5};
    const auto problem = make_problem("pcst", instance);
    const Tree tree = problem->pruned(construct("prize-growth", *problem));
    EXPECT_EQ(problem->violation(tree), std::nullopt);
    EXPECT_NEAR(problem->cost(tree), 2 + 5, 1e-12);
}

TEST(PrizeGrowth, IsWithinTwiceTheBestOfAllSubsets) {
    Random random(9);
    for (int trial = 0; trial < 40; ++trial) {
        Instance instance = generate({.n = 7, .seed = random.next()});
        for (Vertex v = 0; v < 7; ++v) instance.prizes.push_back(random.uniform() / 2);
        const auto problem = make_problem("pcst", instance);
        double best = Weights::infinity;
        for (unsigned subset = 1; subset < 128; ++subset) {
            std::vector<Vertex> inside;
            double lost = 0;
            for (Vertex v = 0; v < 7; ++v) {
                if ((subset >> v & 1U) != 0) {
                    inside.push_back(v);
                } else {
                    lost += instance.prizes[index(v)];
                }
            }
            const Weights among = induced(instance.weights, inside);
            best = std::min(best, lost + total_weight(minimum_spanning_tree(among), among));
        }
        const Tree tree = problem->pruned(construct("prize-growth", *problem));
        EXPECT_GE(problem->cost(tree), best - 1e-12);
        EXPECT_LE(problem->cost(tree), 2 * best);
    }
}

}  // namespace
}  // namespace neuroprim
