#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using formats::solution_to_csv;
using formats::solution_to_dot;
using formats::solution_to_geojson;
using nlohmann::json;
using testing::of_edges;
using testing::of_points;

/// A path 2-0-1 over three points, with numbers that have no short decimal form.
struct Case {
    Instance instance = of_points({{0, 0}, {1.0 / 3, 0}, {0, 0.1}});
    Solution solution;

    Case() {
        instance.name = "small";
        solution.instance = "small";
        solution.problem = "mst";
        solution.n = 3;
        solution.method = "prim";
        solution.seed = 18446744073709551615U;
        solution.tree = {2, {{2, 0}, {0, 1}}};
        solution.cost = 0.1 + 1.0 / 3;
        solution.bound = 0.1 + 0.3;
        solution.seconds = 1.5e-7;
    }
};

std::string reason_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(SolutionJson, HasItsKeysInTheDocumentedOrder) {
    const Case c;
    const auto object = nlohmann::ordered_json::parse(solution_to_json(c.instance, c.solution));
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"instance", "problem", "n", "method", "seed", "cost", "bound",
                                              "gap_percent", "proven_optimal", "edges", "start", "seconds"}));
}

TEST(SolutionJson, HasTheKeysAndTypesOfItsSchema) {
    std::ifstream file(NEUROPRIM_SOURCE_DIR "/docs/solution.schema.json");
    const json schema = json::parse(file);
    const Case c;
    const json object = json::parse(solution_to_json(c.instance, c.solution));
    EXPECT_EQ(object.size(), schema["required"].size());
    for (const auto& key : schema["required"]) {
        const std::string name = key;
        ASSERT_TRUE(object.contains(name)) << name;
        const json& type = schema["properties"][name]["type"];
        const std::string expected = type.is_array() ? type[0] : type;
        const std::string found =
            object[name].is_number_integer() && expected == "integer" ? "integer" : object[name].type_name();
        EXPECT_EQ(found, expected) << name;
    }
}

TEST(SolutionJson, TellsHowTheOtherTreesOfAPolicyDid) {
    Case c;
    c.solution.statistics = CostStatistics{40, 2, 3.25, 0.1};
    std::ifstream file(NEUROPRIM_SOURCE_DIR "/docs/solution.schema.json");
    const json schema = json::parse(file)["properties"]["statistics"];
    const json statistics = json::parse(solution_to_json(c.instance, c.solution))["statistics"];
    EXPECT_EQ(statistics, json::parse(R"({"trees": 40, "dead_ends": 2, "mean": 3.25, "deviation": 0.1})"));
    for (const auto& key : schema["required"]) EXPECT_TRUE(statistics.contains(key.get<std::string>()));
}

TEST(SolutionJson, GivesBackEveryNumberExactly) {
    const Case c;
    const json object = json::parse(solution_to_json(c.instance, c.solution));
    EXPECT_EQ(object["cost"].get<double>(), c.solution.cost);
    EXPECT_EQ(object["bound"].get<double>(), *c.solution.bound);
    EXPECT_EQ(object["gap_percent"].get<double>(), *c.solution.gap_percent());
    EXPECT_EQ(object["seconds"].get<double>(), c.solution.seconds);
    EXPECT_EQ(object["seed"].get<std::uint64_t>(), c.solution.seed);
    EXPECT_EQ(object["edges"], json::parse("[[2,0],[0,1]]"));
    EXPECT_EQ(object["start"], 2);
    EXPECT_EQ(object["n"], 3);
}

TEST(SolutionJson, SaysNullWhereNothingIsKnown) {
    Case c;
    c.instance.name.clear();
    c.solution.instance.clear();
    c.solution.method.clear();
    c.solution.bound.reset();
    const json object = json::parse(solution_to_json(c.instance, c.solution));
    for (const char* key : {"instance", "method", "bound", "gap_percent"}) EXPECT_TRUE(object[key].is_null()) << key;
}

TEST(SolutionJson, EscapesNamesAndMendsBrokenUtf8) {
    Case c;
    c.solution.instance = "a\"b\\c\n\xff";
    const json object = json::parse(solution_to_json(c.instance, c.solution));
    EXPECT_EQ(object["instance"], "a\"b\\c\n\xef\xbf\xbd");
}

TEST(SolutionCsv, ListsEdgesWithTheirWeights) {
    const Case c;
    EXPECT_EQ(solution_to_csv(c.instance, c.solution), "u,v,weight\n2,0,0.1\n0,1,0.3333333333333333\n");
}

TEST(SolutionCsv, AddsNamesOnlyWhereTheInstanceHasThem) {
    Case c;
    c.instance.names = {"plain", "with, comma", "with \"quotes\""};
    EXPECT_EQ(solution_to_csv(c.instance, c.solution),
              "u,v,weight,u_name,v_name\n"
              "2,0,0.1,\"with \"\"quotes\"\"\",plain\n"
              "0,1,0.3333333333333333,plain,\"with, comma\"\n");
}

TEST(SolutionGeoJson, HasALinePerEdgeAndAPointPerVertex) {
    Case c;
    c.instance.weights = Weights::from_points({{13.4, 52.5}, {2.35, 48.86}, {-0.13, 51.5}}, Metric::great_circle);
    c.instance.names = {"Berlin", "Paris", "London"};
    c.instance.terminals = {1, 2};
    const json map = json::parse(solution_to_geojson(c.instance, c.solution));
    EXPECT_EQ(map["type"], "FeatureCollection");
    ASSERT_EQ(map["features"].size(), 5U);
    const json& line = map["features"][0];
    EXPECT_EQ(line["geometry"], json::parse(R"({"type":"LineString","coordinates":[[-0.13,51.5],[13.4,52.5]]})"));
    EXPECT_EQ(line["properties"]["u"], 2);
    EXPECT_EQ(line["properties"]["v"], 0);
    EXPECT_EQ(line["properties"]["weight"].get<double>(), c.instance.weights(2, 0));
    const json& point = map["features"][2];
    EXPECT_EQ(point["geometry"], json::parse(R"({"type":"Point","coordinates":[13.4,52.5]})"));
    EXPECT_EQ(point["properties"], json::parse(R"({"vertex":0,"name":"Berlin","terminal":false,"degree":2})"));
    EXPECT_EQ(map["features"][3]["properties"]["terminal"], true);
}

TEST(SolutionGeoJson, TurnsTsplibsLatitudeFirstInMinutesIntoDegrees) {
    Case c;
    c.instance.weights = Weights::from_points({{38.30, 20.45}, {-38.30, -20.45}, {0, 0}}, Metric::geo);
    const json map = json::parse(solution_to_geojson(c.instance, c.solution));
    const json& point = map["features"][2]["geometry"]["coordinates"];
    EXPECT_NEAR(point[0].get<double>(), 20.75, 1e-9);
    EXPECT_NEAR(point[1].get<double>(), 38.5, 1e-9);
    EXPECT_NEAR(map["features"][3]["geometry"]["coordinates"][1].get<double>(), -38.5, 1e-9);
}

TEST(SolutionGeoJson, NeedsPositions) {
    Case c;
    c.instance = of_edges(3, {{0, 1, 1}, {0, 2, 1}});
    EXPECT_NE(
        reason_of([&] { static_cast<void>(solution_to_geojson(c.instance, c.solution)); }).find("needs positions"),
        std::string::npos);
}

TEST(SolutionDot, PinsPositionsAndLabelsEdges) {
    Case c;
    c.instance.names = {"plain", "say \"hi\"", "back\\slash"};
    c.instance.terminals = {1};
    const std::string dot = solution_to_dot(c.instance, c.solution);
    EXPECT_NE(dot.find("graph \"small\" {"), std::string::npos) << dot;
    EXPECT_NE(dot.find("1 [label=\"say \\\"hi\\\"\", pos=\"8.0000,0.0000!\", shape=box"), std::string::npos) << dot;
    EXPECT_NE(dot.find("2 [label=\"back\\\\slash\""), std::string::npos) << dot;
    EXPECT_NE(dot.find("2 -- 0 [label=\"0.1\"];"), std::string::npos) << dot;
}

TEST(SolutionDot, LeavesThePlacingToGraphvizWithoutPositions) {
    Case c;
    c.instance = of_edges(3, {{0, 1, 1}, {0, 2, 1}});
    EXPECT_EQ(solution_to_dot(c.instance, c.solution).find("pos="), std::string::npos);
}

class WriteSolution : public ::testing::Test {
protected:
    WriteSolution() {
        std::string pattern = (std::filesystem::temp_directory_path() / "neuroprim-tree-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~WriteSolution() override { std::filesystem::remove_all(folder_); }

    std::string written(const std::string& name) {
        const std::string path = (folder_ / name).string();
        write_solution(path, case_.instance, case_.solution);
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    Case case_;
    std::filesystem::path folder_;
};

TEST_F(WriteSolution, ChoosesTheFormatByTheEnding) {
    EXPECT_EQ(written("tree.json"), solution_to_json(case_.instance, case_.solution));
    EXPECT_EQ(written("tree.csv"), solution_to_csv(case_.instance, case_.solution));
    EXPECT_EQ(written("tree.geojson"), solution_to_geojson(case_.instance, case_.solution));
    EXPECT_EQ(written("tree.dot"), solution_to_dot(case_.instance, case_.solution));
    EXPECT_EQ(written("tree.gv"), solution_to_dot(case_.instance, case_.solution));
    EXPECT_EQ(written("tree.JSON"), solution_to_json(case_.instance, case_.solution));
    EXPECT_EQ(written("tree.svg").substr(0, 4), "<svg");
    EXPECT_EQ(written("tree.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
}

TEST_F(WriteSolution, HasAFormatForEveryNameItLists) {
    for (const auto& format : tree_formats()) {
        if (format.name == "metis") continue;  // has whole weights only, and these are not
        EXPECT_FALSE(written("tree." + std::string(format.name)).empty()) << format.name;
    }
}

TEST_F(WriteSolution, ListsTheKnownEndingsWhenOneIsUnknown) {
    EXPECT_EQ(reason_of([&] { write_solution("tree.xlsx", case_.instance, case_.solution); }),
              "tree.xlsx: unknown ending \".xlsx\": expected .json, .csv, .geojson, .dot, .svg, .png, "
              ".graphml, .node-link, .mtx or .metis");
    EXPECT_EQ(reason_of([&] { write_solution("tree", case_.instance, case_.solution); }),
              "tree: the file name needs an ending: .json, .csv, .geojson, .dot, .svg, .png, "
              ".graphml, .node-link, .mtx or .metis");
}

TEST_F(WriteSolution, LeavesNothingBehindWhenTheFormatCannotHoldTheTree) {
    case_.instance = of_edges(3, {{0, 1, 1}, {0, 2, 1}});
    EXPECT_THROW(written("tree.geojson"), InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(WriteSolution, IsRefusedBeforeTheSearchWhereTheFormatCanHoldNoTree) {
    const auto complaint = [&](const std::string& name, const Instance& instance) {
        return reason_of([&] { formats::check_solution_format((folder_ / name).string(), instance); });
    };
    Instance graph = of_edges(4, {{0, 1, 0.5}, {0, 2, 2.5}, {1, 2, 3}, {2, 3, 1}});
    EXPECT_EQ(
        complaint("t.graph", graph),
        "METIS has whole weights above 0, and edge 0-1 weighs 0.5: write .mtx or .graphml, which hold any weight");
    EXPECT_EQ(complaint("t.geojson", graph),
              "GeoJSON needs positions, and this graph is given by its weights alone: write .json or .csv");
    EXPECT_EQ(complaint("t.graphml", graph), "no error");
    graph.terminals = {1, 3};  // 1-2-3 is a tree that METIS can hold
    EXPECT_EQ(complaint("t.graph", graph), "no error");
    graph.terminals = {0};
    EXPECT_EQ(complaint("t.graph", graph), "no error") << "a single vertex is a tree without weights";
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(WriteSolution, ToStandardOutputIsJson) {
    ::testing::internal::CaptureStdout();
    write_solution("-", case_.instance, case_.solution);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), solution_to_json(case_.instance, case_.solution));
}

}  // namespace
}  // namespace neuroprim
