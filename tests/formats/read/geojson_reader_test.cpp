#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

std::string feature(std::string_view geometry, std::string_view properties = "null") {
    return fmt::format(R"({{"type": "Feature", "geometry": {}, "properties": {}}})", geometry, properties);
}

constexpr std::string_view paris = R"({"type": "Point", "coordinates": [2.35, 48.85, 35]})";
constexpr std::string_view lyon = R"({"coordinates": [4.86, 45.76], "type": "Point"})";

TEST(GeojsonReader, ReadsEveryKindOfPoints) {
    const std::string collection =
        fmt::format(R"({{"type": "GeometryCollection", "geometries": [{}, {}]}})", paris, lyon);
    const std::string multi = R"({"type": "MultiPoint", "coordinates": [[2.35, 48.85], [4.86, 45.76]]})";
    for (const auto& text :
         {collection, multi, feature(collection), feature(multi),
          fmt::format(R"({{"type": "FeatureCollection", "features": [{}, {}]}})", feature(paris), feature(lyon)),
          fmt::format(R"({{"name": "x", "features": [{}], "crs": {{"a": [1]}}, "type": "FeatureCollection"}})",
                      feature(multi))}) {
        const auto instance = read_one(text);
        ASSERT_EQ(instance.size(), 2) << text;
        EXPECT_EQ(instance.weights.points()[0], (Point{2.35, 48.85})) << text;
        EXPECT_EQ(instance.weights.points()[1], (Point{4.86, 45.76})) << text;
        EXPECT_EQ(instance.weights.metric(), Metric::great_circle);
    }
    EXPECT_EQ(read_one(lyon).size(), 1);
}

TEST(GeojsonReader, ReadsNamesTerminalsAndDegrees) {
    const auto instance = read_one(fmt::format(
        R"({{"type": "FeatureCollection", "features": [{}, {}, {}]}})",
        feature(paris, R"({"name": "Paris", "terminal": true, "degree": 1, "population": {"now": [1, 2]}})"),
        feature(lyon, R"({"terminal": 0, "name": null})"), feature(lyon, R"({"terminal": "yes", "name": 7})")));
    EXPECT_EQ(instance.names, (std::vector<std::string>{"Paris", "1", "7"}));
    EXPECT_EQ(instance.terminals, (std::vector<Vertex>{0, 2}));
    EXPECT_EQ(instance.degree_limits, (std::vector<int>{1, 2, 2}));
}

using Lines = std::vector<std::string>;

TEST(GeojsonReader, SkipsFeaturesWithoutGeometryAndCountsThem) {
    const std::string text = fmt::format("{{\"type\": \"FeatureCollection\", \"features\": [{},\n{},\n{}]}}",
                                         feature(paris), feature("null", R"({"name": "nowhere"})"), feature("null"));
    EXPECT_EQ(read_one(text).size(), 1);
    EXPECT_EQ(testing::warnings_of(text), Lines{"file:2: features without a geometry are skipped: 2 of 3"});
}

TEST(GeojsonReader, NamesTheFeatureOfAnUnknownKind) {
    EXPECT_EQ(refusal(fmt::format("{{\"type\": \"FeatureCollection\", \"features\": [{},\n{}]}}", feature(paris),
                                  feature(R"({"type": "Circle", "coordinates": [1, 2]})"))),
              "file:2: features[1] is a \"Circle\": points, lines and areas can be read");
}

TEST(GeojsonReader, NamesThatAreTakenGetANumber) {
    const auto named = [](std::string_view name) { return feature(paris, fmt::format(R"({{"name": "{}"}})", name)); };
    const std::string text = fmt::format("{{\"type\": \"FeatureCollection\", \"features\": [{},\n{},\n{},\n{}]}}",
                                         named("a"), named("a"), named("a (2)"), named("a"));
    EXPECT_EQ(read_one(text).names, (Lines{"a", "a (3)", "a (2)", "a (4)"}));
    EXPECT_EQ(testing::warnings_of(text),
              Lines{"file:2: more than one vertex is named \"a\": names that are taken get a "
                    "number, as in \"a (3)\""});
}

TEST(GeojsonReader, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(refusal("{\"type\": \"Point\",\n\"coordinates\": [1]}"),
              "file:2: the geometry: expected [longitude, latitude], found 1 numbers");
    EXPECT_EQ(refusal("{\"type\": \"Point\",\n\"coordinates\": [1, 91]}"),
              "file:2: the geometry: latitude 91 is outside -90 to 90: are longitude and latitude swapped? Longitude "
              "comes first");
    EXPECT_EQ(refusal("{\"type\": \"Point\",\n\"coordinates\": [1, \"2\"]}"),
              "file:2: expected a coordinate, found \"\"2\"\"");
    EXPECT_EQ(refusal("{\"type\": \"Point\"}"), "file:1: a Point needs \"coordinates\"");
    EXPECT_EQ(refusal("{\"coordinates\": [1, 2]}"), "file:1: a GeoJSON object needs a \"type\"");
    EXPECT_EQ(refusal("{\"type\":\n\"Circle\", \"coordinates\": [[1, 2], [3, 4]]}"),
              "file:2: expected points or lines, found a \"Circle\"");
    EXPECT_EQ(refusal("{\"type\": \"FeatureCollection\", \"features\": []}"),
              "file: an instance needs at least one vertex");
    EXPECT_EQ(refusal(feature("null")), "file: an instance needs at least one vertex");
    EXPECT_EQ(refusal(feature(paris, R"({"degree": 0})")),
              "file:1: expected a degree limit of at least 1, found \"0\"");
    EXPECT_EQ(refusal(feature(paris, R"({"terminal": [1]})")),
              "file:1: expected a string, a number or a boolean, found \"[\"");
    EXPECT_EQ(refusal(R"({"type": "Point", "coordinates": [1, 2], "coordinates": [1, 2]})"),
              "file:1: key \"coordinates\" is given twice");
    EXPECT_EQ(refusal(R"({"type": "Point", "coordinates": [1, 2]} x)"),
              "file:1: expected the end of the file, found \"x\"");
}

TEST(GeojsonReader, DeepNestingIsAnError) {
    std::string inner = R"({"type": "Point", "coordinates": [1, 2]})";
    std::string text;
    for (int depth = 0; depth < 100000; ++depth) text += R"({"type": "GeometryCollection", "geometries": [)";
    EXPECT_EQ(refusal(text), "file:1: collections are nested too deep");
    EXPECT_NE(refusal(R"({"type": "Point", "coordinates": )" + std::string(1000000, '[')), "");
    EXPECT_NE(refusal(R"({"type": "Point", "more": )" + std::string(1000000, '[')), "");
}

TEST(GeoJsonReader, ReadsWhatSpecificationsNeedToKnow) {
    const auto instance = read_one(R"({"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"root": true}},
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [2, 3]},
         "properties": {"demand": 2.5, "mass": 3, "prize": 7, "group": "north", "leaf": 1, "root": null}}]})");
    EXPECT_EQ(instance.root, 0);
    EXPECT_EQ(instance.demands, (std::vector<double>{1, 2.5}));
    EXPECT_EQ(instance.prizes, (std::vector<double>{0, 7}));
    EXPECT_EQ(instance.masses, (std::vector<double>{1, 3}));
    EXPECT_EQ(instance.groups, (std::vector<int>{-1, 0}));
    EXPECT_EQ(instance.leaves, (std::vector<Vertex>{1}));
    const auto two = read_one(R"({"type": "Feature", "geometry": {"type": "MultiPoint",
        "coordinates": [[1, 2], [2, 3]]}, "properties": {"root": true}})");
    EXPECT_EQ(two.root, 0);
    EXPECT_EQ(two.other_roots, std::vector<Vertex>{1});
}

}  // namespace
}  // namespace neuroprim
