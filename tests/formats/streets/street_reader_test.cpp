#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "formats/read/reader_support.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "support/benchmarks.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;
using testing::warnings_of;
using Texts = std::vector<std::string>;

constexpr double degree = 111195.08;  // metres along the equator, nearly

std::string feature(std::string_view type, std::string_view coordinates, std::string_view properties = "{}") {
    return fmt::format(R"({{"type": "Feature", "geometry": {{"type": "{}", "coordinates": {}}}, "properties": {}}})",
                       type, coordinates, properties);
}

std::string line(std::string_view coordinates, std::string_view properties = "{}") {
    return feature("LineString", coordinates, properties);
}

std::string place(std::string_view coordinates, std::string_view properties = "{}") {
    return feature("Point", coordinates, properties);
}

/// One feature a line of text, the first in line 1.
std::string map_of(const Texts& features) {
    return fmt::format(R"({{"type": "FeatureCollection", "features": [{}]}})", fmt::join(features, ",\n"));
}

Instance read_with(const Texts& features, const MapOptions& options, Texts* warnings = nullptr) {
    ReadOptions read;
    read.map = options;
    read.warn = [&](const std::string& message) {
        if (warnings != nullptr) warnings->push_back(message);
    };
    return std::move(parse_instances(map_of(features), "file", read).front());
}

std::string refusal_with(const Texts& features, const MapOptions& options) {
    try {
        static_cast<void>(read_with(features, options));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string only_warning(const Texts& features) {
    const Texts warnings = warnings_of(map_of(features));
    EXPECT_EQ(warnings.size(), 1U) << fmt::format("{}", fmt::join(warnings, "\n"));
    return warnings.empty() ? "" : warnings.front();
}

double sum_of_weights(const Instance& instance) {
    double sum = 0;
    for (const auto& edge : instance.weights.edges()) sum += edge.weight;
    return sum;
}

TEST(Streets, EndsThatMeetAreOneVertexAndCrossingsStayApart) {
    const auto crossing = read_one(map_of({line("[[0, 0], [0.002, 0]]"), line("[[0.001, -0.001], [0.001, 0.001]]"),
                                           line("[[0.002, 0], [0.001, 0.001]]")}));
    EXPECT_EQ(crossing.size(), 4);
    EXPECT_EQ(crossing.weights.edge_count(), 3U);
    EXPECT_NEAR(crossing.weights(0, 1), 0.002 * degree, 1e-3);
    const auto met = read_one(
        map_of({line("[[0, 0], [0.001, 0], [0.002, 0]]"), line("[[0.001, -0.001], [0.001, 0], [0.001, 0.001]]")}));
    EXPECT_EQ(met.size(), 5) << "lines that share a point meet there";
    EXPECT_EQ(met.weights.edge_count(), 4U);
}

TEST(Streets, PointsBetweenVerticesAreTheShapeOfTheEdge) {
    const auto instance = read_one(map_of({feature("MultiLineString",
                                                   "[[[0, 0], [0, 0.001], [0.001, 0.001]], "
                                                   "[[0.003, 0], [0.001, 0.001]]]")}));
    ASSERT_EQ(instance.size(), 3);
    EXPECT_NEAR(instance.weights(0, 1), 0.002 * degree, 1e-2);
    std::vector<Point> path;
    instance.map->append_between(path, 1, 0);
    EXPECT_EQ(path, (std::vector<Point>{{0, 0.001}}));
    EXPECT_EQ(instance.layout[1], (Point{0.001, 0.001}));
}

TEST(Streets, TheToleranceJoinsEndsWithEndsAndWithLines) {
    const Texts gap = {line("[[0, 0], [0.001, 0]]"), line("[[0.001001, 0], [0.002, 0]]")};  // 11 cm
    EXPECT_EQ(read_one(map_of(gap)).size(), 4);
    EXPECT_EQ(read_with(gap, {.snap_tolerance = 0.2}).size(), 3);
    const Texts by = {line("[[0, 0], [0.002, 0]]"), line("[[0.001, 0.000001], [0.001, 0.001]]")};
    EXPECT_EQ(read_one(map_of(by)).size(), 4);
    const auto joined = read_with(by, {.snap_tolerance = 0.2});
    EXPECT_EQ(joined.size(), 4);
    EXPECT_EQ(joined.weights.edge_count(), 3U) << "the line that the end touches is cut there";
    EXPECT_EQ(read_with({by[0], line("[[0.001, 0], [0.001, 0.001]]")}, {.snap_tolerance = 0}).weights.edge_count(),
              2U);
}

TEST(Streets, APropertyIsTheWeightAndIsSharedByLength) {
    const Texts map = {line("[[0, 0], [0.003, 0]]", R"({"cost": 30})"),
                       line("[[0.003, 0], [0.004, 0]]", R"({"cost": "7"})"), place("[0.001, 0.0001]")};
    const auto instance = read_with(map, {.weight_property = "cost"});
    ASSERT_EQ(instance.size(), 4);
    EXPECT_NEAR(instance.weights(0, 1), 10, 1e-9);
    EXPECT_NEAR(instance.weights(1, 2), 20, 1e-9);
    EXPECT_EQ(instance.weights(2, 3), 7);
    EXPECT_EQ(
        refusal_with({map[0], line("[[0, 0], [0, 1]]", R"({"name": "Long Lane"})")}, {.weight_property = "cost"}),
        "file:2: features[1] (\"Long Lane\") has no property \"cost\", which --weight-property names: give it "
        "one, or leave the option away to weigh streets by their length");
}

TEST(Streets, APropertyIsThePriceOfAMetre) {
    const Texts map = {line("[[0, 0], [0.003, 0]]", R"({"surface": 2.5})"),
                       line("[[0.003, 0], [0.004, 0]]", R"({"surface": 0})"), place("[0.001, 0.0001]")};
    const auto metres = read_one(map_of(map));
    const auto priced = read_with(map, {.price_property = "surface"});
    EXPECT_NEAR(priced.weights(0, 1), 2.5 * metres.weights(0, 1), 1e-9);
    EXPECT_NEAR(priced.weights(1, 2), 2.5 * metres.weights(1, 2), 1e-9);
    EXPECT_EQ(priced.weights(2, 3), 0);
    EXPECT_EQ(read_with({line("[[0, 0], [0.001, 0]]", R"({"existing": true})")}, {.price_property = "surface"})
                  .weights(0, 1),
              0)
        << "what is there already needs no price";
    EXPECT_EQ(refusal_with({map[0], line("[[0, 0], [0, 1]]")}, {.price_property = "surface"}),
              "file:2: features[1] has no property \"surface\", which --price-property names: give it one, or leave "
              "the option away to weigh streets by their length");
    EXPECT_EQ(refusal_with({line("[[0, 0], [0, 1]]", R"({"cost": 1, "surface": 2})")},
                           {.weight_property = "cost", .price_property = "surface"}),
              "file: --weight-property is the weight of a line, --price-property that of a metre: give one of them");
    EXPECT_NE(refusal_with({line("[[0, 0], [0, 1]]", R"({"surface": -1})")}, {.price_property = "surface"})
                  .find("file:1: "),
              std::string::npos);
}

TEST(Streets, WhatExistsCostsNothing) {
    const auto instance =
        read_with({line("[[0, 0], [0.003, 0]]", R"({"duct": true})"), line("[[0.003, 0], [0.004, 0]]")},
                  {.existing_property = "duct"});
    EXPECT_EQ(instance.weights(0, 1), 0);
    EXPECT_GT(instance.weights(1, 2), 0);
}

TEST(Streets, OfParallelStreetsTheCheapestIsAnEdgeWithItsShape) {
    const Texts map = {line("[[0, 0], [0.001, 0.002], [0.002, 0]]"), line("[[0.002, 0], [0.001, 0.001], [0, 0]]")};
    const auto instance = read_one(map_of(map));
    ASSERT_EQ(instance.size(), 2);
    std::vector<Point> path;
    instance.map->append_between(path, 0, 1);
    EXPECT_EQ(path, (std::vector<Point>{{0.001, 0.001}}));
    EXPECT_EQ(instance.map->backdrop.size(), 1U) << "the other is drawn";
    EXPECT_EQ(
        only_warning(map),
        "file:1: features[0] joins the same two places as features[1] and costs no less: only the cheaper is an "
        "edge");
}

TEST(Streets, ALoopIsLeftOutUnlessAnAddressIsOnIt) {
    const std::string ring = line("[[0, 0], [0.001, 0.001], [0, 0.002], [-0.001, 0.001], [0, 0]]");
    const std::string road = line("[[0, 0], [0, -0.001]]");
    EXPECT_EQ(read_one(map_of({ring, road})).weights.edge_count(), 1U);
    EXPECT_EQ(only_warning({ring, road}),
              "file:1: features[0] is a loop from [0, 0] back to itself, which no tree can use: it is left out");
    const auto instance = read_one(map_of({ring, road, place("[0, 0.0021]")}));
    EXPECT_EQ(instance.size(), 3);
    EXPECT_EQ(instance.weights.edge_count(), 2U) << "of both ways to the address one";
}

TEST(Streets, AddressesMoveToTheNearestStreetAndAreTerminals) {
    const auto instance =
        read_one(map_of({line("[[0, 0], [0.002, 0]]"), place("[0.0005, 0.0002]", R"({"name": "a"})"),
                         place("[0.0000000001, 0.0002]"), place("[0.0015, -0.0001]")}));
    ASSERT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.terminals, (std::vector<Vertex>{0, 1, 2})) << "numbered along the street";
    EXPECT_EQ(instance.names[1], "a");
    EXPECT_NEAR(instance.layout[1].x, 0.0005, 1e-12);
    EXPECT_EQ(instance.layout[0], (Point{0, 0})) << "an end that is near enough is not cut off";
    EXPECT_EQ(instance.demands, (std::vector<double>{1, 1, 1, 0}));
    const auto at = instance.map->addresses_at(1);
    ASSERT_EQ(at.size(), 1U);
    EXPECT_EQ(at[0].feature, 1);
    EXPECT_NEAR(at[0].metres, 0.0002 * degree, 1e-3);
    EXPECT_EQ(implied_preset(instance, {}), "stp");
}

TEST(Streets, PropertiesSayWhatAddressesAre) {
    const Texts map = {line("[[0, 0], [0.009, 0]]"),
                       place("[0.001, 0]", R"({"demand": 3})"),
                       place("[0.002, 0]", R"({"demand": 0})"),
                       place("[0.003, 0]", R"({"prize": 5, "name": "shop"})"),
                       place("[0.004, 0]", R"({"terminal": true})"),
                       place("[0.005, 0]", R"({"candidate": 0})"),
                       place("[0.006, 0]", R"({"root": true})"),
                       place("[0.007, 0]", R"({"terminal": false, "demand": 2})")};
    const auto instance = read_one(map_of(map));
    ASSERT_EQ(instance.size(), 9);
    EXPECT_EQ(instance.terminals, (std::vector<Vertex>{1, 4, 6})) << "what leads to the root has to reach it";
    EXPECT_EQ(instance.demands, (std::vector<double>{0, 3, 0, 1, 1, 0, 0, 2, 0}));
    EXPECT_EQ(instance.prizes, (std::vector<double>{0, 0, 0, 5, 0, 0, 0, 0, 0}));
    EXPECT_EQ(instance.root, 6);
    EXPECT_NE(only_warning(map).find("file:6: features[5] has neither a demand nor a prize"), std::string::npos);
    const auto other = read_with({map[0], place("[0.001, 0]", R"({"flats": 7, "worth": 9})")},
                                 {.demand_property = "flats", .prize_property = "worth"});
    EXPECT_EQ(other.demands[1], 7);
    EXPECT_EQ(other.prizes[1], 9);
}

TEST(Streets, ASubstationIsTheRootUnlessRootsAreMarked) {
    const std::string road = line("[[0, 0], [0.009, 0]]");
    const std::string station = place("[0.001, 0]", R"({"kind": "Substation", "demand": 0})");
    const std::string house = place("[0.002, 0]", R"({"kind": "house", "demand": 2, "mass": 3})");
    const auto instance = read_one(map_of({road, station, house}));
    EXPECT_EQ(instance.root, 1);
    EXPECT_EQ(instance.masses, (std::vector<double>{1, 1, 3, 1}));
    EXPECT_EQ(read_one(map_of({road, station, house, place("[0.003, 0]", R"({"root": true})")})).root, 3);
    EXPECT_EQ(read_one(map_of({station, house})).root, 0) << "without streets, too";
}

TEST(Streets, AForeignCoordinateSystemIsTold) {
    const auto told = [](std::string_view name) {
        return warnings_of(fmt::format(R"({{"type": "FeatureCollection", "name": "streets",
"crs": {{"type": "name", "properties": {{"name": "{}"}}}},
"features": [{}]}})",
                                       name, line("[[0, 0], [0.001, 0]]")));
    };
    EXPECT_EQ(told("urn:ogc:def:crs:OGC:1.3:CRS84"), Texts{});
    EXPECT_EQ(told("urn:ogc:def:crs:EPSG::4326"), Texts{});
    const Texts warnings = told("urn:ogc:def:crs:EPSG::25832");
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0],
              "file:2: its coordinate system is \"urn:ogc:def:crs:EPSG::25832\": positions are taken for longitude "
              "and latitude in degrees; --format gdal converts them, as ogr2ogr -t_srs EPSG:4326 does");
}

TEST(Streets, AddressesAtOnePlaceAddUp) {
    const Texts map = {line("[[0, 0], [0.009, 0]]"), place("[0.001, 0.0001]", R"({"demand": 3})"),
                       place("[0.001, -0.0001]", R"({"demand": 4})")};
    EXPECT_EQ(read_one(map_of(map)).demands, (std::vector<double>{0, 7, 0}));
    EXPECT_EQ(only_warning(map),
              "file:3: features[2] is at the same place of the streets as features[1]: they are one vertex, and "
              "demands and prizes add up");
}

TEST(Streets, ForbiddenAreasRemoveStreets) {
    const std::string road = line("[[0, 0], [0.002, 0], [0.004, 0]]");
    const std::string around = line("[[0, 0], [0, 0.003], [0.004, 0.003], [0.004, 0]]");
    const std::string square =
        "[[[0.001, -0.001], [0.003, -0.001], [0.003, 0.001], [0.001, 0.001], [0.001, -0.001]]]";
    const Texts map = {road, around, feature("Polygon", square, R"({"forbidden": true, "name": "park"})")};
    const auto instance = read_one(map_of(map));
    EXPECT_EQ(instance.weights.edge_count(), 1U);
    EXPECT_EQ(instance.map->lines[0].feature, 1);
    EXPECT_EQ(instance.map->areas.size(), 1U);
    EXPECT_EQ(only_warning(map),
              "file:1: features[0] passes the forbidden area features[2] (\"park\"): what lies there is no edge");
    // An address cuts its street, so that the part outside stays an edge; one inside goes where it may.
    const auto cut = read_one(map_of({road, around, map[2], place("[0.0005, 0.0001]"), place("[0.002, 0.0005]")}));
    EXPECT_EQ(cut.weights.edge_count(), 3U);
    EXPECT_EQ(cut.layout[index(cut.terminals.back())], (Point{0, 0.0005}));
    EXPECT_NE(warnings_of(map_of({road, around, feature("Polygon", square)}))
                  .front()
                  .find("file:3: features[2] is an area without"),
              std::string::npos);
    EXPECT_EQ(read_one(map_of({road, around, feature("Polygon", square)})).weights.edge_count(), 1U) << "parallel";
    EXPECT_NE(refusal(map_of({map[2]})).find("no points and no lines"), std::string::npos);
}

TEST(Streets, AnAddressFarFromEveryStreetIsNamed) {
    const Texts map = {line("[[0, 0], [0.009, 0]]"), place("[0.001, 0.01]", R"({"name": "farm"})")};
    EXPECT_EQ(refusal(map_of(map)),
              "file:2: features[1] (\"farm\") is 1112 m from the nearest street, and at most 500 m are allowed: move "
              "it, add the street that leads to it, or allow more with --snap-distance 1112");
    EXPECT_EQ(read_with(map, {.snap_distance = 1112}).terminals.size(), 1U);
}

TEST(Streets, PartsThatDoNotMeetAreTold) {
    const Texts map = {line("[[0, 0], [0.001, 0]]"), line("[[0.001, 0], [0.002, 0]]"),
                       line("[[0.00201, 0], [0.003, 0]]", R"({"name": "Far End"})"), place("[0.003, 0]")};
    EXPECT_EQ(
        only_warning(map),
        "file:3: features[2] (\"Far End\") lies in a part of 2 vertices that meets no other street: the streets "
        "fall into 2 parts, the largest with 3 of 5 vertices; 1 of 1 points are outside of it; the gap is 1.1 m "
        "wide: --snap-tolerance joins ends that are closer than it says");
    Texts warnings;
    EXPECT_EQ(read_with(map, {.snap_tolerance = 2}, &warnings).size(), 4);
    EXPECT_TRUE(warnings.empty());
}

TEST(Streets, BadLinesAreNamed) {
    const std::string road = line("[[0, 0], [0.001, 0]]");
    EXPECT_EQ(only_warning({road, line("[[0, 0], [0, 0]]")}),
              "file:2: features[1] has a line whose points are all the same: it leads nowhere and is left out");
    EXPECT_EQ(only_warning({line("[[0, 0], [0, 0], [0.001, 0]]"), line("[[0.001, 0], [0.002, 0], [0.002, 0]]")}),
              "file:1: features[0] repeats a point of its line: such points are read once; the same holds for "
              "features[1]");
    // A P: up the stem, around and back to the middle.
    const std::string p = line("[[0, 0], [0, 0.001], [0, 0.002], [0.001, 0.002], [0.001, 0.001], [0, 0.001]]");
    const Texts told = warnings_of(map_of({p}));
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0],
              "file:1: features[0] touches itself at [0, 0.001]: the line is cut there, and its parts are edges of "
              "their own");
    EXPECT_NE(told[1].find("is a loop"), std::string::npos);
    EXPECT_EQ(refusal(map_of({road, line("[[0, 0]]")})),
              "file:2: features[1] has a line of one point: a line needs two points or more");
    EXPECT_EQ(refusal(map_of({road, line("[[587421.2, 4092113], [0, 0]]")})),
              "file:2: features[1]: latitude 4092113 is outside -90 to 90: positions are longitude and latitude in "
              "degrees; convert the file to WGS 84 (EPSG:4326)");
    EXPECT_EQ(refusal(map_of({place("[36.9, -122.03]")})),
              "file:1: features[0]: latitude -122.03 is outside -90 to 90: are longitude and latitude swapped? "
              "Longitude comes first");
}

double metres_to_segment(Point p, Point a, Point b) {
    const double scale = std::cos(p.y * 3.14159265358979323846 / 180);
    const double ax = (a.x - p.x) * scale;
    const double bx = (b.x - p.x) * scale;
    const double length = (bx - ax) * (bx - ax) + (b.y - a.y) * (b.y - a.y);
    const double t = length == 0 ? 0 : std::clamp(-(ax * (bx - ax) + (a.y - p.y) * (b.y - a.y)) / length, 0.0, 1.0);
    return degree * std::hypot(ax + t * (bx - ax), a.y - p.y + t * (b.y - a.y));
}

TEST(Streets, RandomMapsLoseNoStreetAndFindTheNearestOne) {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        Texts map;
        std::vector<std::pair<Point, Point>> segments;
        double length = 0;
        // Ends on a coarse grid meet often; points between them never do.
        const auto corner = [&] {
            return Point{7 + 0.002 * static_cast<double>(random.below(6)),
                         50 + 0.002 * static_cast<double>(random.below(6))};
        };
        for (int k = 0; k < 40; ++k) {
            const Point from = corner();
            const Point to = corner();
            const Point bend{7 + 0.01 * random.uniform(), 50 + 0.01 * random.uniform()};
            map.push_back(
                line(fmt::format("[[{}, {}], [{}, {}], [{}, {}]]", from.x, from.y, bend.x, bend.y, to.x, to.y)));
            segments.emplace_back(from, bend);
            segments.emplace_back(bend, to);
            length += path_length(std::array{from, bend, to});
        }
        std::vector<Point> places;
        for (int k = 0; k < 30; ++k) {
            places.push_back({7 + 0.01 * random.uniform(), 50 + 0.01 * random.uniform()});
            map.push_back(place(fmt::format("[{}, {}]", places.back().x, places.back().y)));
        }
        const Instance instance = read_with(map, {});
        double drawn = 0;
        for (const auto& path : instance.map->backdrop) drawn += path_length(path);
        EXPECT_NEAR(sum_of_weights(instance) + drawn, length, 1e-6 * length);
        ASSERT_EQ(instance.map->addresses.size(), places.size());
        for (const auto& address : instance.map->addresses) {
            double nearest = std::numeric_limits<double>::infinity();
            for (const auto& [a, b] : segments) nearest = std::min(nearest, metres_to_segment(address.at, a, b));
            EXPECT_NEAR(address.metres, nearest, 0.02 + 1e-4 * nearest);
        }
        for (const auto& edge : instance.weights.edges()) {
            std::vector<Point> path = {instance.layout[index(edge.u)]};
            instance.map->append_between(path, edge.u, edge.v);
            path.push_back(instance.layout[index(edge.v)]);
            EXPECT_NEAR(path_length(path), edge.weight, 1e-9 * edge.weight);
        }
    }
}

TEST(Streets, TheTownOfTheLiteratureIsReadAsItIs) {
    const auto folder = testing::benchmarks();
    if (!folder) GTEST_SKIP() << "literature instances not found: set NEUROPRIM_BENCHMARKS";
    const Instance instance =
        std::move(read_instances((*folder / "streets/santa-cruz-500.geojson").string()).front());
    EXPECT_EQ(instance.size(), 1354);
    EXPECT_EQ(instance.weights.edge_count(), 1374U);
    EXPECT_EQ(instance.terminals.size(), 457U);
    EXPECT_EQ(implied_preset(instance, {}), "stp");
    const auto problem = make_problem("stp", instance);
    const Solution solution = solve(*problem, {});
    EXPECT_TRUE(solution.proven());
    EXPECT_NEAR(solution.cost, 21953.376464, 1e-5);
}

}  // namespace
}  // namespace neuroprim
