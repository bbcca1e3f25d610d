#include <gtest/gtest.h>

#include <algorithm>

#include "adding-a-problem/capacitated_mst.hpp"
#include "heuristics/construct.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"
#include "support/tree_of_size.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::complaint;
using testing::construct;
using testing::of_edges;

TEST(KruskalAndPrim, BuildAMinimumSpanningTree) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            const auto n = static_cast<Vertex>(1 + seed % 6);
            const Instance instance = generate({.shape = shape, .n = n, .seed = seed});
            const auto problem = make_problem("mst", instance);
            const double optimum = *testing::optimum(*problem);
            for (const char* method : {"kruskal", "prim", "degree-prim", "hop-prim", "shortest-path"}) {
                const Tree tree = construct(method, *problem);
                EXPECT_EQ(problem->violation(tree), std::nullopt) << method;
                EXPECT_NEAR(problem->cost(tree), optimum, 1e-12) << method << " n=" << n;
            }
        }
    }
}

TEST(Prim, EqualsKruskalOnLargerGraphsFromAnyStart) {
    for (const Shape shape : {Shape::clustered, Shape::grid, Shape::matrix, Shape::sparse}) {
        const Instance instance = generate({.shape = shape, .n = 150, .integers = false, .seed = 9});
        const auto problem = make_problem("mst", instance);
        const double expected = problem->cost(construct("kruskal", *problem));
        for (const Vertex start : {0, 77, 149}) {
            const Tree tree = construct("prim", *problem, {start, 1});
            EXPECT_EQ(tree.start, start);
            EXPECT_NEAR(problem->cost(tree), expected, 1e-9) << to_string(shape);
        }
    }
}

void expect_cheapest_first(const Problem& problem) {
    Construction state(problem, 0);
    for (const auto& [u, v] : construct("prim", problem).edges) {
        double cheapest = Weights::infinity;
        for (const Vertex a : state.open()) {
            for (const Vertex b : state.outside()) {
                if (state.allows(a, b)) cheapest = std::min(cheapest, problem.weights()(a, b));
            }
        }
        ASSERT_TRUE(state.allows(u, v));
        ASSERT_EQ(problem.weights()(u, v), cheapest);
        state.add(u, v);
    }
}

TEST(Prim, TakesTheCheapestAllowedEdgeOfEveryStep) {
    Random random(2);
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            Instance instance = generate({.shape = shape, .n = 25, .average_degree = 8, .seed = seed});
            // Enough leaves that whom the problem admits changes from step to step.
            for (Vertex v = 0; v < 25; ++v) instance.degree_limits.push_back(random.below(2) == 0 ? 1 : 3);
            const auto own_limits = make_problem("dcmst", instance);
            const auto path = make_problem("dcmst", instance, {.degree = 2});
            const auto flat = make_problem("hmst", instance, {.hops = 4});
            for (const auto* problem : {own_limits.get(), path.get(), flat.get()}) {
                if (!testing::finds_no_tree("prim", *problem)) expect_cheapest_first(*problem);
            }
        }
    }
}

TEST(Prim, KeepsRoomsThatOtherVerticesCanClose) {
    const Instance instance = generate({.n = 30, .seed = 2});
    const CapacitatedMst problem(instance, 0, 4);
    const Tree tree = construct("prim", problem);
    EXPECT_EQ(problem.violation(tree), std::nullopt);
    EXPECT_EQ(&default_method(problem), &method_named("prim"));
}

/// Lets vertex 1 in only when three others are there.
class LateGuest final : public Problem {
public:
    using Problem::Problem;
    [[nodiscard]] std::string_view name() const override { return "late-guest"; }
    [[nodiscard]] bool lookahead_allows(const Construction& state, Vertex v) const override {
        return v != 1 || state.size() >= 3;
    }
};

TEST(Prim, RemembersAVertexThatWasNotAdmittedAtFirst) {
    const Instance instance = of_edges(4, {{0, 1, 1}, {0, 2, 5}, {2, 3, 5}});
    EXPECT_EQ(construct("prim", LateGuest(instance)), (Tree{0, {{0, 2}, {2, 3}, {0, 1}}}));
}

TEST(Prim, NeverSticksOnCompleteGraphsWhoseLimitsAddUp) {
    Random random(4);
    for (int round = 0; round < 200; ++round) {
        const auto n = static_cast<Vertex>(2 + random.below(20));
        Instance instance = generate({.n = n, .seed = static_cast<std::uint64_t>(round)});
        for (Vertex v = 0; v < n; ++v) instance.degree_limits.push_back(static_cast<int>(1 + random.below(3)));
        const auto problem = make_problem("dcmst", instance);
        if (problem->infeasibility_certificate()) continue;
        EXPECT_EQ(problem->violation(construct("prim", *problem)), std::nullopt);
    }
}

TEST(Prim, SaysHowFarItCame) {
    // K2,4 has no Hamiltonian path, but no cut vertex either that would prove it.
    const Instance instance =
        of_edges(6, {{0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {0, 5, 1}, {1, 2, 1}, {1, 3, 1}, {1, 4, 1}, {1, 5, 1}});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    EXPECT_EQ(complaint("prim", *problem),
              "prim is stuck at 5 vertices with 1 still to join: no allowed edge is left");
}

TEST(Kruskal, SpansTheTerminalsAloneInASteinerProblem) {
    Instance instance = testing::of_points({{0, 0}, {10, 0}, {5, 1}, {5, 8}});
    instance.terminals = {0, 1, 3};
    const Tree tree = construct("kruskal", *make_problem("stp", instance));
    EXPECT_EQ(tree.edges.size(), 2U);
    EXPECT_EQ(degrees(tree, 4)[2], 0);
}

TEST(Kruskal, NamesTheWayOutWhenTerminalsHaveNoEdgesAmongThem) {
    Instance instance = of_edges(3, {{0, 2, 1}, {1, 2, 1}});
    instance.terminals = {0, 1};
    const auto problem = make_problem("stp", instance);
    EXPECT_EQ(complaint("kruskal", *problem),
              "kruskal joins the 2 required vertices by edges among themselves, and those do not connect them; "
              "shortest-path uses other vertices too");
    EXPECT_EQ(problem->cost(construct("shortest-path", *problem)), 2);
}

TEST(EveryMethod, EndsInATreeOrAReasonWhereNoVertexIsRequired) {
    const Instance instance = generate({.n = 8, .seed = 1});
    const testing::TreeOfSize problem(instance, 4);
    for (const auto& method : methods()) {
        if (!method.supports(problem)) continue;
        for (const Vertex start : {no_vertex, Vertex{3}}) {
            try {
                const Tree tree = method.construct(problem, {start, 1});
                EXPECT_EQ(problem.violation(tree), std::nullopt) << method.name;
            } catch (const Infeasible&) {
                EXPECT_NE(method.name, "kruskal");
                EXPECT_NE(method.name, "prim");
            }
        }
    }
}

TEST(EverySpanningMethod, SaysThatAGraphIsNotConnected) {
    const Instance instance = of_edges(4, {{0, 1, 1}, {2, 3, 1}});
    const auto problem = make_problem("mst", instance);
    for (const char* method :
         {"kruskal", "prim", "hop-prim", "degree-prim", "campos", "campos-strict", "shortest-path", "star"}) {
        EXPECT_EQ(complaint(method, *problem), "the graph is not connected: no path joins vertices 0 and 2")
            << method;
    }
}

TEST(EveryMethod, RefusesAStartThatTheProblemDoesNotAllow) {
    Instance instance = testing::paper_example();
    instance.terminals = {1, 4};
    for (const Method& method : methods()) {
        if (!method.supports(*make_problem("mst", instance))) continue;
        EXPECT_EQ(complaint(method.name, *make_problem("stp", instance), {2, 1}), "stp cannot start at vertex 2");
        EXPECT_EQ(complaint(method.name, *make_problem("mst", instance), {9, 1}),
                  "start vertex 9 is not among the 5 vertices");
    }
}

}  // namespace
}  // namespace neuroprim
