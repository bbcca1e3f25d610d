#include "steiner/vertex_annealing.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "neuroprim/mst.hpp"
#include "search/steiner_search.hpp"
#include "steiner/descent.hpp"
#include "steiner/search_graph.hpp"
#include "support/instances.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim::steiner {
namespace {

/// Words of so many bits, neighbours differ in one; the terminals have an even number of ones.
Instance hypercube(int bits, std::uint64_t seed) {
    Random random(seed, 5);
    std::vector<WeightedEdge> edges;
    std::vector<Vertex> terminals;
    for (unsigned u = 0; u < (1U << bits); ++u) {
        for (int k = 0; k < bits; ++k) {
            const unsigned v = u ^ (1U << k);
            if (u > v) continue;
            const double weight = seed == 0 ? 1.0 : 100.0 + static_cast<double>(random.below(11));
            edges.push_back({static_cast<Vertex>(u), static_cast<Vertex>(v), weight});
        }
        if (std::popcount(u) % 2 == 0) terminals.push_back(static_cast<Vertex>(u));
    }
    Instance instance = testing::of_edges(static_cast<Vertex>(1U << bits), std::move(edges));
    instance.terminals = std::move(terminals);
    return instance;
}

/// A spanning tree without the leaves that are no terminals.
Tree tree_of_all(const Problem& problem) {
    return problem.pruned(minimum_spanning_tree(problem.weights()));
}

TEST(VertexAnnealing, KeepsAPrunedTreeWhoseCostIsTheSumOfItsEdges) {
    for (std::uint64_t number = 0; number < 100; ++number) {
        const Instance instance = testing::small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const FlatGraph flat(search_graph(*problem, StopToken())->graph);
        const auto start = *shortest_path_tree(flat, flat.terminals().front(), flat.weights());
        VertexAnnealing annealing(flat, start);
        Random random(number);
        for (int k = 0; k < 40; ++k) {
            annealing.run(5, 0.5 * start.cost, random, StopToken());
            const EdgeTree tree = annealing.tree();
            EXPECT_NEAR(annealing.cost(), tree.cost, 1e-9 * (1 + tree.cost));
            // A forest with as many edges that joins the terminals and has no leaf to prune is itself.
            const auto again = tree_among(flat, tree.edges, flat.weights());
            ASSERT_TRUE(again.has_value()) << "instance " << number;
            EXPECT_EQ(again->edges, tree.edges) << "instance " << number;
            EXPECT_LE(annealing.best().cost, annealing.cost() + 1e-9);
        }
    }
}

TEST(VertexAnnealing, FindsTheOptimumOfSmallGraphs) {
    int found = 0;
    for (std::uint64_t number = 0; number < 200; ++number) {
        const Instance instance = testing::small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const FlatGraph flat(search_graph(*problem, StopToken())->graph);
        const auto start = *shortest_path_tree(flat, flat.terminals().front(), flat.weights());
        VertexAnnealing annealing(flat, start);
        Random random(number);
        for (double heat = 0.5; heat > 0.01; heat *= 0.9) annealing.run(100, heat * start.cost, random, StopToken());
        const double optimum = testing::steiner_optimum(*problem);
        EXPECT_GE(annealing.best().cost, optimum * (1 - 1e-9));
        found += annealing.best().cost <= optimum * (1 + 1e-9) ? 1 : 0;
    }
    EXPECT_GE(found, 190);
}

TEST(VertexAnnealing, FindsCheaperTreesOfHypercubesThanADescentDoes) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        const Instance instance = hypercube(6, seed);
        const auto problem = make_problem("stp", instance);
        const FlatGraph flat(search_graph(*problem, StopToken())->graph);
        auto descended = *shortest_path_tree(flat, flat.terminals().front(), flat.weights());
        descend(flat, descended, flat.weights(), StopToken());
        VertexAnnealing annealing(flat, descended);
        Random random(seed);
        const double mean = seed == 0 ? 1 : 105;
        for (double heat = 0.3; heat > 0.03; heat *= 0.95) annealing.run(300, heat * mean, random, StopToken());
        EXPECT_LT(annealing.best().cost, descended.cost);
    }
}

TEST(VertexAnnealing, StopsWhenTheTimeIsUp) {
    const Instance instance = hypercube(5, 1);
    const auto problem = make_problem("stp", instance);
    const FlatGraph flat(search_graph(*problem, StopToken())->graph);
    const auto start = *shortest_path_tree(flat, flat.terminals().front(), flat.weights());
    VertexAnnealing annealing(flat, start);
    Random random(1);
    annealing.run(1'000'000'000, 50, random, StopToken(StopToken::Clock::now(), {}));
    EXPECT_EQ(annealing.tree().edges, start.edges);
}

TEST(SteinerSearch, AnnealsWhereWeightsHardlyDifferAndIsNotDisturbedByOtherTrees) {
    const Instance instance = hypercube(6, 3);
    const auto problem = make_problem("stp", instance);
    const auto search = prepare_steiner(*problem, 1, StopToken());
    const auto worker = search->worker(1, 0);
    const Tree start = tree_of_all(*problem);
    worker->adopt(start);
    worker->run(100, StopToken());
    const Tree first = worker->tree();
    const double cost = worker->cost();
    EXPECT_LT(cost, problem->cost(start));
    EXPECT_EQ(problem->violation(first), std::nullopt);
    worker->adopt(start);
    EXPECT_EQ(worker->cost(), problem->cost(start));
    worker->adopt(first);
    worker->run(200, StopToken());
    EXPECT_LE(worker->cost(), cost);
    EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
}

}  // namespace
}  // namespace neuroprim::steiner
