#include "bounds/subset_bound.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "bounds/vertex_sets.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/optimality.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"
#include "support/random_specs.hpp"

namespace neuroprim {
namespace {

constexpr double no_upper = std::numeric_limits<double>::infinity();

struct Ended {
    double value = 0;
    std::optional<Tree> tree;
};

Ended run_to_the_end(const Problem& problem, double upper) {
    const auto bound = make_subset_bound(problem);
    EXPECT_TRUE(bound);
    while (bound->advance(upper, StopToken())) {
    }
    return {bound->value(), bound->tree()};
}

TEST(SubsetBound, IsTheOptimumOfAnySpecification) {
    int feasible = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const testing::Asked asked = testing::random_question(4 + static_cast<Vertex>(seed % 3), seed);
        const Problem problem(asked.instance, asked.spec);
        const auto optimum = testing::optimum(problem);
        const std::string what = std::to_string(seed) + ": " + describe(asked.spec, asked.instance);
        const Ended free = run_to_the_end(problem, no_upper);
        if (!optimum) {
            EXPECT_FALSE(free.tree) << what;
            continue;
        }
        ++feasible;
        ASSERT_NEAR(free.value, *optimum, 1e-9 * *optimum) << what;
        ASSERT_TRUE(free.tree) << what;
        EXPECT_FALSE(problem.violation(*free.tree)) << what << *problem.violation(*free.tree);
        EXPECT_NEAR(problem.cost(*free.tree), *optimum, 1e-9 * *optimum) << what;
        // A better tree than the known one is found, too, and the known one is proven if there is none.
        const Ended near = run_to_the_end(problem, *optimum * 1.02 + 1e-6);
        EXPECT_NEAR(near.value, *optimum, 1e-9 * *optimum) << what;
        const Ended loose = run_to_the_end(problem, *optimum + 0.3);
        EXPECT_NEAR(loose.value, *optimum, 1e-9 * *optimum) << what;
        const Ended tight = run_to_the_end(problem, *optimum);
        EXPECT_TRUE(proven(*optimum, tight.value)) << what;
        EXPECT_LE(tight.value, *optimum) << what;
    }
    EXPECT_GT(feasible, 500);
}

}  // namespace
}  // namespace neuroprim
