// Branch and bound where bounds alone do not end it: hypercubes, whose symmetry leaves dual ascent far below.
#include "steiner/branching.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "steiner/search_graph.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim {
namespace {

using steiner::Branching;

constexpr double no_tree_known = std::numeric_limits<double>::infinity();

/// The corners of a cube; every second one is a terminal. Weights are 1, or differ from it by up to `spread`.
Instance hypercube(int dimension, double spread, std::uint64_t seed) {
    const Vertex n = 1 << dimension;
    Random random(seed);
    std::vector<WeightedEdge> edges;
    Instance instance;
    for (Vertex u = 0; u < n; ++u) {
        if (std::popcount(static_cast<unsigned>(u)) % 2 == 0) instance.terminals.push_back(u);
        for (int bit = 0; bit < dimension; ++bit) {
            const Vertex v = u ^ (1 << bit);
            if (u < v) edges.push_back({u, v, 1 + spread * random.uniform()});
        }
    }
    instance.weights = Weights::from_edges(n, std::move(edges));
    return instance;
}

double weight_of_met_tree(const Branching& branching, const Instance& instance) {
    std::set<std::pair<Vertex, Vertex>> edges;
    for (const Edge& edge : branching.edges()) edges.insert(std::minmax(edge.u, edge.v));
    double sum = 0;
    for (const auto& [u, v] : edges) sum += instance.weights(u, v);
    return sum;
}

TEST(SteinerBranching, SplitsUntilTheOptimumIsProven) {
    std::int64_t nodes = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Instance instance = hypercube(4, seed % 3 == 0 ? 0.0 : 0.2, seed);
        const auto problem = make_problem("stp", instance, {});
        auto graph = steiner::search_graph(*problem, StopToken());
        Branching branching(std::move(graph->graph), graph->whole_weights);
        EXPECT_FALSE(branching.advance(no_tree_known, Branching::no_limit, StopToken()));
        const double optimum = testing::steiner_optimum(*problem);
        EXPECT_NEAR(branching.cost(), optimum, 1e-9);
        EXPECT_NEAR(branching.bound(), optimum, 1e-9);
        EXPECT_NEAR(weight_of_met_tree(branching, instance), optimum, 1e-9);
        nodes += branching.nodes();
    }
    EXPECT_GT(nodes, 12) << "no cube was split";
}

TEST(SteinerBranching, ItsBoundHoldsHoweverEarlyItIsStopped) {
    const Instance instance = hypercube(5, 0.2, 7);
    const auto problem = make_problem("stp", instance, {});
    const double optimum = testing::steiner_optimum(*problem);
    auto graph = steiner::search_graph(*problem, StopToken());
    Branching branching(std::move(graph->graph), graph->whole_weights);
    double upper = 2 * optimum;
    double before = 0;
    bool is_open = true;
    int round = 0;
    for (; is_open; ++round) {
        ASSERT_LT(round, 100'000);
        // A better tree from outside lets it begin anew.
        if (round == 10) upper = 1.02 * optimum;
        is_open = branching.advance(upper, 20'000, StopToken());
        EXPECT_LE(branching.bound(), optimum + 1e-9);
        EXPECT_GE(branching.bound(), before - 1e-9);
        before = branching.bound();
    }
    EXPECT_GT(round, 10);
    EXPECT_GT(branching.nodes(), 1);
    EXPECT_NEAR(branching.bound(), optimum, 1e-9);
}

TEST(SteinerBranching, ProvesTheOptimumInStagesWhateverItIsTold) {
    for (const double spread : {0.0, 0.2}) {
        const Instance instance = hypercube(5, spread, 3);
        const auto problem = make_problem("stp", instance, {});
        const double optimum = testing::steiner_optimum(*problem);
        for (const double factor : {1.0, 1.1, 3.0}) {
            auto graph = steiner::search_graph(*problem, StopToken());
            Branching branching(std::move(graph->graph), graph->whole_weights);
            for (bool is_open = true; is_open;) {
                is_open = branching.advance(factor * optimum, 200'000, StopToken());
                EXPECT_LE(branching.bound(), optimum + 1e-9) << factor;
            }
            EXPECT_NEAR(branching.bound(), optimum, 1e-9) << factor;
            EXPECT_GT(branching.nodes(), 64) << "too few nodes for a second stage";
        }
    }
}

TEST(SteinerBranching, SaysWhenNoTreeIsCheaper) {
    const Instance instance = hypercube(4, 0.0, 0);
    const auto problem = make_problem("stp", instance, {});
    const double optimum = testing::steiner_optimum(*problem);
    auto graph = steiner::search_graph(*problem, StopToken());
    Branching branching(std::move(graph->graph), graph->whole_weights);
    EXPECT_FALSE(branching.advance(optimum, Branching::no_limit, StopToken()));
    EXPECT_NEAR(branching.bound(), optimum, 1e-9);
}

}  // namespace
}  // namespace neuroprim
