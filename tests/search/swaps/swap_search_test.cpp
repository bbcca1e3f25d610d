#include "search/swaps/swap_search.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "adding-a-problem/capacitated_mst.hpp"
#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "search/swaps/swap_tree.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"
#include "support/tree_of_size.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::construct;
using testing::optimum;

/// The worst feasible tree: nothing is given to the search.
Tree dearest(const Problem& problem) {
    Tree worst;
    double worst_cost = -1;
    testing::for_each_candidate(problem, [&](const Tree& tree) {
        if (problem.violation(tree) || problem.cost(tree) <= worst_cost) return;
        worst = tree;
        worst_cost = problem.cost(tree);
    });
    return worst;
}

Tree star_around_zero(Vertex n) {
    Tree tree{0, {}};
    for (Vertex v = 1; v < n; ++v) tree.edges.push_back({0, v});
    return tree;
}

void expect_optimum(const Problem& problem, std::uint64_t seed, std::int64_t steps = 150) {
    const auto least = optimum(problem);
    if (!least) return;
    const auto search = prepare_swaps(problem, 1, StopToken());
    const auto worker = search->worker(seed, 0);
    worker->adopt(dearest(problem));
    worker->run(steps, StopToken());
    const Tree tree = worker->tree();
    EXPECT_EQ(problem.violation(tree), std::nullopt) << problem.name() << " seed " << seed;
    EXPECT_NEAR(problem.cost(tree), worker->cost(), 1e-9 * worker->cost());
    EXPECT_NEAR(worker->cost(), *least, 1e-9 * *least) << problem.name() << " seed " << seed;
}

Instance small(std::uint64_t seed, Shape shape, Vertex n = 7, Vertex terminals = 0, bool requirements = false) {
    GenerateOptions options;
    options.shape = shape;
    options.n = n;
    options.terminals = terminals;
    options.requirements = requirements;
    options.seed = seed;
    options.average_degree = 3.5;
    return generate(options);
}

constexpr Shape all_shapes[] = {Shape::uniform, Shape::clustered, Shape::matrix, Shape::sparse};

TEST(Swaps, FindTheOptimumOfSpanningTreeProblems) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Instance instance = small(seed, all_shapes[seed % 4], 6, 0, true);
        for (const char* name : {"mst", "mrcst", "ocst"}) expect_optimum(*make_problem(name, instance), seed);
    }
}

TEST(Swaps, FindTheOptimumUnderDegreeAndHopLimits) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Instance instance = small(seed, all_shapes[seed % 4], 6);
        ProblemOptions options;
        options.hops = 2;
        options.root = static_cast<Vertex>(seed % 6);
        expect_optimum(*make_problem("hmst", instance, options), seed);
        for (const int degree : {2, 3}) {
            expect_optimum(*make_problem("dcmst", instance, {.degree = degree}), seed);
        }
    }
}

TEST(Swaps, FindTheOptimumWhereVerticesAreOptional) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = small(seed, all_shapes[seed % 4], 6, 3);
        expect_optimum(*make_problem("stp", instance), seed);
    }
}

TEST(Swaps, FindTheOptimumOfAProblemTheyNeverHeardOf) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Instance instance = small(seed, all_shapes[seed % 2], 6);
        expect_optimum(CapacitatedMst(instance, 0, 2), seed);
    }
}

TEST(Swaps, FindTheOptimumWhereNoVertexIsRequired) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Instance instance = small(seed, all_shapes[seed % 2], 6);
        expect_optimum(testing::TreeOfSize(instance, 4), seed, 600);
    }
}

TEST(Swaps, NeverEndAboveTheTreeTheyWereGiven) {
    const Instance instance = small(5, Shape::uniform, 60, 20);
    ProblemOptions options;
    options.hops = 4;
    options.degree = 3;
    for (const char* name : {"mst", "dcmst", "mrcst", "stp", "hmst"}) {
        const auto problem = testing::classic_problem(name, instance, options);
        const Tree given = problem->pruned(default_method(*problem).construct(*problem, {}));
        const auto search = prepare_swaps(*problem, 1, StopToken());
        const auto worker = search->worker(1, 0);
        worker->adopt(given);
        EXPECT_NEAR(worker->cost(), problem->cost(given), 1e-9);
        EXPECT_EQ(worker->run(20, StopToken()), 20);
        EXPECT_LE(worker->cost(), problem->cost(given));
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt) << name;
        EXPECT_NEAR(worker->cost(), problem->cost(worker->tree()), 1e-9 * worker->cost()) << name;
    }
}

TEST(Swaps, GiveTheSameTreeForTheSameSeedHoweverTheRoundsAreCut) {
    const Instance instance = small(9, Shape::clustered, 40);
    const auto problem = make_problem("mrcst", instance);
    const Tree given = default_method(*problem).construct(*problem, {});
    const auto search = prepare_swaps(*problem, 2, StopToken());
    const auto whole = search->worker(4, 1);
    const auto pieces = search->worker(4, 1);
    whole->adopt(given);
    pieces->adopt(given);
    whole->run(12, StopToken());
    for (int k = 0; k < 4; ++k) pieces->run(3, StopToken());
    EXPECT_EQ(whole->tree(), pieces->tree());
    EXPECT_EQ(whole->cost(), pieces->cost());
}

TEST(Swaps, StopSoonAfterTheStopTokenAndHoldAFeasibleTree) {
    const Instance instance = small(3, Shape::uniform, 10000);
    ProblemOptions options;
    options.hops = 30;
    for (const char* name : {"hmst", "mrcst"}) {
        const auto problem = testing::classic_problem(name, instance, options);
        const Tree given = star_around_zero(problem->size());
        const auto search = prepare_swaps(*problem, 1, StopToken());
        const auto worker = search->worker(1, 0);
        worker->adopt(given);
        const auto began = StopToken::Clock::now();
        worker->run(1000000, StopToken(began + std::chrono::milliseconds(30), {}));
        const double seconds = std::chrono::duration<double>(StopToken::Clock::now() - began).count();
        EXPECT_LT(seconds, 0.5) << name;  // 0.03 and one judgement; far more on a busy machine with sanitizers
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
        EXPECT_LE(worker->cost(), problem->cost(given));
    }
}

TEST(Swaps, HaveNothingToTryOnOneOrTwoVertices) {
    for (const Vertex n : {1, 2}) {
        const Instance instance = small(0, Shape::uniform, n);
        const auto problem = make_problem("mst", instance);
        const auto worker = prepare_swaps(*problem, 1, StopToken())->worker(0, 0);
        worker->adopt(construct("kruskal", *problem));
        EXPECT_EQ(worker->run(5, StopToken()), 0);
        EXPECT_EQ(worker->tree().edges.size(), index(n) - 1);
    }
}

TEST(SwapTree, WeighsWholeChainsOfOptionalVertices) {
    // 0 – 1 – 2 – 3, terminals 0 and 3: either edge of the chain takes all three with it.
    Instance instance = testing::of_edges(4, {{0, 1, 1}, {1, 2, 2}, {2, 3, 4}});
    instance.terminals = {0, 3};
    const auto problem = make_problem("stp", instance);
    swaps::SwapTree tree(*problem);
    tree.load({0, {{0, 1}, {1, 2}, {2, 3}}});
    for (const Vertex v : {1, 2, 3}) EXPECT_EQ(tree.weight_above(v), 7);
    const auto spanning = make_problem("mst", instance);
    swaps::SwapTree plain(*spanning);
    plain.load({0, {{0, 1}, {1, 2}, {2, 3}}});
    EXPECT_EQ(plain.weight_above(2), 2);
}

}  // namespace
}  // namespace neuroprim
