#include <gtest/gtest.h>

#include <map>

#include "neuroprim/formats.hpp"
#include "support/benchmarks.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

class LiteratureReader : public ::testing::Test {
protected:
    void SetUp() override {
        const auto found = testing::benchmarks();
        if (!found) GTEST_SKIP() << "literature instances not found: set NEUROPRIM_BENCHMARKS";
        folder_ = *found;
    }

    [[nodiscard]] std::vector<Instance> all(const std::string& file) const {
        return read_instances((folder_ / file).string());
    }

    [[nodiscard]] Instance one(const std::string& file) const {
        auto instances = all(file);
        EXPECT_EQ(instances.size(), 1U) << file;
        return std::move(instances.front());
    }

    /// How many files of a folder hold how many vertices.
    [[nodiscard]] std::map<Vertex, int> sizes(const std::string& room) const {
        std::map<Vertex, int> count;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / room)) {
            ++count[one(room + "/" + entry.path().filename().string()).size()];
        }
        return count;
    }

    std::filesystem::path folder_;
};

/// The closed tour through the vertices in the order of their numbers.
double identity_tour(const Weights& weights) {
    double length = 0;
    for (Vertex v = 0; v < weights.size(); ++v) length += weights(v, (v + 1) % weights.size());
    return length;
}

TEST_F(LiteratureReader, CrdFilesArePoints) {
    EXPECT_EQ(sizes("crd"), (std::map<Vertex, int>{{30, 10}, {50, 10}, {70, 10}, {100, 10}}));
    const auto instance = one("crd/crd300");
    EXPECT_EQ(instance.name, "crd300");
    EXPECT_EQ(instance.weights.points()[0], (Point{699, 7}));
    EXPECT_EQ(instance.weights.points()[29], (Point{114, 379}));
}

TEST_F(LiteratureReader, SymFilesAreMatrices) {
    EXPECT_EQ(sizes("sym"), (std::map<Vertex, int>{{30, 10}, {50, 10}, {70, 10}}));
    const auto weights = one("sym/sym300").weights;
    EXPECT_EQ(weights.form(), Weights::Form::matrix);
    EXPECT_EQ(weights(1, 0), 8);
    EXPECT_EQ(weights(2, 0), 700);
    EXPECT_EQ(weights(2, 1), 601);
}

TEST_F(LiteratureReader, EsteinFilesHoldSevenProblems) {
    for (const Vertex n : {50, 100, 250}) {
        const std::string name = "estein" + std::to_string(n);
        const auto instances = all("estein/" + name + ".txt");
        ASSERT_EQ(instances.size(), 7U);
        for (std::size_t k = 0; k < instances.size(); ++k) {
            EXPECT_EQ(instances[k].size(), n);
            EXPECT_EQ(instances[k].name, name + "#" + std::to_string(k + 1));
        }
    }
    EXPECT_EQ(one("estein/estein50.txt#1").weights.points()[0], (Point{.5205403, .9239090}));
    EXPECT_EQ(all("bdmst/euc100.txt").size(), 30U);
    EXPECT_EQ(all("bdmst/euc100.txt").back().size(), 100);
}

TEST_F(LiteratureReader, TsplibFilesHaveTheirSizeInTheirName) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "tsplib")) {
        const auto instance = one("tsplib/" + entry.path().filename().string());
        const std::size_t digits = instance.name.find_first_of("0123456789");
        EXPECT_EQ(std::to_string(instance.size()), instance.name.substr(digits)) << entry.path();
    }
}

TEST_F(LiteratureReader, TsplibIdentityTourOfPcb442HasTheLengthThatItsManualStates) {
    EXPECT_EQ(identity_tour(one("tsplib/pcb442.tsp").weights), 221440);
}

TEST_F(LiteratureReader, TsplibMetricsAndMatricesAreTaken) {
    EXPECT_EQ(one("tsplib/att48.tsp").weights.metric(), Metric::att);
    EXPECT_EQ(one("tsplib/ulysses16.tsp").weights.metric(), Metric::geo);
    const auto gr24 = one("tsplib/gr24.tsp").weights;
    EXPECT_EQ(gr24.form(), Weights::Form::matrix);
    EXPECT_EQ(gr24(1, 0), 257);
    EXPECT_EQ(gr24(23, 22), 169);
}

TEST_F(LiteratureReader, TsplibDistancesGiveTheKnownOptimalTourOfUlysses16) {
    const auto weights = one("tsplib/ulysses16.tsp").weights;
    const int tour[] = {1, 14, 13, 12, 7, 6, 15, 5, 11, 9, 10, 16, 3, 2, 4, 8};
    double length = 0;
    for (std::size_t i = 0; i < 16; ++i) length += weights(tour[i] - 1, tour[(i + 1) % 16] - 1);
    EXPECT_EQ(length, 6859);
}

TEST_F(LiteratureReader, SteinlibGraphsHaveTheirKnownSizes) {
    EXPECT_EQ(sizes("steinlib/B"), (std::map<Vertex, int>{{50, 6}, {75, 6}, {100, 6}}));
    EXPECT_EQ(sizes("steinlib/C"), (std::map<Vertex, int>{{500, 20}}));
    const auto b01 = one("steinlib/B/b01.stp");
    EXPECT_EQ(b01.weights.edge_count(), 63U);
    EXPECT_EQ(b01.terminals.size(), 9U);
    EXPECT_EQ(b01.weights(1, 7), 8);
    EXPECT_EQ(one("steinlib/C/c20.stp").weights.edge_count(), 12500U);
    EXPECT_EQ(one("steinlib/C/c20.stp").terminals.size(), 250U);
}

TEST_F(LiteratureReader, PaceGraphsOfEveryTrackAreRead) {
    if (!std::filesystem::is_directory(folder_ / "pace")) GTEST_SKIP() << "no graphs of PACE";
    int skipped = 0;
    int files = 0;
    for (const auto* track : {"track1", "track2", "track3"}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "pace" / track)) {
            ReadOptions options;
            options.warn = [&](const std::string& message) {
                EXPECT_NE(message.find("Tree Decomposition"), std::string::npos) << message;
                ++skipped;
            };
            const auto instances = read_instances(entry.path().string(), options);
            EXPECT_GT(instances.at(0).terminals.size(), 1U) << entry.path();
            ++files;
        }
    }
    EXPECT_EQ(files, 64);
    EXPECT_EQ(skipped, 25);
}

TEST_F(LiteratureReader, PrizeCollectingGraphsHaveTheirPrizes) {
    if (!std::filesystem::is_directory(folder_ / "pcst")) GTEST_SKIP() << "no prize-collecting graphs";
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "pcst")) {
        const auto instance = read_instances(entry.path().string()).at(0);
        EXPECT_EQ(instance.prizes.size(), static_cast<std::size_t>(instance.size())) << entry.path();
        EXPECT_TRUE(instance.terminals.empty()) << entry.path();
    }
    EXPECT_EQ(one("pcst/C01-A.stp").prizes[12], 3);
}

TEST_F(LiteratureReader, CapacitatedTreesHaveTheirRootLast) {
    if (!std::filesystem::is_directory(folder_ / "cmst")) GTEST_SKIP() << "no capacitated trees";
    const auto unit = one("cmst/capmst1.txt#tc80-2");
    EXPECT_EQ(unit.name, "tc80-2");
    EXPECT_EQ(unit.size(), 81);
    EXPECT_EQ(unit.root, 80);
    EXPECT_TRUE(unit.demands.empty());
    const auto weighted = one("cmst/capmst2.txt#cm50r1");
    EXPECT_EQ(weighted.size(), 50);
    EXPECT_EQ(weighted.root, 49);
    EXPECT_EQ(weighted.demands.front(), 82);
    EXPECT_EQ(weighted.demands.back(), 0);
    EXPECT_EQ(all("cmst/capmst1.txt").size(), 12U);
    EXPECT_EQ(all("cmst/capmst2.txt").size(), 9U);
}

/// The two matrices give what the list of edges and the triangle give.
TEST_F(LiteratureReader, CommunicationTreesAreTheSameInBothForms) {
    if (!std::filesystem::exists(folder_ / "ocst/Raidl_10.txt")) GTEST_SKIP() << "no trees given as matrices";
    for (const std::string n : {"10", "20", "50"}) {
        const auto matrices = one("ocst/Raidl_" + n + ".txt");
        const auto edges = one("ocst/raidl" + n + ".in");
        EXPECT_EQ(matrices.weights.edges(), edges.weights.edges()) << n;
        EXPECT_EQ(matrices.requirements, edges.requirements) << n;
    }
}

TEST_F(LiteratureReader, WindFarmsHaveTheirSubstationsAsRoots) {
    if (!std::filesystem::is_directory(folder_ / "windfarms")) GTEST_SKIP() << "no wind farms";
    EXPECT_EQ(one("windfarms/anholt.csv").root, 0);
    EXPECT_EQ(one("windfarms/moray-east.csv").root, 0);
    EXPECT_EQ(one("windfarms/moray-east.csv").other_roots, (std::vector<Vertex>{1, 2}));
}

TEST_F(LiteratureReader, P4eGraphsAreComplete) {
    const std::map<std::string, std::size_t> terminals = {{"p455", 5},  {"p456", 5},  {"p457", 10}, {"p458", 10},
                                                          {"p459", 20}, {"p460", 20}, {"p461", 50}, {"p463", 10},
                                                          {"p464", 20}, {"p465", 40}, {"p466", 100}};
    for (const auto& [name, count] : terminals) {
        const auto instance = one("steinlib/P4E/" + name + ".stp");
        EXPECT_TRUE(instance.weights.is_complete()) << name;
        EXPECT_EQ(instance.terminals.size(), count) << name;
    }
}

/// Decides in which order the files list the requirements: only the upper triangle gives the published optima.
TEST_F(LiteratureReader, OcstOptimaOfSixVerticesAreThePublishedOnes) {
    const std::map<std::string, double> optima = {{"palmer6", 693180}, {"berry6", 534}};
    for (const auto& [name, optimum] : optima) {
        const auto instance = one("ocst/" + name + ".in");
        ASSERT_EQ(instance.size(), 6);
        double best = Weights::infinity;
        testing::for_each_tree({0, 1, 2, 3, 4, 5}, [&](const Tree& tree) {
            best = std::min(best, communication_cost(tree, instance.weights, instance.requirements));
        });
        EXPECT_EQ(best, optimum) << name;
    }
}

TEST_F(LiteratureReader, OcstFilesAreCompleteWithAllRequirements) {
    const std::map<std::string, Vertex> sizes = {{"palmer12", 12}, {"palmer24", 24}, {"raidl10", 10}, {"raidl20", 20},
                                                 {"raidl50", 50},  {"berry35", 35},  {"berry35u", 35}};
    for (const auto& [name, n] : sizes) {
        const auto instance = one("ocst/" + name + ".in");
        EXPECT_EQ(instance.size(), n) << name;
        EXPECT_TRUE(instance.weights.is_complete()) << name;
        EXPECT_EQ(instance.requirements.size(), instance.weights.edge_count()) << name;
    }
}

}  // namespace
}  // namespace neuroprim
