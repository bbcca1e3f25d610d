#include "steiner/vertex_annealing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "graph/disjoint_sets.hpp"
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

/// Kruskal's algorithm on the vertices of the state: the weight of a minimum spanning forest, and its trees.
std::pair<double, int> spanning_forest(const FlatGraph& flat, const VertexAnnealing& annealing) {
    std::vector<int> edges;
    int trees = 0;
    for (Vertex v = 0; v < flat.size(); ++v) trees += annealing.contains(v) ? 1 : 0;
    for (int e = 0; e < flat.first_prize_edge(); ++e) {
        if (annealing.contains(flat.link(e).u) && annealing.contains(flat.link(e).v)) edges.push_back(e);
    }
    std::stable_sort(edges.begin(), edges.end(),
                     [&](int a, int b) { return flat.link(a).weight < flat.link(b).weight; });
    DisjointSets sets(flat.size());
    double weight = 0;
    for (const int e : edges) {
        if (!sets.join(flat.link(e).u, flat.link(e).v)) continue;
        weight += flat.link(e).weight;
        --trees;
    }
    return {weight, trees};
}

TEST(VertexAnnealing, KeepsAMinimumSpanningForestOfItsVertices) {
    for (std::uint64_t number = 0; number < 100; ++number) {
        const bool has_prizes = number % 2 == 1;
        const Instance instance =
            has_prizes ? testing::small_prize_instance(number) : testing::small_steiner_instance(number);
        const auto problem = make_problem(has_prizes ? "pcst" : "stp", instance);
        const Graph graph = search_graph(*problem, StopToken())->graph;
        PrizeModel model{.detour = 1000};
        if (graph.terminal_count() == 0) model.anchor = graph.richest();
        if (has_prizes && model.anchor == no_vertex && graph.terminal_count() == 0) continue;
        const FlatGraph flat(graph, model);
        const auto start = shortest_path_tree(flat, flat.terminals().front(), flat.weights());
        if (!start) continue;
        VertexAnnealing annealing(flat, *start);
        Random random(number);
        for (int k = 0; k < 40; ++k) {
            const double mean = start->cost / (1 + static_cast<double>(start->edges.size()));
            annealing.run(5, {0.5 * mean, mean}, random, StopToken());
            double cost = 0;  // of the edges about prizes
            for (int e = flat.first_prize_edge(); e < flat.end_of_prize_edges(); e += 2) {
                cost += flat.link(annealing.contains(flat.link(e).u) ? e : e + 1).weight;
            }
            const auto [weight, trees] = spanning_forest(flat, annealing);
            EXPECT_NEAR(annealing.cost(), weight + cost, 1e-9 * (1 + weight + cost)) << "instance " << number;
            EXPECT_EQ(annealing.trees(), trees) << "instance " << number;
            for (const Vertex t : flat.terminals()) {
                if (flat.vertex(t) == no_vertex) continue;
                EXPECT_TRUE(annealing.contains(t)) << "instance " << number;
            }
            // A tree of the edges that are told costs the same, or less without leaves that are no terminals.
            if (trees == 1) {
                const auto tree = tree_among(flat, annealing.edges(), flat.weights());
                ASSERT_TRUE(tree.has_value()) << "instance " << number;
                EXPECT_LE(tree->cost, annealing.cost() + 1e-9 * (1 + tree->cost));
                EXPECT_LE(annealing.best().cost, annealing.cost() + 1e-9 * (1 + tree->cost));
            }
            const auto best = tree_among(flat, annealing.best().edges, flat.weights());
            ASSERT_TRUE(best.has_value());
            EXPECT_EQ(best->edges, annealing.best().edges);
        }
    }
}

TEST(VertexAnnealing, FindsTheOptimumOfSmallGraphsWithPrizes) {
    int found = 0;
    int sought = 0;
    for (std::uint64_t number = 0; number < 200; ++number) {
        const Instance instance = testing::small_prize_instance(number);
        ProblemOptions options;
        options.root = 0;
        const auto problem = make_problem("pcst", instance, options);
        const Graph graph = search_graph(*problem, StopToken())->graph;
        const FlatGraph flat(graph, PrizeModel{.detour = 1000});
        if (!flat.has_copies()) continue;
        const auto start = *shortest_path_tree(flat, flat.anchor(), flat.weights());
        VertexAnnealing annealing(flat, start);
        Random random(number);
        const double cost = start.cost - flat.surplus();
        for (double heat = 0.5; heat > 0.01; heat *= 0.9) {
            annealing.run(100, {heat * cost, cost}, random, StopToken());
        }
        const double optimum = testing::steiner_optimum(*problem);
        const double best = annealing.best().cost - flat.surplus();
        EXPECT_GE(best, optimum - 1e-9 * (1 + start.cost));
        ++sought;
        found += best <= optimum + 1e-9 * (1 + start.cost) ? 1 : 0;
    }
    EXPECT_GE(found, 0.9 * sought);
    EXPECT_GE(sought, 100);
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
        for (double heat = 0.5; heat > 0.01; heat *= 0.9)
            annealing.run(100, {heat * start.cost, start.cost}, random, StopToken());
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
        for (double heat = 0.3; heat > 0.03; heat *= 0.95) {
            annealing.run(300, {heat * mean, 2 * mean}, random, StopToken());
        }
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
    const std::vector<int> before = annealing.edges();
    annealing.run(1'000'000'000, {50, 50}, random, StopToken(StopToken::Clock::now(), {}));
    EXPECT_EQ(annealing.edges(), before);
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
