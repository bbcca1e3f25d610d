#include "steiner/reductions.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "steiner/edge_tree.hpp"
#include "steiner/postsolve.hpp"
#include "steiner/search_graph.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim::steiner {
namespace {

using testing::small_steiner_instance;
using testing::steiner_optimum;

/// An optimal tree of a small graph: all edge sets of minimum spanning trees of vertex sets.
EdgeTree optimal_tree(const FlatGraph& flat) {
    EdgeTree best;
    best.cost = Weights::infinity;
    for (unsigned inside = 0; inside < (1U << flat.size()); ++inside) {
        std::vector<int> edges;
        for (int e = 0; e < flat.edge_count(); ++e) {
            if ((inside >> flat.link(e).u & inside >> flat.link(e).v & 1U) != 0) edges.push_back(e);
        }
        const auto tree = tree_among(flat, edges, flat.weights());
        if (tree && tree->cost < best.cost) best = *tree;
    }
    return best;
}

void expect_optimum_kept(std::uint64_t number, const std::function<void(Graph&)>& change) {
    const Instance instance = small_steiner_instance(number);
    const auto problem = make_problem("stp", instance);
    const double optimum = steiner_optimum(*problem);
    const auto search = search_graph(*problem, StopToken());
    ASSERT_TRUE(search->keeps_optimum);
    change(search->graph);
    const FlatGraph flat(search->graph);
    const EdgeTree reduced = optimal_tree(flat);
    EXPECT_NEAR(search->graph.fixed_cost() + reduced.cost, optimum, 1e-9 * optimum) << "instance " << number;
    const Tree tree = postsolved(*problem, search->graph, flat, reduced.edges);
    EXPECT_EQ(problem->violation(tree), std::nullopt) << "instance " << number;
    EXPECT_NEAR(problem->cost(tree), optimum, 1e-9 * optimum) << "instance " << number;
}

TEST(SteinerOracle, AgreesWithAllTrees) {
    for (std::uint64_t number = 0; number < 10; ++number) {
        Instance instance = small_steiner_instance(5 * number);  // n = 6
        const auto problem = make_problem("stp", instance);
        EXPECT_NEAR(steiner_optimum(*problem), *testing::optimum(*problem), 1e-9);
    }
}

TEST(SearchGraph, OfACompleteGraphKeepsAnOptimumWithFewerEdges) {
    std::size_t kept = 0;
    std::size_t all = 0;
    for (std::uint64_t number = 2; number < 100; number += 5) {
        for (const std::uint64_t k : {number, number + 1}) {
            expect_optimum_kept(k, [&](Graph& graph) {
                kept += static_cast<std::size_t>(graph.edge_count());
                all += small_steiner_instance(k).weights.edge_count();
            });
        }
    }
    EXPECT_LT(kept, all);
}

TEST(Reductions, ByDegreeKeepAnOptimum) {
    for (std::uint64_t number = 0; number < 150; ++number) {
        expect_optimum_kept(number, [](Graph& graph) { reduce_by_degree(graph); });
    }
}

TEST(Reductions, ByShortLinksKeepAnOptimum) {
    for (std::uint64_t number = 0; number < 150; ++number) {
        expect_optimum_kept(number, [](Graph& graph) { reduce_by_short_links(graph); });
    }
}

TEST(Reductions, TogetherKeepAnOptimum) {
    int before = 0;
    int after = 0;
    for (std::uint64_t number = 0; number < 400; ++number) {
        expect_optimum_kept(number, [&](Graph& graph) {
            before += graph.edge_count();
            EXPECT_TRUE(reduce(graph, StopToken()));
            after += graph.edge_count();
        });
    }
    EXPECT_LT(after, before / 4);
}

TEST(Reductions, StopAndGoOnWithTheSameResult) {
    for (std::uint64_t number = 0; number < 60; ++number) {
        expect_optimum_kept(number, [](Graph& graph) {
            Graph at_once = graph;
            reduce(at_once, StopToken());
            Reducer reducer;
            const StopToken expired(StopToken::Clock::now(), {});
            int calls = 1;
            while (!reducer.advance(graph, expired) && calls < 1000) ++calls;
            EXPECT_LT(calls, 1000);
            EXPECT_EQ(graph.edge_count(), at_once.edge_count());
            EXPECT_EQ(graph.fixed_cost(), at_once.fixed_cost());
        });
    }
}

TEST(Reductions, LeaveNothingOfAPathBetweenTwoTerminals) {
    Instance instance = testing::of_edges(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}});
    instance.terminals = {0, 3};
    const auto problem = make_problem("stp", instance);
    const auto search = search_graph(*problem, StopToken());
    reduce(search->graph, StopToken());
    EXPECT_EQ(search->graph.edge_count(), 0);
    EXPECT_EQ(search->graph.fixed_cost(), 9);
    const Tree tree = postsolved(*problem, search->graph, FlatGraph(search->graph), {});
    EXPECT_EQ(tree.edges.size(), 3U);
}

TEST(Graph, OfParallelEdgesKeepsTheLighter) {
    auto origins = std::make_shared<Origins>();
    Graph graph(3, origins);
    graph.add(0, 1, 5, origins->input(0, 1));
    graph.add(1, 0, 3, origins->input(1, 0));
    graph.add(0, 1, 4, origins->input(0, 1));
    EXPECT_EQ(graph.edge_count(), 1);
    EXPECT_EQ(graph.link(graph.find(0, 1)).weight, 3);
}

TEST(Graph, ContractedEdgesMergeTheirEndsIntoATerminal) {
    auto origins = std::make_shared<Origins>();
    Graph graph(4, origins);
    graph.make_terminal(0);
    const int e = graph.add_new(0, 1, 1, origins->input(0, 1));
    graph.add_new(0, 2, 7, origins->input(0, 2));
    graph.add_new(1, 2, 5, origins->input(1, 2));
    graph.add_new(1, 3, 2, origins->input(1, 3));
    const Vertex merged = graph.contract(e);
    EXPECT_TRUE(graph.is_terminal(merged));
    EXPECT_EQ(graph.representative(0), merged);
    EXPECT_EQ(graph.representative(1), merged);
    EXPECT_EQ(graph.edge_count(), 2);
    EXPECT_EQ(graph.link(graph.find(merged, 2)).weight, 5);
    EXPECT_EQ(graph.fixed_cost(), 1);
    const Graph compact = graph.compacted();
    EXPECT_EQ(compact.size(), 3);
    EXPECT_EQ(compact.edge_count(), 2);
    EXPECT_EQ(compact.terminal_count(), 1);
}

}  // namespace
}  // namespace neuroprim::steiner
