// Routing cost where some vertices count more than others.
#include <gtest/gtest.h>

#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

Instance with_masses(Vertex n, std::uint64_t seed) {
    Instance instance = generate({.n = n, .seed = seed});
    Random random(seed, 17);
    for (Vertex v = 0; v < n; ++v) instance.masses.push_back(static_cast<double>(random.below(5)));
    return instance;
}

/// Σ over pairs of mass × mass × the way between them, from the definition.
double by_definition(const Instance& instance, const Tree& tree) {
    double sum = 0;
    for (Vertex u = 0; u < instance.size(); ++u) {
        const RootedTree from_u = hang(tree, u, instance.size());
        std::vector<double> way(index(instance.size()), 0);
        for (const Vertex v : from_u.order) {
            const Vertex before = from_u.parent[index(v)];
            if (before != no_vertex) way[index(v)] = way[index(before)] + instance.weights(before, v);
            if (v < u) sum += instance.masses[index(u)] * instance.masses[index(v)] * way[index(v)];
        }
    }
    return sum;
}

TEST(Masses, PriceTreesAsDefined) {
    const Instance instance = with_masses(6, 3);
    const auto problem = make_problem("mrcst", instance);
    testing::for_each_candidate(
        *problem, [&](const Tree& tree) { EXPECT_NEAR(problem->cost(tree), by_definition(instance, tree), 1e-9); });
}

TEST(Masses, SearchFindsTheOptimumAndNoBoundExceedsIt) {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const Instance instance = with_masses(6, seed);
        ProblemOptions options;
        if (seed % 3 == 1) options.degree = 3;
        if (seed % 3 == 2) options.diameter = 4;
        const auto problem = make_problem("mrcst", instance, options);
        const double least = *testing::optimum(*problem);
        const Solution solution = solve(*problem, {.max_iterations = 400});
        EXPECT_NEAR(solution.cost, least, 1e-9) << "seed " << seed;
        ASSERT_TRUE(solution.bound) << "seed " << seed;
        EXPECT_LE(*solution.bound, solution.cost) << "seed " << seed;
        EXPECT_NE(solution.specification.find("least routing cost between masses"), std::string::npos);
    }
}

TEST(Masses, MakeTheTreeOneOfRoutingCost) {
    Instance instance = with_masses(5, 1);
    EXPECT_EQ(implied_preset(instance, {}), "mrcst");
    EXPECT_EQ(implied_preset(instance, {.degree = 2}), "tree");
    const TreeSpec spec = specify("tree", instance, {.degree = 2});
    EXPECT_EQ(spec.objective, Objective::routing_cost);
    EXPECT_EQ(spec.masses, instance.masses);
    EXPECT_TRUE(specify("dcmst", instance, {.degree = 2}).masses.empty());
    instance.requirements.assign(10, 1);
    EXPECT_THROW((void)specify("tree", instance, {}), InputError);
}

TEST(Masses, OfOneAreTheUsualCase) {
    Instance instance = generate({.n = 12, .seed = 8});
    const Solution usual = solve(*make_problem("mrcst", instance), {.max_iterations = 200});
    instance.masses.assign(12, 1);
    EXPECT_NEAR(solve(*make_problem("mrcst", instance), {.max_iterations = 200}).cost, usual.cost, 1e-9);
}

}  // namespace
}  // namespace neuroprim
