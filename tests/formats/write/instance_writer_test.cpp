#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "support/instances.hpp"

namespace neuroprim::formats {
namespace {

using nlohmann::json;
using testing::of_edges;
using testing::of_points;

std::string reason_of(const std::function<std::string()>& write) {
    try {
        return "wrote " + write();
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(InstanceJson, HoldsPointsWithTheirMetric) {
    Instance instance = of_points({{0.1, 1e-300}, {1.0 / 3, -2}}, Metric::manhattan);
    instance.name = "two";
    const json object = json::parse(instance_to_json(instance));
    EXPECT_EQ(object["name"], "two");
    EXPECT_EQ(object["metric"], "manhattan");
    EXPECT_EQ(object["points"][0][1].get<double>(), 1e-300);
    EXPECT_EQ(object["points"][1][0].get<double>(), 1.0 / 3);
    EXPECT_EQ(object.size(), 3U);
}

TEST(InstanceJson, HoldsMatricesAsTheirLowerTriangleAndMissingEdgesAsNull) {
    Instance instance;
    instance.weights = Weights::from_lower_triangle(3, std::vector<double>{1.5, Weights::infinity, 2});
    EXPECT_EQ(json::parse(instance_to_json(instance))["matrix"], json::parse("[[],[1.5],[null,2]]"));
}

TEST(InstanceJson, HoldsEdgesAndAllTheRest) {
    Instance instance = of_edges(4, {{2, 1, 0.5}, {0, 1, 3}});
    instance.terminals = {1, 2};
    instance.degree_limits = {1, 2, 1, 3};
    instance.requirements = {1, 2, 3, 4, 5, 6.5};
    instance.names = {"a", "b", "c", "\"d\""};
    instance.layout = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const json object = json::parse(instance_to_json(instance));
    EXPECT_EQ(object["n"], 4);
    EXPECT_EQ(object["edges"], json::parse("[[0,1,3],[1,2,0.5]]"));
    EXPECT_EQ(object["terminals"], json::parse("[1,2]"));
    EXPECT_EQ(object["degree_limits"], json::parse("[1,2,1,3]"));
    EXPECT_EQ(object["requirements"], json::parse("[[],[1],[2,3],[4,5,6.5]]"));
    EXPECT_EQ(object["names"], json::parse(R"(["a","b","c","\"d\""])"));
    EXPECT_EQ(object["layout"], json::parse("[[0,0],[1,0],[1,1],[0,1]]"));
}

TEST(TsplibWriter, WritesCoordinatesUnderTheNameOfTheMetric) {
    Instance instance = of_points({{0, 0.5}, {3, 4}}, Metric::ceil_2d);
    instance.name = "two";
    EXPECT_EQ(instance_to_tsplib(instance),
              "NAME : two\nTYPE : TSP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : CEIL_2D\nNODE_COORD_SECTION\n"
              "1 0 0.5\n2 3 4\nEOF\n");
}

TEST(TsplibWriter, WritesMatricesWithTheirDiagonal) {
    Instance instance = of_edges(3, {{0, 1, 7}, {0, 2, 8}, {1, 2, 9.5}});
    instance.name.clear();
    EXPECT_EQ(instance_to_tsplib(instance),
              "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : LOWER_DIAG_ROW\n"
              "EDGE_WEIGHT_SECTION\n0\n7 0\n8 9.5 0\nEOF\n");
}

TEST(TsplibWriter, RefusesWhatItCannotHoldAndSaysWhatCan) {
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::maximum, Metric::great_circle}) {
        const Instance instance = of_points({{0, 0}, {1, 1}}, metric);
        const std::string reason = reason_of([&] { return instance_to_tsplib(instance); });
        EXPECT_NE(reason.find(to_string(metric)), std::string::npos) << reason;
        EXPECT_NE(reason.find(".json"), std::string::npos) << reason;
    }
    const Instance sparse = of_edges(3, {{0, 1, 7}, {0, 2, 8}});
    EXPECT_EQ(reason_of([&] { return instance_to_tsplib(sparse); }),
              "TSPLIB holds complete graphs only, and this one lacks edges: write .json or .stp");
    Instance steiner = of_points({{0, 0}, {1, 1}}, Metric::euc_2d);
    steiner.terminals = {0};
    EXPECT_EQ(reason_of([&] { return instance_to_tsplib(steiner); }),
              "TSPLIB cannot hold terminals: write .json, which can");
}

TEST(SteinlibWriter, ListsEdgesTerminalsDegreesAndCoordinates) {
    Instance instance = of_edges(3, {{0, 1, 7}, {1, 2, 0.25}});
    instance.name = "a \"b\"";
    instance.terminals = {0, 2};
    instance.degree_limits = {1, 2, 1};
    instance.layout = {{0, 0}, {1, 0}, {2, 0.5}};
    EXPECT_EQ(instance_to_steinlib(instance),
              "33D32945 STP File, STP Format Version 1.0\n\nSECTION Comment\nName \"a 'b'\"\nEND\n\n"
              "SECTION Graph\nNodes 3\nEdges 2\nE 1 2 7\nE 2 3 0.25\nEND\n\n"
              "SECTION Terminals\nTerminals 2\nT 1\nT 3\nEND\n\n"
              "SECTION MaximumDegrees\nMD 1\nMD 2\nMD 1\nEND\n\n"
              "SECTION Coordinates\nDD 1 0 0\nDD 2 1 0\nDD 3 2 0.5\nEND\n\nEOF\n");
}

TEST(SteinlibWriter, RefusesThousandsOfPoints) {
    const std::vector<Point> points(5001);
    const std::string reason = reason_of([&] { return instance_to_steinlib(of_points(points)); });
    EXPECT_EQ(reason,
              "SteinLib lists every edge, and 5001 points have 12502500 of them: write at most 5000 points as .stp, "
              "or .json or .csv");
}

TEST(CsvWriter, WritesTheColumnsThatTheInstanceHas) {
    Instance instance = of_points({{0, 0.1}, {-1e-9, 2}});
    EXPECT_EQ(instance_to_csv(instance), "x,y\n0,0.1\n-1e-09,2\n");
    instance.names = {"a", "b, c"};
    instance.terminals = {1};
    instance.degree_limits = {2, 3};
    EXPECT_EQ(instance_to_csv(instance), "x,y,name,terminal,degree\n0,0.1,a,0,2\n-1e-09,2,\"b, c\",1,3\n");
}

TEST(CsvWriter, CallsPlacesOnEarthByTheirCoordinates) {
    EXPECT_EQ(instance_to_csv(of_points({{13.4, 52.5}}, Metric::great_circle)), "lon,lat\n13.4,52.5\n");
}

TEST(CsvWriter, WritesEdgesOfGraphsWithoutPoints) {
    EXPECT_EQ(instance_to_csv(of_edges(3, {{0, 1, 7}, {1, 2, 0.25}})), "u,v,weight\n0,1,7\n1,2,0.25\n");
}

TEST(CsvWriter, RefusesWhatWouldComeBackAsSomethingElse) {
    EXPECT_EQ(reason_of([] {
                  return instance_to_csv(of_points({{0, 0}}, Metric::euc_2d));
              }),
              "CSV cannot say that the metric is euc_2d: write .json, which can hold it");
    EXPECT_EQ(reason_of([] {
                  return instance_to_csv(of_edges(3, {{0, 1, 7}}));
              }),
              "a CSV list of edges cannot hold a last vertex without edges: write .json, which can");
    Instance steiner = of_edges(2, {{0, 1, 7}});
    steiner.terminals = {0};
    EXPECT_EQ(reason_of([&] { return instance_to_csv(steiner); }),
              "a CSV list of edges cannot hold terminals: write .json, which can");
    Instance traffic = of_points({{0, 0}, {1, 0}});
    traffic.requirements = {1};
    EXPECT_EQ(reason_of([&] { return instance_to_csv(traffic); }),
              "CSV cannot hold requirements: write .json, which can");
}

TEST(GeoJsonWriter, WritesPlacesOnEarthOnly) {
    Instance instance = of_points({{13.4, 52.5}}, Metric::great_circle);
    instance.names = {"Berlin"};
    const json map = json::parse(instance_to_geojson(instance));
    EXPECT_EQ(map["features"][0]["geometry"]["coordinates"], json::parse("[13.4,52.5]"));
    EXPECT_EQ(map["features"][0]["properties"], json::parse(R"({"name":"Berlin"})"));
    EXPECT_NE(reason_of([] {
                  return instance_to_geojson(of_points({{0, 0}}));
              }).find("longitude and latitude"),
              std::string::npos);
}

TEST(WriteInstance, TakesTheFormatFromItsNameBeforeTheEnding) {
    ::testing::internal::CaptureStdout();
    write_instance("-", of_points({{0, 1}}), "csv");
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "x,y\n0,1\n");
}

TEST(WriteInstance, KnowsTsplibAndSteinlibByTheirReadersNames) {
    const Instance instance = of_points({{0, 1}, {2, 3}}, Metric::euc_2d);
    ::testing::internal::CaptureStdout();
    write_instance("-", instance, "tsplib");
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), instance_to_tsplib(instance));
}

TEST(WriteInstance, ListsWhatItKnows) {
    EXPECT_EQ(reason_of([] {
                  write_instance("-", of_points({{0, 1}}), "xml");
                  return "";
              }),
              "unknown format \"xml\": expected json, tsp, stp, csv, geojson, graphml, node-link, mtx or metis");
    EXPECT_EQ(reason_of([] {
                  write_instance("points.xml", of_points({{0, 1}}));
                  return "";
              }),
              "points.xml: unknown ending \".xml\": expected .json, .tsp, .stp, .csv, .geojson, "
              ".graphml, .node-link, .mtx or .metis");
}

}  // namespace
}  // namespace neuroprim::formats
