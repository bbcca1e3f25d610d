#include <gtest/gtest.h>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::construct;
using testing::finds_no_tree;

TEST(HopPrim, IsPrimWherePrimIsNotStuck) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Instance instance = generate({.n = 40, .seed = seed});
        const auto problem = make_problem("hmst", instance, {.root = 3, .hops = 4});
        EXPECT_EQ(construct("hop-prim", *problem), construct("prim", *problem));
    }
}

TEST(HopPrim, FindsATreeWheneverThereIsOne) {
    int prim_stuck = 0;
    int infeasible = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto n = static_cast<Vertex>(2 + seed % 40);
        const Instance instance = generate({.shape = Shape::sparse, .n = n, .average_degree = 3, .seed = seed});
        const auto problem = make_problem("hmst", instance, {.hops = static_cast<int>(2 + seed % 5)});
        // The obstacle is exact here: a tree of fewest hops is feasible whenever any tree is.
        if (problem->infeasibility_certificate()) {
            ++infeasible;
            EXPECT_TRUE(finds_no_tree("hop-prim", *problem));
            continue;
        }
        EXPECT_EQ(problem->violation(construct("hop-prim", *problem)), std::nullopt);
        if (finds_no_tree("prim", *problem)) ++prim_stuck;
    }
    EXPECT_GT(prim_stuck, 20);
    EXPECT_GT(infeasible, 20);
}

TEST(HopPrim, HangsAVertexFromItsFlattestPath) {
    // Cheapest first walks 0-1-2-3 and leaves 4, two hops from the root through 3, out of reach of three hops.
    const Instance instance = testing::of_edges(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 3, 9}, {3, 4, 1}});
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 3});
    EXPECT_TRUE(finds_no_tree("prim", *problem));
    EXPECT_EQ(problem->cost(construct("hop-prim", *problem)), 1 + 1 + 9 + 1);
}

}  // namespace
}  // namespace neuroprim
