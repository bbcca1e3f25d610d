#include "bounds/steiner_bound.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"
#include "steiner/dual_ascent.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/search_graph.hpp"
#include "support/benchmarks.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim {
namespace {

using testing::small_steiner_instance;
using testing::steiner_optimum;

constexpr double unknown = std::numeric_limits<double>::infinity();

TEST(DualAscent, IsABoundFromEveryRoot) {
    double sum = 0;
    double optima = 0;
    for (std::uint64_t number = 0; number < 150; ++number) {
        const Instance instance = small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const steiner::FlatGraph flat(steiner::search_graph(*problem, StopToken())->graph);
        const double optimum = steiner_optimum(*problem);
        for (const Vertex root : flat.terminals()) {
            const auto ascent = steiner::dual_ascent(flat, root, StopToken());
            EXPECT_LE(ascent.bound, optimum * (1 + 1e-12)) << "instance " << number;
            for (const double reduced : ascent.reduced) EXPECT_GE(reduced, 0);
            sum += ascent.bound;
            optima += optimum;
        }
    }
    EXPECT_GT(sum, 0.95 * optima);
}

TEST(DualAscent, ReducedCostsBoundTreesWithAVertexOrAnEdge) {
    for (std::uint64_t number = 0; number < 60; ++number) {
        const Instance instance = small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const steiner::FlatGraph flat(steiner::search_graph(*problem, StopToken())->graph);
        const auto ascent = steiner::dual_ascent(flat, flat.terminals().front(), StopToken());
        const auto bounds = steiner::reduced_cost_bounds(flat, ascent);
        // The cheapest tree of every vertex set that no pruning makes smaller.
        for (unsigned inside = 0; inside < (1U << flat.size()); ++inside) {
            std::vector<int> edges;
            for (int e = 0; e < flat.edge_count(); ++e) {
                if ((inside >> flat.link(e).u & inside >> flat.link(e).v & 1U) != 0) edges.push_back(e);
            }
            const auto tree = steiner::tree_among(flat, edges, flat.weights());
            if (!tree) continue;
            for (const int e : tree->edges) {
                EXPECT_LE(bounds.with_edge[static_cast<std::size_t>(e)], tree->cost * (1 + 1e-12));
                EXPECT_LE(bounds.with_vertex[index(flat.link(e).u)], tree->cost * (1 + 1e-12));
                EXPECT_LE(bounds.with_vertex[index(flat.link(e).v)], tree->cost * (1 + 1e-12));
            }
        }
    }
}

TEST(DualAscent, IsInfiniteWhenTerminalsAreApart) {
    auto origins = std::make_shared<steiner::Origins>();
    steiner::Graph graph(4, origins);
    graph.make_terminal(0);
    graph.make_terminal(3);
    graph.add_new(0, 1, 1, origins->input(0, 1));
    graph.add_new(2, 3, 1, origins->input(2, 3));
    EXPECT_EQ(steiner::dual_ascent(steiner::FlatGraph(graph), 0, StopToken()).bound, unknown);
}

TEST(SteinerBound, MeetsTheOptimumAndNeverPassesIt) {
    for (std::uint64_t number = 0; number < 300; ++number) {
        const Instance instance = small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const double optimum = steiner_optimum(*problem);
        const auto bound = make_bound_process(*problem);
        ASSERT_NE(bound, nullptr);
        EXPECT_LE(bound->value(), optimum);
        while (bound->advance(unknown, StopToken())) EXPECT_LE(bound->value(), optimum * (1 + 1e-12));
        EXPECT_NEAR(bound->value(), optimum, 1e-9 * optimum) << "instance " << number;
        ASSERT_TRUE(bound->tree().has_value());
        EXPECT_EQ(problem->violation(*bound->tree()), std::nullopt);
        EXPECT_NEAR(problem->cost(*bound->tree()), optimum, 1e-9 * optimum);
    }
}

TEST(SteinerBound, ProvesATreeThatSomebodyElseFound) {
    for (std::uint64_t number = 0; number < 100; ++number) {
        const Instance instance = small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const double optimum = steiner_optimum(*problem);
        const auto bound = make_steiner_bound(*problem);
        while (bound->advance(optimum, StopToken())) {
        }
        EXPECT_NEAR(bound->value(), optimum, 1e-9 * optimum) << "instance " << number;
    }
}

TEST(SteinerBound, BranchesWhereDualAscentIsNotEnough) {
    GenerateOptions options;
    options.shape = GenerateOptions::Shape::sparse;
    options.n = 60;
    options.terminals = 12;
    options.average_degree = 8;
    options.scale = 3;
    options.integers = true;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        options.seed = seed;
        const Instance instance = generate(options);
        const auto problem = make_problem("stp", instance);
        const auto bound = make_steiner_bound(*problem);
        double last = 0;
        while (bound->advance(unknown, StopToken())) {
            EXPECT_GE(bound->value(), last);
            last = bound->value();
        }
        ASSERT_TRUE(bound->tree().has_value());
        EXPECT_EQ(bound->value(), problem->cost(*bound->tree()));
    }
}

TEST(SteinerBound, RisesBySizesNotByTheClock) {
    GenerateOptions options;
    options.shape = GenerateOptions::Shape::sparse;
    options.n = 400;
    options.terminals = 60;
    options.average_degree = 8;
    const Instance instance = generate(options);
    const auto problem = make_problem("stp", instance);
    const auto one = make_steiner_bound(*problem);
    const auto other = make_steiner_bound(*problem);
    for (int k = 0; k < 10; ++k) {
        EXPECT_EQ(one->advance(unknown, StopToken()), other->advance(unknown, StopToken()));
        EXPECT_EQ(one->value(), other->value());
        EXPECT_EQ(one->tree(), other->tree());
    }
}

TEST(SteinerBound, StaysAtZeroWhenThereIsNoTime) {
    const Instance instance = small_steiner_instance(3);
    const auto problem = make_problem("stp", instance);
    const auto bound = make_steiner_bound(*problem);
    const StopToken expired(StopToken::Clock::now(), {});
    EXPECT_TRUE(bound->advance(unknown, expired));
    EXPECT_LE(bound->value(), steiner_optimum(*problem));
}

TEST(SteinerBound, OfTooManyPointsIsHalfTheTreeOfTerminals) {
    GenerateOptions options;
    options.n = 12'500;
    options.terminals = 3;
    const Instance instance = generate(options);
    const auto problem = make_problem("stp", instance);
    const auto bound = make_steiner_bound(*problem);
    EXPECT_FALSE(bound->advance(unknown, StopToken()));
    const auto& t = instance.terminals;
    const auto& w = instance.weights;
    const double ab = w(t[0], t[1]);
    const double bc = w(t[1], t[2]);
    const double ac = w(t[0], t[2]);
    EXPECT_NEAR(bound->value(), (ab + bc + ac - std::max({ab, bc, ac})) / 2, 1e-12);
}

TEST(SteinerBound, ClosesTheLiteratureInstancesOfCompleteGraphs) {
    const auto folder = testing::benchmarks();
    if (!folder) GTEST_SKIP() << "no literature instances: set NEUROPRIM_BENCHMARKS";
    for (const auto& [name, optimum] :
         {std::pair{"p455", 1138.0}, {"p463", 1510.0}, {"p464", 2545.0}, {"p466", 6234.0}}) {
        const auto file = *folder / "steinlib" / "P4E" / (std::string(name) + ".stp");
        const auto instances = read_instances(file.string());
        const auto problem = make_problem("stp", instances.front());
        const auto bound = make_steiner_bound(*problem);
        while (bound->advance(unknown, StopToken())) {
        }
        EXPECT_EQ(bound->value(), optimum) << name;
        EXPECT_EQ(problem->cost(*bound->tree()), optimum) << name;
    }
}

}  // namespace
}  // namespace neuroprim
