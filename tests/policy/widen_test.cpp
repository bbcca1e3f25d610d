#include <gtest/gtest.h>

#include "neuroprim/policy.hpp"
#include "policy/cases.hpp"
#include "policy/model.hpp"

namespace neuroprim {

namespace {

using testing::small_config;
using testing::told_config;
using testing::with_weights;

TEST(Widened, SaysTheSame) {
    constexpr double rounding = 1e-4;
    for (const PolicyConfig& config : {small_config(), with_weights(small_config(32, 4, 2)),
                                       with_weights(told_config()), told_config(16, 8, 1, false)}) {
        const Policy narrow = Policy::random(config, 11);
        const Policy wide = narrow.widened(3);
        EXPECT_EQ(wide.config().d_v, 2 * config.d_v);
        EXPECT_EQ(wide.config().features, config.features);
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const testing::PolicyCase each = testing::random_specification(12, seed);
            SCOPED_TRACE(each.title);
            const Encoded by_narrow(narrow, *each.problem);
            const Encoded by_wide(wide, *each.problem);
            DecodeOptions options;
            options.mode = DecodeMode::sample;
            for (const Rollout& tree : decode(by_narrow, *each.problem, all_starts(*each.problem), options)) {
                EXPECT_NEAR(log_probability(by_wide, *each.problem, tree.tree), tree.log_probability, rounding);
            }
        }
    }
}

/// Otherwise both would get the same gradients for ever.
TEST(Widened, TellsTheCopiesOfAFeatureApart) {
    const PolicyConfig config = told_config();
    const Policy wide = Policy::random(config, 11).widened(3);
    const auto weights = wide.model().values("graph.weight");
    const auto columns = static_cast<std::size_t>(2 * config.d_v);
    const auto head = static_cast<std::size_t>(config.d_v / config.heads);
    for (std::size_t c = 0; c < columns; ++c) {
        if (c / head % 2 == 1) continue;
        EXPECT_NE(weights[c], weights[c + head]);
    }
}

}  // namespace

}  // namespace neuroprim
