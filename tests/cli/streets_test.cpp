// Maps on the command line: streets in, a tree along them out.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "neuroprim/map_options.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::testing {
namespace {

using nlohmann::json;

const std::string town = R"({"type": "FeatureCollection", "features": [
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0, 0], [0.001, 0.001], [0.002, 0]]}, "properties": {"cost": 5}},
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0.002, 0], [0.004, 0]]}, "properties": {"cost": 2}},
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0, 0], [0.004, 0]]}, "properties": {"cost": 30}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": {"name": "exchange", "root": true}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0.004, 0.0001]}, "properties": {"name": "mill", "flats": 3}}
]})";

TEST(StreetsOnTheCommandLine, OptionsAreFlagsWithTheirUsualValues) {
    const std::string help = neuroprim_command({"solve", "--help"}).out;
    for (const MapOption& option : map_options()) {
        EXPECT_NE(help.find(spelled(option.name, Spelling::flag) + " "), std::string::npos) << option.name;
    }
    EXPECT_NE(help.find("=0.01"), std::string::npos);
    const Outcome outcome = neuroprim_command({"solve", "-", "--snap-tolerance", "far"}, town);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, "neuroprim: --snap-tolerance: expected metres, at least 0, found \"far\"\n");
}

TEST(StreetsOnTheCommandLine, WeightsAndDemandsArePropertiesByName) {
    const ScratchFolder folder;
    const std::string input = folder.file("town.geojson", town);
    const auto solved = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"solve", input, "-q", "-o", folder / "tree.geojson"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = neuroprim_command(words);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return json::parse(content_of(folder / "tree.geojson"));
    };
    EXPECT_EQ(solved({"--weight-property", "cost"})["neuroprim"]["cost"], 7);
    const json limited = solved({"--demand-property", "flats", "--capacity", "3", "--hops", "1"});
    EXPECT_EQ(limited["neuroprim"]["limits"], json::parse(R"({"hops": 1, "capacity": 3})"));
    EXPECT_EQ(limited["features"][0]["properties"]["load"], 3);
    EXPECT_EQ(limited["features"][0]["properties"]["feature"], 2);
}

TEST(StreetsOnTheCommandLine, OptionsDecideWhichResultsCount) {
    const ScratchFolder folder;
    const std::string input = folder.file("town.geojson", town);
    const std::string results = folder / "results.jsonl";
    for (const char* property : {"cost", "cost"}) {
        const Outcome outcome =
            neuroprim_command({"solve", input, "--weight-property", property, "--results", results});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    }
    const Outcome other = neuroprim_command({"solve", input, "--results", results});
    EXPECT_EQ(other.err.find("skipped"), std::string::npos) << "other weights are another question";
}

TEST(ObstaclesOnTheCommandLine, BendTheLinesOfTheTree) {
    const ScratchFolder folder;
    const std::string farm = folder.file("farm.csv", "name,lon,lat,kind\nS,8,55,substation\nT,8.2,55,turbine\n");
    const std::string sea = folder.file("sea.geojson", R"({"type": "Polygon", "coordinates":
[[[8.1, 54.9], [8.12, 54.9], [8.12, 55.01], [8.1, 55.01], [8.1, 54.9]]]})");
    const std::string tree = folder / "tree.geojson";
    const Outcome outcome =
        neuroprim_command({"solve", farm, "--capacity", "4", "--obstacles", sea, "-o", tree, "-q"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const json line = json::parse(content_of(tree))["features"][0];
    EXPECT_EQ(line["geometry"]["coordinates"], json::parse("[[8,55],[8.1,55.01],[8.12,55.01],[8.2,55]]"));
    EXPECT_NEAR(line["properties"]["length"].get<double>(), line["properties"]["weight"].get<double>(), 1e-6);

    const Outcome both = neuroprim_command({"solve", farm, "--capacity", "4", "--obstacles", sea, "--no-crossings"});
    EXPECT_EQ(both.exit_code, 0) << both.err;
    EXPECT_NE(both.out.find("0 crossings"), std::string::npos) << both.out;
    const std::string two = folder.file("two.csv", "lon,lat,root\n8,55,1\n8.2,55,1\n8.3,55,0\n");
    const Outcome forest = neuroprim_command({"solve", two, "--obstacles", sea, "--hops", "3", "--no-crossings"});
    EXPECT_EQ(forest.exit_code, 2);
    EXPECT_NE(forest.err.find("these bend: leave out one of them"), std::string::npos) << forest.err;
    const std::string inside = folder.file("inside.csv", "lon,lat\n8,55\n8.11,55\n");
    const Outcome refused = neuroprim_command({"solve", inside, "--obstacles", sea});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("vertex 1 lies inside the obstacle the geometry"), std::string::npos) << refused.err;
}

TEST(ObstaclesOnTheCommandLine, DecideWhichResultsCount) {
    const ScratchFolder folder;
    const std::string points = folder.file("points.csv", "x,y\n0,0\n4,0\n");
    const std::string box =
        folder.file("box.geojson", R"({"type": "Polygon", "coordinates": [[[1, -1], [3, -1], [3, 2], [1, -1]]]})");
    const std::string results = folder / "results.jsonl";
    EXPECT_EQ(neuroprim_command({"solve", points, "--results", results}).exit_code, 0);
    const Outcome other = neuroprim_command({"solve", points, "--obstacles", box, "--results", results});
    EXPECT_EQ(other.err.find("skipped"), std::string::npos) << "longer ways are another question";
}

}  // namespace
}  // namespace neuroprim::testing
