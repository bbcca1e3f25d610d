#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

TEST(JsonReader, ReadsPointsWithEverythingElse) {
    const auto instance = read_one(R"({
        "requirements": [[], [5], [1, 2]],
        "names": ["a", "\u00e9\ud83d\ude00\n", "c"],
        "terminals": [2, 0],
        "degree_limits": [1, 2, 3],
        "metric": "manhattan",
        "name": "three",
        "points": [[0, 0], [3, 4], [-1.5e1, 2]],
        "n": 3
    })");
    EXPECT_EQ(instance.name, "three");
    EXPECT_EQ(instance.weights.metric(), Metric::manhattan);
    EXPECT_EQ(instance.weights(0, 1), 7);
    EXPECT_EQ(instance.weights.points()[2], (Point{-15, 2}));
    EXPECT_EQ(instance.terminals, (std::vector<Vertex>{0, 2}));
    EXPECT_EQ(instance.degree_limits, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(instance.requirements, (std::vector<double>{5, 1, 2}));
    EXPECT_EQ(instance.names, (std::vector<std::string>{"a", "é😀\n", "c"}));
}

TEST(JsonReader, PointsAreEuclideanByDefault) {
    const auto instance = read_one(R"({"points": [[0, 0], [3, 4]]})");
    EXPECT_EQ(instance.name, "file");
    EXPECT_EQ(instance.weights.metric(), Metric::euclidean);
    EXPECT_EQ(read_one(R"({"points": [[5, 5]], "metric": "great-circle"})").weights.metric(), Metric::great_circle);
}

TEST(JsonReader, MatricesAreFullOrTriangles) {
    for (const auto* text : {R"({"matrix": [[9, 1, 2], [1, 9, 3], [2, 3, 9]]})", R"({"matrix": [[], [1], [2, 3]]})",
                             R"({"matrix": [[0], [1, 0], [2, 3, 0]]})",
                             R"({"matrix": [[null, 1, 2], [1, null, 3], [2, 3, null]], "n": 3})"}) {
        const auto instance = read_one(text);
        ASSERT_EQ(instance.size(), 3) << text;
        EXPECT_EQ(instance.weights(0, 1), 1) << text;
        EXPECT_EQ(instance.weights(0, 2), 2) << text;
        EXPECT_EQ(instance.weights(1, 2), 3) << text;
    }
    EXPECT_EQ(read_one(R"({"matrix": [[]]})").size(), 1);
    EXPECT_EQ(read_one(R"({"matrix": [[0]]})").size(), 1);
}

TEST(JsonReader, NullInAMatrixIsNoEdge) {
    const auto instance = read_one(R"({"matrix": [[], [1], [null, 3]], "layout": [[0, 0], [1, 1], [2, 2]]})");
    EXPECT_FALSE(instance.weights.has_edge(0, 2));
    EXPECT_EQ(instance.weights.edge_count(), 2U);
    EXPECT_EQ(instance.layout[2], (Point{2, 2}));
}

TEST(JsonReader, EdgesNeedN) {
    const auto instance = read_one(R"({"edges": [[0, 1, 5], [1, 3, 0.5]], "n": 4})");
    EXPECT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.weights(1, 3), 0.5);
    EXPECT_EQ(read_one(R"({"n": 1, "edges": []})").size(), 1);
    EXPECT_EQ(refusal(R"({"edges": [[0, 1, 5]]})"), "file: \"edges\" needs \"n\", the number of vertices");
}

TEST(JsonReader, UnknownKeysAreErrorsThatNameTheKey) {
    EXPECT_EQ(refusal("{\"points\": [[0, 0]],\n\"colour\": 1}"),
              "file:2: unknown key \"colour\": expected name, n, points, metric, matrix, edges, terminals, "
              "degree_limits, leaves, demands, masses, prizes, groups, root, requirements, names, layout, map, "
              "obstacles");
    EXPECT_EQ(refusal("{\"points\": [[0, 0]],\n\"points\": []}"), "file:2: key \"points\" is given twice");
}

TEST(JsonReader, AFileHasExactlyOneGraph) {
    EXPECT_EQ(refusal("{}"), "file: expected one of the keys \"points\", \"matrix\" and \"edges\"");
    EXPECT_EQ(refusal(R"({"points": [[0, 0]], "matrix": [[0]]})"),
              "file: expected one of the keys \"points\", \"matrix\" and \"edges\"");
    EXPECT_EQ(refusal(R"({"matrix": [[0]], "metric": "euclidean"})"), "file:1: \"metric\" needs \"points\"");
}

TEST(JsonReader, SizesMustAgree) {
    EXPECT_EQ(refusal(R"({"points": [[0, 0]], "n": 2})"), "file:1: \"n\" tells of 2 vertices, but there are 1");
    EXPECT_EQ(refusal("{\"points\": [[0, 0]],\n\"names\": []}"),
              "file:2: \"names\" tells of 0 vertices, but there are 1");
    EXPECT_EQ(refusal(R"({"points": [[0, 0]], "layout": []})"),
              "file:1: \"layout\" tells of 0 vertices, but there are 1");
    EXPECT_EQ(refusal(R"({"points": [[0, 0]], "degree_limits": [1, 1]})"),
              "file:1: \"degree_limits\" tells of 2 vertices, but there are 1");
    EXPECT_EQ(refusal(R"({"points": [[0, 0]], "requirements": [[], [1]]})"),
              "file:1: \"requirements\" tells of 2 vertices, but there are 1");
}

TEST(JsonReader, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(refusal("{\"points\": [[0, 0],\n[1, 2, 3]]}"), "file:2: expected a point [x, y], found 3 numbers");
    EXPECT_EQ(refusal("{\"points\": [[0, 0],\n[1, \"a b\"]]}"), "file:2: expected a coordinate, found \"\"a b\"\"");
    EXPECT_EQ(refusal("{\"points\": [[0, 0],\n[1, NaN]]}"), "file:2: expected a JSON value, found \"NaN\"");
    EXPECT_EQ(refusal("{\"points\": [[0, 0],\n[1, 1e999]]}"),
              "file:2: \"1e999\" is too large: numbers up to 1e+100 are understood");
    EXPECT_EQ(refusal("{\"points\": []}"), "file: an instance needs at least one vertex");
    EXPECT_EQ(refusal("{\"matrix\": []}"), "file: an instance needs at least one vertex");
    EXPECT_EQ(refusal("{\"n\": 0, \"edges\": []}"), "file:1: an instance needs at least one vertex");
    EXPECT_EQ(refusal("{\"points\": [[0, 0]],\n\"metric\": \"taxi\"}"),
              "file:2: unknown metric \"taxi\": expected euclidean, manhattan, maximum, euc_2d, ceil_2d, man_2d, "
              "max_2d, att, geo, great-circle");
    EXPECT_EQ(refusal("{\"matrix\": [[0, 1],\n[2, 0]]}"),
              "file:2: the matrix is not symmetric: 0-1 is 1, but 1-0 is 2");
    EXPECT_EQ(refusal("{\"matrix\": [[],\n[1, 0]]}"), "file:2: expected 1 numbers in row 1, found 2");
    EXPECT_EQ(refusal("{\"matrix\": [[],\n[-1]]}"), "file:2: expected a weight of at least 0, found \"-1\"");
    EXPECT_EQ(
        refusal("{\"matrix\": [[0, 1, 2], [1, 0, 3]]}"),
        "file:1: expected 2 rows of 2 numbers each, or rows that grow by one from 0 or from 1; the first has 3");
    EXPECT_EQ(refusal("{\"n\": 2, \"edges\": [[0, 1]]}"), "file:1: expected an edge [u, v, weight], found 2 numbers");
    EXPECT_EQ(refusal("{\"n\": 2, \"edges\": [[0, 2, 1]]}"), "file:1: expected a vertex from 0 to 1, found \"2\"");
    EXPECT_EQ(refusal("{\"n\": 2, \"edges\": [[1, 1, 1]]}"), "file:1: an edge joins vertex 1 to itself");
    EXPECT_EQ(refusal("{\"n\": 2, \"edges\": [[0.5, 1, 1]]}"),
              "file:1: expected a vertex from 0 to 1, found \"0.5\"");
    EXPECT_EQ(refusal("{\"n\": 2000000000, \"edges\": [[0, 1, 1]]}"),
              "file:1: 2000000000 vertices, but only 1 edges: nearly all of them would be alone");
    EXPECT_EQ(refusal("{\"points\": [[0, 0]],\n\"terminals\": [0, 0]}"),
              "file:2: vertex 0 is named a terminal twice");
    EXPECT_EQ(refusal("{\"points\": [[0, 0]],\n\"requirements\": [[null]]}"),
              "file:2: expected a requirement, found \"null\"");
    EXPECT_EQ(refusal("[1, 2]", "json"), "file:1: expected an object { }, found \"[\"");
    EXPECT_EQ(refusal("{\"points\": [[0, 0]]"), "file:1: expected a comma or }, found the end of the file");
    EXPECT_EQ(refusal("{\"points\": [[0, 0]]} {}"), "file:1: expected the end of the file, found \"{\"");
}

TEST(JsonReader, DeepNestingIsAnError) {
    EXPECT_NE(refusal(R"({"points": )" + std::string(1000000, '[')), "");
    EXPECT_NE(refusal(R"({"points": )" + std::string(1000000, '[') + std::string(1000000, ']') + "}"), "");
    std::string objects;
    for (int i = 0; i < 100000; ++i) objects += R"({"points": )";
    EXPECT_NE(refusal(objects), "");
}

TEST(JsonReader, NamesMustDiffer) {
    EXPECT_EQ(refusal("{\"points\": [[0, 0], [1, 1]],\n\"names\": [\"a\",\n\"a\"]}"),
              "file:3: two vertices are named \"a\"");
}

TEST(JsonReader, ReadsWhatSpecificationsNeedToKnow) {
    const auto instance = read_one(
        R"({"points": [[0, 0], [1, 0], [2, 0]], "demands": [0, 2.5, 1], "prizes": [0, 7, 0],
            "groups": [null, "b", "a"], "root": 2, "leaves": [2, 0]})");
    EXPECT_EQ(instance.demands, (std::vector<double>{0, 2.5, 1}));
    EXPECT_EQ(instance.prizes, (std::vector<double>{0, 7, 0}));
    EXPECT_EQ(instance.groups, (std::vector<int>{-1, 0, 1}));
    EXPECT_EQ(instance.root, 2);
    EXPECT_EQ(instance.leaves, (std::vector<Vertex>{0, 2}));
    const auto several = read_one(R"({"points": [[0, 0], [1, 0], [2, 0]], "root": [2, 0]})");
    EXPECT_EQ(several.root, 0);
    EXPECT_EQ(several.other_roots, std::vector<Vertex>{2});
    EXPECT_EQ(refusal(R"({"points": [[0, 0]], "root": []})"), "file:1: expected a root or several, found none");
    EXPECT_EQ(read_one(R"({"points": [[0, 0], [1, 0]], "groups": [1, 0]})").groups, (std::vector<int>{1, 0}));
    EXPECT_EQ(read_one(R"({"points": [[0, 0], [1, 0]], "groups": [-1, null]})").groups, (std::vector<int>{-1, -1}));
}

TEST(JsonReader, RefusesFactsThatDoNotFitTheVertices) {
    const auto with = [](const std::string& member) {
        return refusal(R"({"points": [[0, 0], [1, 0]], )" + member + "}");
    };
    EXPECT_EQ(with("\"demands\": [1]"), "file:1: \"demands\" tells of 1 vertices, but there are 2");
    EXPECT_EQ(with("\"prizes\": [1, -2]"), "file:1: expected a prize of at least 0, found \"-2\"");
    EXPECT_EQ(with("\"groups\": [0, 1, 2]"), "file:1: \"groups\" tells of 3 vertices, but there are 2");
    EXPECT_EQ(with("\"root\": 2"), "file:1: expected a vertex from 0 to 1, found \"2\"");
    EXPECT_EQ(with("\"leaves\": [1, 1]"), "file:1: vertex 1 is named a leaf twice");
}

}  // namespace
}  // namespace neuroprim
