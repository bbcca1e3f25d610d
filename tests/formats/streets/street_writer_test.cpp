#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include <nlohmann/json.hpp>

#include "formats/read/reader_support.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/picture.hpp"
#include "neuroprim/solve.hpp"
#include "neuroprim/tree_facts.hpp"

namespace neuroprim {
namespace {

using nlohmann::json;

/// A street with a bend, a side street and two houses beside; the exchange is at its beginning.
constexpr std::string_view village = R"({"type": "FeatureCollection", "features": [
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0, 0], [0.001, 0.001], [0.002, 0]]}, "properties": {}},
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0.002, 0], [0.004, 0]]}, "properties": {}},
{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[0.002, 0], [0.002, -0.001]]}, "properties": {}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": {"root": true, "name": "exchange"}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0.003, 0.0001]}, "properties": {"demand": 2, "name": "house"}},
{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0.004, 0.0001]}, "properties": {"demand": 3, "name": "mill"}}
]})";

struct Village {
    Instance instance = testing::read_one(village);
    std::unique_ptr<Problem> problem;
    Solution solution;

    Village() {
        ProblemOptions options;
        options.cables = {{2, 1}, {4, 1.5}, {10, 2}};
        options.hops = 4;
        problem = make_problem(implied_preset(instance, options), instance, options);
        solution = solve(*problem, {});
    }
};

TEST(StreetSolution, LinesTellCostLoadAndCableAndRunAsStreetsDo) {
    const Village v;
    const json map = json::parse(formats::solution_to_geojson(v.instance, v.solution));
    EXPECT_EQ(map["neuroprim"]["limits"], json::parse(R"({"hops": 4})"));
    EXPECT_EQ(map["neuroprim"]["cables"][1], json::parse(R"({"capacity": 4, "price": 1.5})"));
    double cost = 0;
    std::map<int, json> by_feature;
    std::map<std::string, json> by_name;
    for (const json& feature : map["features"]) {
        const json& properties = feature["properties"];
        if (feature["geometry"]["type"] == "Point") {
            by_name[properties["name"]] = properties;
            continue;
        }
        cost += properties["cost"].get<double>();
        by_feature[properties["feature"]] = feature;
        EXPECT_NEAR(properties["length"].get<double>(), properties["weight"].get<double>(), 1e-9);
    }
    EXPECT_NEAR(cost, v.solution.cost, 1e-9);
    EXPECT_EQ(by_feature.count(2), 0U) << "the side street leads to nobody";
    EXPECT_EQ(by_feature[0]["geometry"]["coordinates"].size(), 3U) << "with its bend";
    EXPECT_EQ(by_feature[0]["properties"]["load"], 5);
    EXPECT_EQ(by_feature[0]["properties"]["cable"], 2);
    EXPECT_EQ(by_name["mill"]["load"], 3);
    EXPECT_EQ(by_name["mill"]["depth"], 3);
    EXPECT_EQ(by_name["mill"]["features"], json::parse("[5]"));
    EXPECT_NEAR(by_name["mill"]["metres_to_street"].get<double>(), 11.1, 0.1);
    EXPECT_EQ(by_name["exchange"]["root"], true);
    EXPECT_EQ(map["neuroprim"]["root"], by_name["exchange"]["vertex"]);
}

TEST(StreetSolution, FactsOfTheTreeAgreeWithItsPrice) {
    const Village v;
    const TreeFacts facts = facts_of(v.problem->spec(), v.instance, v.solution.tree);
    double sum = 0;
    for (Vertex u = 0; u < v.instance.size(); ++u) {
        const Vertex p = facts.parent[index(u)];
        if (p == no_vertex) continue;
        sum += v.instance.weights(u, p) *
               v.problem->spec().cables[static_cast<std::size_t>(facts.cable[index(u)])].price;
        EXPECT_NEAR(facts.distance[index(u)], facts.distance[index(p)] + v.instance.weights(u, p), 1e-9);
        EXPECT_EQ(facts.depth[index(u)], facts.depth[index(p)] + 1);
    }
    EXPECT_NEAR(sum, v.solution.cost, 1e-9);
}

TEST(StreetSolution, LoadsAreTheDemandsOfTheInputSeenFromItsRootWhereNothingLimitsThem) {
    const Instance instance = testing::read_one(village);
    ASSERT_TRUE(instance.root);
    const Solution solution = solve(*make_problem("stp", instance), {});
    EXPECT_EQ(solution.tree.start, *instance.root);
    const TreeFacts facts = facts_of(*solution.spec, instance, solution.tree);
    EXPECT_EQ(facts.demand, instance.demands);
    double carried = 0;
    for (Vertex v = 0; v < instance.size(); ++v) {
        if (facts.parent[index(v)] == *instance.root) carried += facts.load[index(v)];
    }
    double demanded = 0;
    for (const Vertex v : instance.terminals) {
        if (v != *instance.root) demanded += instance.demands[index(v)];
    }
    EXPECT_EQ(carried, demanded);
}

TEST(StreetSolution, WhatCannotBeIsToldWithItsPlace) {
    const Instance instance = testing::read_one(village);
    TreeSpec spec{.root = *instance.root, .hops = 1};
    EXPECT_EQ(infeasibility(spec, instance), "vertex mill is 3 hops from root exchange on any path, the limit is 1");
    spec.coverage = Coverage::terminals;
    spec.terminals = {*instance.root, 4};
    EXPECT_EQ(instance.layout[4], (Point{0.002, -0.001}));
    EXPECT_EQ(infeasibility(spec, instance),
              "vertex 4 at [0.002, -0.001] is 2 hops from root exchange on any path, the limit is 1");
}

TEST(StreetPicture, StreetsLieBehindTheTree) {
    const Village v;
    PictureOptions options;
    options.legend = false;
    const Picture picture = draw_tree(v.instance, v.solution, options);
    std::vector<std::size_t> segments;
    for (const Shape& shape : picture.shapes) {
        if (const auto* lines = std::get_if<Lines>(&shape)) segments.push_back(lines->segments.size());
    }
    ASSERT_GE(segments.size(), 2U);
    EXPECT_EQ(segments[0], 5U) << "all streets: the bent one, the cut one, the side street";
    EXPECT_EQ(std::accumulate(segments.begin() + 1, segments.end(), std::size_t{0}), 4U)
        << "the tree, a shape for each width and cable";
}

TEST(StreetInstance, JsonKeepsHowStreetsRun) {
    const Instance before = testing::read_one(village);
    const Instance after = testing::read_one(formats::instance_to_json(before), "json");
    EXPECT_EQ(after.weights.edges(), before.weights.edges());
    EXPECT_EQ(after.layout, before.layout);
    EXPECT_EQ(after.terminals, before.terminals);
    ASSERT_TRUE(after.map);
    for (const auto& edge : before.weights.edges()) {
        std::vector<Point> one;
        std::vector<Point> other;
        before.map->append_between(one, edge.v, edge.u);
        after.map->append_between(other, edge.v, edge.u);
        EXPECT_EQ(one, other);
    }
    EXPECT_EQ(formats::instance_to_json(after), formats::instance_to_json(before));
}

TEST(StreetInstance, GeoJsonIsReadBackAsTheSameGraph) {
    const Instance before = testing::read_one(village);
    ReadOptions options;
    options.map.weight_property = "weight";
    const Instance after = std::move(parse_instances(formats::instance_to_geojson(before), "file", options).front());
    EXPECT_EQ(after.size(), before.size());
    EXPECT_EQ(after.weights.edge_count(), before.weights.edge_count());
    EXPECT_EQ(after.terminals.size(), before.terminals.size());
    EXPECT_NEAR(solve(*make_problem("stp", after), {}).cost, solve(*make_problem("stp", before), {}).cost, 1e-9);
}

TEST(StreetInstance, JsonRefusesShapesOfNoEdge) {
    const auto told = [](std::string_view map, std::string_view layout = R"(, "layout": [[0, 0], [1, 1], [2, 2]])") {
        return testing::refusal(
            fmt::format(R"({{"n": 3, "edges": [[0, 1, 5], [1, 2, 4]], "map": {}{}}})", map, layout), "json");
    };
    EXPECT_EQ(told(R"({"shapes": [[0, 2, [[1, 1]]]]})"), "file:1: there is no edge between 0 and 2");
    EXPECT_EQ(told(R"({"shapes": [[0, 1, [[1, 1]]], [1, 0, []]]})"), "file:1: edge 0-1 has two shapes");
    EXPECT_EQ(told(R"({"shapes": [[0, 1]]})"), "file:1: expected a shape [u, v, [[longitude, latitude], …]]");
    EXPECT_EQ(told(R"({"roads": []})"), "file:1: unknown key \"roads\": expected shapes, areas, streets, plane");
    EXPECT_EQ(told("{}", ""), "file:1: \"map\" needs \"layout\", in degrees");
    EXPECT_NE(told("{}", R"(, "layout": [[0, 0], [1, 100], [2, 2]])").find("latitude 100"), std::string::npos);
}

}  // namespace
}  // namespace neuroprim
