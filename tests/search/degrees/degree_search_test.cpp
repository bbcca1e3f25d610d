#include "search/degrees/degree_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "graph/near_edges.hpp"
#include "heuristics/degree_relief.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"
#include "search/degrees/exchange_chains.hpp"
#include "search/polished.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using testing::polished;

/// Points, matrices and sparse graphs by turns, with one limit for all or one for each vertex.
std::unique_ptr<Problem> small_problem(Instance& instance, std::uint64_t seed) {
    GenerateOptions options{.n = static_cast<Vertex>(2 + seed % 6), .seed = seed};
    if (seed % 3 == 1) options.shape = GenerateOptions::Shape::matrix;
    if (seed % 3 == 2) {
        options.shape = GenerateOptions::Shape::sparse;
        options.average_degree = std::min(4.0, options.n - 1.0);
    }
    if (seed % 2 == 0) options.scale = 20, options.integers = true;
    instance = generate(options);
    ProblemOptions limits;
    if (seed % 4 == 0) {
        Random random(seed);
        for (Vertex v = 0; v < instance.size(); ++v) {
            instance.degree_limits.push_back(static_cast<int>(1 + random.below(3)));
        }
    } else {
        limits.degree = seed % 4 == 1 ? 3 : 2;
    }
    return make_problem("dcmst", instance, limits);
}

TEST(DegreeSearch, FindsTheLightestTreeOfAFewVertices) {
    int searched = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        Instance instance;
        const auto problem = small_problem(instance, seed);
        const auto least = testing::optimum(*problem);
        if (!least) continue;
        ++searched;
        const Tree start = method_named("degree-prim").construct(*problem, {});
        // Complete paths have a search of their own; this one has to manage them as well.
        const auto search = limited_degrees::prepare_degree_search(*problem, 1, {});
        const auto worker = search->worker(1, 0);
        worker->adopt(start);
        worker->run(500, {});
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
        EXPECT_NEAR(problem->cost(worker->tree()), *least, 1e-9) << "seed " << seed;
        EXPECT_NEAR(worker->cost(), *least, 1e-9);
    }
    EXPECT_GT(searched, 80);
}

TEST(DegreeSearch, KnowsItsWeightThroughThousandsOfExchanges) {
    for (const Vertex n : {5, 30, 300}) {
        const Instance instance = generate({.shape = GenerateOptions::Shape::matrix, .n = n, .seed = 3});
        const auto problem = make_problem("dcmst", instance, {.degree = 3});
        const Tree start = method_named("degree-prim").construct(*problem, {});
        const NearEdges near(instance.weights, 16);
        const std::vector<int> limits(index(n), 3);
        limited_degrees::ExchangeChains search(instance.weights, near, limits, start);
        const double before = problem->cost(start);
        ASSERT_TRUE(search.descend({}));
        Random random(4);
        double gained = search.gained();
        for (int k = 0; k < 1000; ++k) {
            ASSERT_TRUE(search.perturb(random, {}));
            ASSERT_GE(search.gained(), gained);
            gained = search.gained();
            if (k % 50 != 0) continue;
            ASSERT_EQ(problem->violation(search.tree().tree()), std::nullopt);
            ASSERT_NEAR(problem->cost(search.tree().tree()), before - gained, 1e-9);
        }
        search.shake(random, 20);
        ASSERT_EQ(problem->violation(search.tree().tree()), std::nullopt);
        ASSERT_NEAR(problem->cost(search.tree().tree()), before - search.gained(), 1e-9);
    }
}

TEST(DegreeSearch, GoesStraightToAMinimumSpanningTreeThatKeepsTheLimits) {
    const Instance instance = generate({.n = 200, .seed = 5});
    const auto plain = make_problem("mst", instance);
    const auto generous = make_problem("dcmst", instance, {.degree = 6});
    const double least = total_weight(minimum_spanning_tree(instance.weights), instance.weights);
    for (const auto* problem : {plain.get(), generous.get()}) {
        EXPECT_EQ(local_search_for(*problem).name, "exchange-chains");
        const Tree star = method_named("star").construct(*plain, {});
        const Tree path = method_named("farthest-insertion").construct(*plain, {});
        EXPECT_NEAR(problem->cost(polished(*problem, problem == plain.get() ? star : path, 1)), least, 1e-9);
    }
}

TEST(DegreeSearch, IsTheSameForTheSameSeed) {
    const Instance instance = generate({.shape = GenerateOptions::Shape::matrix, .n = 80, .seed = 8});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    EXPECT_EQ(polished(*problem, 300, 7), polished(*problem, 300, 7));
}

TEST(DegreeSearch, KeepsToTheEdgesOfASparseGraph) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Instance instance =
            generate({.shape = GenerateOptions::Shape::sparse, .n = 300, .average_degree = 8, .seed = seed});
        for (const int degree : {2, 3}) {
            const auto problem = make_problem("dcmst", instance, {.degree = degree});
            Tree start;
            try {
                start = method_named("degree-prim").construct(*problem, {});
            } catch (const Infeasible&) {
                continue;
            }
            const Tree better = polished(*problem, start, 300);
            EXPECT_EQ(problem->violation(better), std::nullopt);
            EXPECT_LE(problem->cost(better), problem->cost(start));
        }
    }
}

TEST(DegreeSearch, ComesBackAtOnceWhenTimeIsUp) {
    const Instance instance = generate({.n = 10'000, .seed = 10});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    Tree start{0, {}};
    for (Vertex v = 1; v < 10'000; ++v) start.edges.push_back({v - 1, v});
    const auto search = local_search_for(*problem).prepare(*problem, 1, {});
    const auto worker = search->worker(1, 0);
    worker->adopt(start);
    for (const int milliseconds : {0, 5, 20}) {
        const auto deadline = StopToken::Clock::now() + std::chrono::milliseconds(milliseconds);
        const double before = testing::processor_milliseconds();
        worker->run(1'000'000, StopToken(deadline, nullptr));
        EXPECT_LT(testing::processor_milliseconds() - before, milliseconds + 20);
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
        EXPECT_NEAR(problem->cost(worker->tree()), worker->cost(), 1e-6 * worker->cost());
    }
}

TEST(DegreeRelief, TakesTheExcessOffAMinimumSpanningTreeOfPoints) {
    const Instance instance = generate({.shape = GenerateOptions::Shape::grid, .n = 2000, .seed = 4});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    const Tree lightest = minimum_spanning_tree(instance.weights);
    ASSERT_NE(problem->violation(lightest), std::nullopt);
    const NearEdges near(instance.weights, 8);
    const auto tree = relieved(lightest, instance.weights, near, std::vector<int>(2000, 3));
    ASSERT_TRUE(tree.has_value());
    EXPECT_EQ(problem->violation(*tree), std::nullopt);
    EXPECT_LT(problem->cost(*tree), 1.02 * problem->cost(lightest));
}

}  // namespace
}  // namespace neuroprim
