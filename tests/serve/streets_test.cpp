// Maps through HTTP: options of streets are parameters of /api/read, and shapes travel with the instance.
#include <gtest/gtest.h>

#include "neuroprim/map_options.hpp"
#include "serve/client.hpp"

namespace neuroprim::test {

namespace {

using nlohmann::json;

const std::string two_streets = R"({"type": "FeatureCollection", "features": [
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0, 0], [0.001, 0.001], [0.002, 0]]}, "properties": {"cost": 5}},
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0.002, 0], [0.004, 0]]}, "properties": {"cost": 2}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": {}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0.003, 0.0001]}, "properties": {}}
]})";

TEST(StreetsInHttp, OptionsAreParametersOfReading) {
    Served served;
    const json& parameters = served.description().document().at("paths").at("/api/read").at("post").at("parameters");
    for (const MapOption& option : map_options()) {
        const bool found = std::any_of(parameters.begin(), parameters.end(),
                                       [&](const json& one) { return one.at("name") == option.name; });
        EXPECT_TRUE(found) << option.name;
    }
    const auto read = [&](const std::string& more) {
        return served.post("/api/read?name=town.geojson" + more, two_streets, "application/octet-stream");
    };
    const json plain = read("").json();
    EXPECT_EQ(plain.at("problem"), "stp");
    EXPECT_EQ(plain.at("instance").at("n"), 4);
    const json priced = read("&weight_property=cost").json();
    EXPECT_EQ(priced.at("instance").at("edges")[0], (json{0, 1, 5}));
    const Reply refused = read("&snap_tolerance=far");
    EXPECT_EQ(refused.status, 400);
    EXPECT_NE(refused.body.find("snap_tolerance: expected metres"), std::string::npos) << refused.body;
}

TEST(StreetsInHttp, ATreeIsWrittenAlongItsStreets) {
    Served served;
    const json read = served.post("/api/read?name=town.geojson", two_streets, "application/octet-stream").json();
    const json& instance = read.at("instance");
    json solution = served.ask("/api/solve", json{{"instance", instance}, {"max_iterations", 10}}).json();
    const Reply written =
        served.ask("/api/write?format=geojson", json{{"instance", instance}, {"edges", solution.at("edges")}});
    ASSERT_EQ(written.status, 200) << written.body;
    std::size_t points = 0;
    const json map = written.json();
    for (const json& feature : map.at("features")) {
        if (feature.at("geometry").at("type") != "LineString") continue;
        points += feature.at("geometry").at("coordinates").size();
        EXPECT_TRUE(feature.at("properties").contains("load"));
    }
    EXPECT_EQ(points, 5U) << "with the bend of the first street";
}

}  // namespace

}  // namespace neuroprim::test
