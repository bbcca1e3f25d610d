#include "bounds/cable_bound.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bounds/price_lines.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

TEST(PriceLines, AreBelowAllPrices) {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<Cable> cables;
        Cable cable{0, 0};
        for (std::uint64_t k = 0; k < 1 + random.below(4); ++k) {
            cable.capacity += 0.5 + 5 * random.uniform();
            cable.price += random.uniform();
            cables.push_back(cable);
        }
        const TreeSpec spec{.objective = Objective::cables, .cables = cables};
        for (const PriceLine& line : price_lines(cables, cables.front().price)) {
            EXPECT_GE(line.at_nothing, 0);
            EXPECT_GE(line.slope, 0);
            for (int step = 0; step <= 100; ++step) {
                const double load = cables.back().capacity * step / 100;
                EXPECT_LE(line.at_nothing + line.slope * load, spec.cable_price(load) * (1 + 1e-9));
            }
        }
    }
}

TEST(CableBound, IsNeverAboveTheOptimum) {
    int compared = 0;
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        const Instance instance = testing::small_instance(static_cast<Vertex>(3 + seed % 4), seed);
        Random random(seed, 8);
        TreeSpec spec{.objective = Objective::cables, .coverage = Coverage::terminals, .root = 0};
        double demands = 0;
        for (Vertex v = 0; v < instance.size(); ++v) {
            spec.demands.push_back(static_cast<double>(random.below(4)));
            demands += spec.demands.back();
            if (v > 0 && random.below(3) > 0) spec.terminals.push_back(v);
        }
        if (spec.terminals.empty()) spec.terminals.push_back(1);
        spec.cables = {{3, 1}, {demands / 2 + 4, 1.3}, {demands + 5, 2.5}};
        const Problem problem(instance, spec);
        const auto least = testing::optimum(problem);
        if (!least) continue;
        for (const auto make : {make_cable_bound, make_bound_process}) {
            const auto bound = make(problem);
            ASSERT_NE(bound, nullptr);
            double last = 0;
            for (int slice = 0; slice < 10 && bound->advance(*least, {}); ++slice) {
                EXPECT_GE(bound->value(), last);
                last = bound->value();
            }
            EXPECT_LE(bound->value(), *least * (1 + 1e-9)) << "seed " << seed;
            if (make == make_cable_bound && *least > 0) {
                ++compared;
                sum += bound->value() / *least;
            }
        }
    }
    EXPECT_GT(compared, 40);
    EXPECT_GT(sum / compared, 0.6) << "and not far below";
}

TEST(CableBound, IsForTerminals) {
    const Instance instance = testing::small_instance(5, 1);
    const Problem all(instance, TreeSpec{.objective = Objective::cables, .root = 0, .cables = {{9, 1}}});
    EXPECT_EQ(make_cable_bound(all), nullptr);
}

}  // namespace
}  // namespace neuroprim
