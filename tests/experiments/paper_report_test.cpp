#include "experiments/paper_report.hpp"

#include <gtest/gtest.h>

#include "experiments/paper_experiment.hpp"

namespace neuroprim::experiments {
namespace {

const LiteratureTable& paths() {
    return literature_tables()[0];
}

Measurement measured(const char* instance, const char* name, double cost, double gap, double seconds) {
    return {"dcmst", instance, 30, 100, name, cost, gap, seconds};
}

TEST(PaperReport, BeginsWithTheTableAndNamesItsBaseline) {
    const PaperReport report(paths(), {method::baseline, method::paper_greedy, method::sample, method::search});
    EXPECT_EQ(report.beginning(),
              "## Degree-constrained MST, d = 2, CRD, real distances\n\n"
              "| instance | n | best known | farthest-insertion | paper (g) | sample (mean ± deviation) | search |\n"
              "|---|---:|---:|---:|---:|---:|---:|\n");
}

TEST(PaperReport, LeavesTheCellsOfWhatWasNotMeasuredEmpty) {
    const PaperReport report(paths(), {method::greedy, method::sample, method::search});
    std::vector<Measurement> measurements = {measured("crd1", method::greedy, 110, 10, 0.0123),
                                             measured("crd1", method::sample, 101.25, 1.25, 12.34)};
    measurements[1].statistics = CostStatistics{.mean = 104.5, .deviation = 2.125};
    EXPECT_EQ(report.row(measurements),
              "| crd1 | 30 | 100 | 110 (10.00 %, 0.012 s) | 101.25 (1.25 %, 12.3 s; 104.5 ± 2.12) |  |\n");
}

TEST(PaperReport, SaysWhereAMeanIsOverFewerInstances) {
    const PaperReport report(paths(), {method::greedy, method::sample, method::search});
    const std::vector<Measurement> measurements = {measured("crd1", method::greedy, 110, 10, 0.25),
                                                   measured("crd2", method::greedy, 120, 20, 0.75),
                                                   measured("crd1", method::sample, 101, 1, 2)};
    EXPECT_EQ(report.means(measurements),
              "| mean of 2 |  |  | **15.00 %**, 0.500 s | **1.00 %** over 1, 2.0 s |  |\n");
}

TEST(Readable, PercentOfAHairBelowZeroHasNoSign) {
    EXPECT_EQ(readable_percent(-0.001), "0.00");
    EXPECT_EQ(readable_percent(-0.01), "-0.01");
    EXPECT_EQ(readable_percent(0.005001), "0.01");
}

TEST(MeasurementRow, HasTheColumnsThatTheHeaderNames) {
    const std::string row = measurement_row(measured("crd1", method::greedy, 110.5, 10.5, 0.25));
    EXPECT_EQ(row, "dcmst,crd1,30,100,greedy,110.5,10.5000,0.25");
    EXPECT_EQ(std::count(row.begin(), row.end(), ','),
              std::count(measurement_columns.begin(), measurement_columns.end(), ','));
}

}  // namespace
}  // namespace neuroprim::experiments
