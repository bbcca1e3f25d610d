#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "heuristics/construct.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/mst.hpp"
#include "support/benchmarks.hpp"

namespace neuroprim {
namespace {

using testing::benchmarks;
using testing::construct;

constexpr const char* absent = "literature instances not found: set NEUROPRIM_BENCHMARKS";

/// A row of one of the paper's tables: the best value known then, and what the classical method reached.
struct Row {
    const char* instance;
    double best;
    double method;
};

// Table 2 of the paper, column Farthest Insertion.
const Row farthest_insertion_column[] = {
    {"crd300", 3822, 4231}, {"crd301", 3616, 3764}, {"crd302", 4221, 4450}, {"crd303", 4233, 4440},
    {"crd304", 4274, 4432}, {"crd305", 4252, 4490}, {"crd306", 4214, 4504}, {"crd307", 4261, 4572},
    {"crd308", 4029, 4122}, {"crd309", 4031, 4211}, {"crd500", 5312, 5845}, {"crd501", 5556, 6009},
    {"crd502", 5482, 5894}, {"crd503", 5085, 5493}, {"crd504", 5306, 5878}, {"crd505", 5513, 6040},
    {"crd506", 5179, 5688}, {"crd507", 5230, 5520}, {"crd508", 5369, 5819}, {"crd509", 5103, 5544},
    {"crd700", 6307, 6750}, {"crd701", 6117, 6280}, {"crd702", 6768, 7200}, {"crd703", 6305, 6873},
    {"crd704", 6372, 6807}, {"crd705", 6456, 7190}, {"crd706", 6674, 7151}, {"crd707", 6468, 6750},
    {"crd708", 6233, 6613}, {"crd709", 6046, 6739}, {"crd100", 7049, 7226}, {"crd101", 7697, 8234},
    {"crd102", 7534, 8249}, {"crd103", 7666, 8484}, {"crd104", 7539, 8106}, {"crd105", 7080, 7662},
    {"crd106", 6883, 7625}, {"crd107", 7724, 8670}, {"crd108", 7136, 8071}, {"crd109", 7290, 7895},
};

// Table 3, column Campos.
const Row campos_column[] = {
    {"e50.1", 984, 1028},     {"e50.2", 901, 953},      {"e50.3", 888, 935},      {"e50.4", 777, 846},
    {"e50.5", 848, 910},      {"e50.6", 818, 869},      {"e50.7", 866, 907},      {"e100.1", 3507, 3702},
    {"e100.2", 3308, 3497},   {"e100.3", 3566, 3736},   {"e100.4", 3448, 3643},   {"e100.5", 3637, 3857},
    {"e100.6", 3436, 3601},   {"e100.7", 3704, 3914},   {"e250.1", 22088, 23324}, {"e250.2", 22771, 24031},
    {"e250.3", 21871, 23241}, {"e250.4", 23423, 24660}, {"e250.5", 22378, 23517}, {"e250.6", 22285, 23282},
    {"e250.7", 22909, 24017},
};

// Table 4, column Kruskal.
const Row kruskal_column[] = {
    {"p455", 1138, 1166}, {"p456", 1228, 1239}, {"p457", 1609, 1642}, {"p458", 1868, 1868},
    {"p459", 2345, 2348}, {"p460", 2959, 3010}, {"p461", 4474, 4492}, {"p463", 1510, 1545},
    {"p464", 2545, 2574}, {"p465", 3853, 3880}, {"p466", 6234, 6253},
};

double gap(double cost, double best) {
    return 100 * (cost - best) / best;
}

/// The paper calls the k-th problem of `estein50.txt` e50.k.
std::string estein_path(const std::filesystem::path& folder, std::string name) {
    const auto dot = name.find('.');
    return (folder / "estein" / ("estein" + name.substr(1, dot - 1) + ".txt")).string() + "#" + name.substr(dot + 1);
}

struct BestKnown {
    std::string set;
    std::string instance;
    std::string problem;
    std::string parameters;
    double value;
};

std::vector<BestKnown> best_known(const std::filesystem::path& folder) {
    std::ifstream file(folder / "best_known.csv");
    std::vector<BestKnown> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::stringstream fields(line);
        BestKnown row;
        std::string value;
        std::getline(fields, row.set, ',');
        std::getline(fields, row.instance, ',');
        std::getline(fields, row.problem, ',');
        std::getline(fields, row.parameters, ',');
        std::getline(fields, value, ',');
        row.value = std::stod(value);
        rows.push_back(row);
    }
    return rows;
}

TEST(PaperTable, FarthestInsertionIsReproducedOnAllOfCrd) {
    const auto folder = benchmarks();
    if (!folder) GTEST_SKIP() << absent;
    double sum = 0;
    for (const auto& [name, best, expected] : farthest_insertion_column) {
        const Instance instance = read_instances((*folder / "crd" / name).string()).at(0);
        const auto problem = make_problem("dcmst", instance, {.degree = 2});
        const double cost = problem->cost(construct("farthest-insertion", *problem));
        EXPECT_EQ(std::round(cost), expected) << name;
        sum += gap(cost, best);
    }
    EXPECT_NEAR(sum / std::size(farthest_insertion_column), 7.60, 0.005);
}

TEST(PaperTable, CamposIsReproducedOnAllOfEstein) {
    const auto folder = benchmarks();
    if (!folder) GTEST_SKIP() << absent;
    double strict = 0;
    double plain = 0;
    for (const auto& [name, best, expected] : campos_column) {
        const Instance instance = read_instances(estein_path(*folder, name)).at(0);
        const auto problem = make_problem("mrcst", instance);
        const double cost = problem->cost(construct("campos-strict", *problem));
        EXPECT_EQ(std::round(cost), expected) << name;
        strict += gap(cost, best);
        plain += gap(problem->cost(construct("campos", *problem)), best);
    }
    EXPECT_NEAR(strict / std::size(campos_column), 5.62, 0.005);
    EXPECT_NEAR(plain / std::size(campos_column), 6.27, 0.005);
}

TEST(PaperTable, KruskalIsReproducedOnAllOfP4E) {
    const auto folder = benchmarks();
    if (!folder) GTEST_SKIP() << absent;
    for (const auto& [name, best, expected] : kruskal_column) {
        const Instance instance = read_instances((*folder / "steinlib" / "P4E" / name).string() + ".stp").at(0);
        const auto problem = make_problem("stp", instance);
        EXPECT_EQ(problem->cost(construct("kruskal", *problem)), expected) << name;
        EXPECT_LE(problem->cost(construct("shortest-path", *problem)), expected) << name;
    }
}

TEST(Literature, ADegreeLimitOfFiveDoesNotBindTheMstOnCrd) {
    const auto folder = benchmarks();
    if (!folder) GTEST_SKIP() << absent;
    int compared = 0;
    for (const auto& row : best_known(*folder)) {
        if (row.set != "crd" || row.parameters != "d=5") continue;
        Instance instance = read_instances((*folder / "crd" / row.instance).string()).at(0);
        instance.weights = instance.weights.with_metric(Metric::euc_2d);
        for (const char* method : {"kruskal", "prim"}) {
            const auto problem = make_problem("mst", instance);
            EXPECT_EQ(problem->cost(construct(method, *problem)), row.value) << row.instance;
        }
        ++compared;
    }
    EXPECT_EQ(compared, 40);
}

TEST(Literature, ShortestPathsComeNearTheOptimumOnSteinLibBAndC) {
    const auto folder = benchmarks();
    if (!folder) GTEST_SKIP() << absent;
    for (const char* set : {"B", "C"}) {
        double sum = 0;
        int count = 0;
        for (const auto& row : best_known(*folder)) {
            if (row.set != std::string("steinlib/") + set) continue;
            const Instance instance = read_instances((*folder / row.set / row.instance).string() + ".stp").at(0);
            const auto problem = make_problem("stp", instance);
            const Tree tree = construct("shortest-path", *problem);
            EXPECT_EQ(problem->violation(tree), std::nullopt);
            EXPECT_GE(problem->cost(tree), row.value) << row.instance;
            sum += gap(problem->cost(tree), row.value);
            ++count;
        }
        EXPECT_EQ(count, *set == 'B' ? 18 : 20);
        EXPECT_LT(sum / count, *set == 'B' ? 0.7 : 2.1) << set;
    }
}

}  // namespace
}  // namespace neuroprim
