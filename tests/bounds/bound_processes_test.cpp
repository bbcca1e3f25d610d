#include <gtest/gtest.h>

#include "bounds/bound_process.hpp"
#include "neuroprim/optimality.hpp"
#include "support/brute_force.hpp"
#include "support/random_specs.hpp"

namespace neuroprim {
namespace {

TEST(BoundProcesses, NeverExceedTheOptimumOfAnySpecification) {
    int proofs = 0;
    int questions = 0;
    for (std::uint64_t seed = 10'000; seed < 10'600; ++seed) {
        const testing::Asked asked = testing::random_question(4 + static_cast<Vertex>(seed % 3), seed);
        const Problem problem(asked.instance, asked.spec);
        const auto optimum = testing::optimum(problem);
        if (!optimum) continue;
        ++questions;
        const std::string what = std::to_string(seed) + ": " + describe(asked.spec, asked.instance);
        const auto bound = make_bound_process(problem);
        ASSERT_TRUE(bound) << what;
        for (int slice = 0; slice < 12 && bound->advance(*optimum * (1 + 0.1 * (slice < 6)), StopToken()); ++slice) {
            ASSERT_LE(bound->value(), *optimum * (1 + 1e-9)) << what;
        }
        ASSERT_LE(bound->value(), *optimum * (1 + 1e-9)) << what;
        proofs += static_cast<int>(proven(*optimum, bound->value()));
    }
    EXPECT_GT(questions, 200);
    EXPECT_EQ(proofs, questions);
}

}  // namespace
}  // namespace neuroprim
