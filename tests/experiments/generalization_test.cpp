#include "experiments/generalization.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace neuroprim::experiments {
namespace {

TEST(Generalization, TakesThePapersSizesAndCounts) {
    EXPECT_EQ(generalization_sizes(1, 10000), (std::vector<Vertex>{50, 100, 200, 500, 1000, 2000}));
    EXPECT_EQ(generalization_sizes(51, 500), (std::vector<Vertex>{100, 200, 500}));
    EXPECT_TRUE(generalization_sizes(51, 99).empty());
    EXPECT_EQ(generalization_count(50), 200U);
    EXPECT_EQ(generalization_count(1000), 10U);
}

TEST(Generalization, KnowsThePapersGapsAndNoOthers) {
    EXPECT_EQ(published_generalization("dcmst", 50), 1.67);
    EXPECT_EQ(published_generalization("stp", 1000), 1.44);
    EXPECT_EQ(published_generalization("stp", 2000), std::nullopt);
    EXPECT_EQ(published_generalization("stp", 60), std::nullopt);
    EXPECT_EQ(published_generalization("hmst", 50), std::nullopt);
}

TEST(Generalization, SummaryIsMeansAndTheDeviationOfTheGaps) {
    std::vector<GeneralizationCase> cases;
    const auto add = [&](bool proven, double gap, double seconds, double spread_gap) {
        GeneralizationCase& item = cases.emplace_back();
        item.proven = proven;
        item.gap_percent = gap;
        item.seconds = seconds;
        item.spread_gap_percent = spread_gap;
    };
    add(true, 1, 2, 0.5);
    add(false, 2, 3, 1);
    add(true, 6, 4, 3);
    const GeneralizationSummary summary = summary_of(cases);
    EXPECT_EQ(summary.instances, 3U);
    EXPECT_EQ(summary.proven, 2U);
    EXPECT_NEAR(summary.gap_percent, 3, 1e-12);
    EXPECT_NEAR(summary.deviation, std::sqrt(14.0 / 3), 1e-12);
    EXPECT_NEAR(summary.seconds, 3, 1e-12);
    EXPECT_NEAR(summary.spread_gap_percent, 1.5, 1e-12);
    EXPECT_EQ(summary_of({}).deviation, 0);
}

}  // namespace
}  // namespace neuroprim::experiments
