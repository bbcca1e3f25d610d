#include <gtest/gtest.h>

#include <algorithm>

#include "heuristics/construct.hpp"
#include "heuristics/degree_repair.hpp"
#include "heuristics/degree_search.hpp"
#include "heuristics/hamiltonian_path.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using testing::complaint;
using testing::construct;
using testing::finds_no_tree;
using testing::of_edges;

/// A random graph that hides a tree with at most `degree` edges a vertex; the other edges are lighter, so that
/// cheapest-first is led away from it. Its own limits are what that tree needs and no more.
Instance with_hidden_tree(Vertex n, int degree, double average_degree, std::uint64_t seed) {
    Random random(seed, 17);
    std::vector<Vertex> order;
    std::vector<int> used(static_cast<std::size_t>(n), 0);
    for (Vertex v = 0; v < n; ++v) {
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(order.size() + 1)), v);
    }
    std::vector<WeightedEdge> edges;
    for (std::size_t k = 1; k < order.size(); ++k) {
        std::size_t parent = k - 1;
        while (degree > 2 && used[parent = random.below(k)] >= degree) {
        }
        ++used[parent];
        ++used[k];
        edges.push_back({order[parent], order[k], 0.3 + random.uniform()});
    }
    const auto count = static_cast<std::size_t>(average_degree * n / 2);
    while (edges.size() < count) {
        const auto u = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
        const auto v = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
        if (u != v) edges.push_back({u, v, random.uniform()});
    }
    Instance instance = of_edges(n, edges);
    instance.degree_limits.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        instance.degree_limits[static_cast<std::size_t>(order[k])] = used[k];
    }
    return instance;
}

Instance random_limits(Instance instance, Random& random) {
    instance.degree_limits.clear();
    for (Vertex v = 0; v < instance.size(); ++v) {
        instance.degree_limits.push_back(static_cast<int>(1 + random.below(3)));
    }
    return instance;
}

TEST(DegreePrim, FindsATreeOfAFewVerticesWheneverThereIsOne) {
    Random random(1);
    int feasible = 0;
    int infeasible = 0;
    int repaired = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const auto n = static_cast<Vertex>(seed % 20 == 0 ? 7 : 3 + seed % 4);
        const double average = 1.8 + 0.4 * static_cast<double>(seed % 5);
        Instance instance = generate({.shape = GenerateOptions::Shape::sparse,
                                      .n = n,
                                      .average_degree = std::min(average, n - 1.0),
                                      .seed = seed});
        ProblemOptions options;
        if (seed % 3 == 0) {
            instance = random_limits(std::move(instance), random);
        } else {
            options.degree = seed % 3 == 1 ? 2 : 3;
        }
        const auto problem = make_problem("dcmst", instance, options);
        if (!testing::optimum(*problem)) {
            ++infeasible;
            EXPECT_TRUE(finds_no_tree("degree-prim", *problem)) << "seed " << seed;
            continue;
        }
        ++feasible;
        ASSERT_EQ(complaint("degree-prim", *problem), "built a tree") << "seed " << seed;
        EXPECT_EQ(problem->violation(construct("degree-prim", *problem)), std::nullopt);
        if (finds_no_tree("prim", *problem)) ++repaired;
    }
    EXPECT_GT(feasible, 50);
    EXPECT_GT(infeasible, 50);
    EXPECT_GT(repaired, 20);
}

TEST(DegreePrim, FindsHiddenTreesInSparseGraphs) {
    int prim_stuck = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        for (const int degree : {2, 3}) {
            const Instance instance = with_hidden_tree(50, degree, 4, seed);
            const auto problem = make_problem("dcmst", instance, {.degree = degree});
            ASSERT_EQ(complaint("degree-prim", *problem), "built a tree") << "seed " << seed << " degree " << degree;
            EXPECT_EQ(problem->violation(construct("degree-prim", *problem)), std::nullopt);
            if (finds_no_tree("prim", *problem)) ++prim_stuck;
        }
    }
    EXPECT_GT(prim_stuck, 30);
}

TEST(DegreePrim, FindsAHiddenTreeUnderLimitsThatOnlyJustAllowIt) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Instance instance = with_hidden_tree(60, 5, 3, seed);
        for (std::size_t v = 0; v < instance.degree_limits.size(); v += 10) ++instance.degree_limits[v];
        const auto problem = make_problem("dcmst", instance);
        ASSERT_EQ(complaint("degree-prim", *problem), "built a tree") << "seed " << seed;
        EXPECT_EQ(problem->violation(construct("degree-prim", *problem)), std::nullopt);
    }
}

TEST(DegreePrim, GrowsFromTheStartItIsGiven) {
    const Instance instance = with_hidden_tree(50, 3, 4, 5);
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    for (const Vertex start : {0, 20, 49}) EXPECT_EQ(construct("degree-prim", *problem, {start, 1}).start, start);
}

TEST(DegreePrim, IsPrimOnCompleteGraphs) {
    const Instance instance = generate({.n = 60, .seed = 1});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    EXPECT_EQ(construct("degree-prim", *problem), construct("prim", *problem));
}

TEST(DegreePrim, NamesTheVertexThatNoTreeCanServe) {
    const Instance instance = of_edges(6, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {3, 4, 1}, {4, 5, 1}, {3, 5, 1}});
    EXPECT_EQ(
        complaint("degree-prim", *make_problem("dcmst", instance, {.degree = 2})),
        "without vertex 0 what must be in the tree falls into 3 parts, so it needs 3 edges there, and its degree "
        "limit is 2");
}

TEST(DegreePrim, ProvesByTrialThatAFewVerticesHaveNoTree) {
    // K2,4 has no Hamiltonian path, but no cut vertex either.
    const Instance instance =
        of_edges(6, {{0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {0, 5, 1}, {1, 2, 1}, {1, 3, 1}, {1, 4, 1}, {1, 5, 1}});
    EXPECT_EQ(complaint("degree-prim", *make_problem("dcmst", instance, {.degree = 2})),
              "no tree keeps the degree limits: all spanning trees were tried");
}

TEST(DegreePrim, AdmitsThatItFoundNothingWithoutProof) {
    // K4,9: no Hamiltonian path, and too many spanning trees to try.
    std::vector<WeightedEdge> edges;
    for (Vertex u = 0; u < 4; ++u) {
        for (Vertex v = 4; v < 13; ++v) edges.push_back({u, v, 1});
    }
    EXPECT_EQ(complaint("degree-prim", *make_problem("dcmst", of_edges(13, edges), {.degree = 2})),
              "degree-prim found no tree that keeps the degree limits; there may still be one");
}

TEST(DegreeSearch, AgreesWithBruteForceOnWhetherThereIsATree) {
    Random random(6);
    int feasible = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const auto n = static_cast<Vertex>(2 + seed % 5);
        const Instance instance = random_limits(generate({.shape = GenerateOptions::Shape::sparse,
                                                          .n = n,
                                                          .average_degree = std::min(2.5, n - 1.0),
                                                          .seed = seed}),
                                                random);
        const auto problem = make_problem("dcmst", instance);
        const auto tree = search_degree_limited_tree(instance.weights.edges(), instance.degree_limits);
        ASSERT_EQ(tree.has_value(), testing::optimum(*problem).has_value());
        if (!tree) continue;
        ++feasible;
        EXPECT_EQ(problem->violation(*tree), std::nullopt);
    }
    EXPECT_GT(feasible, 30);
    EXPECT_LT(feasible, 120);
}

TEST(DegreeRepair, MendsAMinimumSpanningTree) {
    double minding = 0;
    double regardless = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = with_hidden_tree(200, 3, 4, seed);
        const auto problem = make_problem("dcmst", instance, {.degree = 3});
        const std::vector<int> limits(200, 3);
        const Tree mst = minimum_spanning_tree(instance.weights);
        const auto degree = degrees(mst, 200);
        ASSERT_GT(*std::max_element(degree.begin(), degree.end()), 3);
        for (const bool mind_weights : {true, false}) {
            std::size_t visits = 10'000'000;
            const auto tree =
                repair_degrees(mst, instance.weights.edges(), limits, {mind_weights, 5000, seed}, visits);
            ASSERT_TRUE(tree);
            EXPECT_EQ(problem->violation(*tree), std::nullopt);
            EXPECT_LT(visits, 10'000'000U);
            (mind_weights ? minding : regardless) += problem->cost(*tree);
        }
    }
    EXPECT_LT(minding, regardless);
}

TEST(DegreeRepair, LetsTheExcessTravelUnderTightLimits) {
    int mended = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Instance instance = with_hidden_tree(60, 5, 3, seed);
        const auto edges = instance.weights.edges();
        const Tree tree = completed({0, {}}, edges, instance.degree_limits);
        std::size_t visits = 10'000'000;
        if (repair_degrees(tree, edges, instance.degree_limits, {true, 3000, seed}, visits)) ++mended;
    }
    EXPECT_GE(mended, 20);  // without the tabu list: none
}

TEST(DegreeRepair, StopsWhenItsRoundsOrVisitsAreUsedUp) {
    const Instance instance = with_hidden_tree(200, 3, 4, 0);
    const std::vector<int> limits(200, 3);
    const Tree mst = minimum_spanning_tree(instance.weights);
    std::size_t visits = 10'000'000;
    EXPECT_FALSE(repair_degrees(mst, instance.weights.edges(), limits, {true, 2, 0}, visits));
    visits = 10;
    EXPECT_FALSE(repair_degrees(mst, instance.weights.edges(), limits, {true, 5000, 0}, visits));
    EXPECT_EQ(visits, 0U);
}

TEST(HamiltonianPath, VisitsEveryVertexOnceAlongEdges) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = with_hidden_tree(80, 2, 4, seed);
        const auto path = hamiltonian_path(instance.weights, {static_cast<Vertex>(seed)});
        ASSERT_TRUE(path);
        for (std::size_t k = 1; k < path->size(); ++k) {
            EXPECT_TRUE(instance.weights.has_edge((*path)[k - 1], (*path)[k]));
        }
        std::vector<Vertex> sorted = *path;
        std::sort(sorted.begin(), sorted.end());
        for (Vertex v = 0; v < 80; ++v) EXPECT_EQ(sorted.at(static_cast<std::size_t>(v)), v);
    }
}

}  // namespace
}  // namespace neuroprim
