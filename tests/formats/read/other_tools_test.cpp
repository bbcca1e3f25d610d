// Graphs that other programs write: GraphML, Matrix Market, NetworkX's node-link JSON, METIS.
#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;
using testing::warnings_of;
using OtherLines = std::vector<std::string>;

std::string graphml(const std::string& graph, const std::string& keys = "") {
    return "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" + keys +
           "<graph edgedefault=\"undirected\">\n" + graph + "</graph>\n</graphml>\n";
}

const std::string weight_key = "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n";

TEST(GraphmlReader, ReadsNodesEdgesAndAttributes) {
    const auto graph = read_one(
        graphml("<node id=\"a\"><data key=\"t\">true</data><data key=\"x\">1</data><data key=\"y\">2</data></node>\n"
                "<edge source=\"a\" target=\"c\"><data key=\"w\">2.5</data></edge>\n"
                "<node id=\"b\"><data key=\"x\">3</data><data key=\"y\">2</data></node>\n"
                "<node id=\"c\"><data key=\"x\">3</data><data key=\"y\">4</data><data key=\"r\">1</data></node>\n"
                "<edge source=\"b\" target=\"a\"/>\n",
                "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"><default>7</default></key>\n"
                "<key id=\"t\" for=\"node\" attr.name=\"terminal\" attr.type=\"boolean\"/>\n"
                "<key id=\"r\" for=\"node\" attr.name=\"root\" attr.type=\"boolean\"/>\n"
                "<key id=\"x\" for=\"node\" attr.name=\"x\" attr.type=\"double\"/>\n"
                "<key id=\"y\" for=\"node\" attr.name=\"y\" attr.type=\"double\"/>\n"));
    EXPECT_EQ(graph.names, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(graph.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 7}, {0, 2, 2.5}}));
    EXPECT_EQ(graph.terminals, std::vector<Vertex>{0});
    EXPECT_EQ(graph.root, 2);
    EXPECT_EQ(graph.layout, (std::vector<Point>{{1, 2}, {3, 2}, {3, 4}}));
}

TEST(GraphmlReader, PassesOverWhatIsForDrawing) {
    const auto graph = read_one(
        graphml("<node id=\"n0\"><data key=\"d\"><y:ShapeNode xmlns:y=\"y\"><y:data>5</y:data></y:ShapeNode></data>"
                "<port name=\"p\"/></node>\n<node id=\"n1\"/><edge source=\"n0\" target=\"n1\"><data "
                "key=\"w\">3</data></edge>\n",
                weight_key + "<key id=\"d\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n"));
    EXPECT_EQ(graph.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 3}}));
}

TEST(GraphmlReader, NamesLinesAndWhatIsWrong) {
    EXPECT_EQ(refusal(graphml("<node id=\"a\"/>\n<node id=\"a\"/>\n")), "file:5: two nodes are called \"a\"");
    EXPECT_EQ(refusal(graphml("<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>\n")),
              "file:5: an edge ends at \"b\", which is no node");
    EXPECT_EQ(refusal(graphml("<node/>\n")), "file:4: <node> has no attribute id");
    EXPECT_EQ(refusal(graphml("<node id=\"a\"/><hyperedge/>\n")),
              "file:4: a <hyperedge> joins more than two nodes: only edges are read");
    EXPECT_EQ(refusal(graphml("<node id=\"a\"/><node id=\"b\"/>\n"
                              "<edge source=\"a\" target=\"b\"><data key=\"w\">-1</data></edge>\n",
                              weight_key)),
              "file:6: expected a weight of at least 0, found \"-1\"");
    EXPECT_EQ(refusal("<graphml>\n<graph>\n<node id=\"a\">\n"), "file:3: no well-formed XML: no element found");
    EXPECT_EQ(refusal("<graphml></graphml>"), "file: expected an element <graph>, found none");
    EXPECT_EQ(warnings_of(graphml("<node id=\"0\"/><node id=\"1\"/>\n<edge source=\"0\" target=\"0\"/>\n"
                                  "<edge source=\"0\" target=\"1\"/>\n")),
              (OtherLines{"file:5: 1 edge from a node to itself left out: no tree has one",
                          "file:6: 1 edge without a weight (weight, w, cost, length, distance): each counts 1"}));
}

TEST(MatrixMarketReader, ReadsSymmetricGeneralAndPattern) {
    const auto symmetric =
        read_one("%%MatrixMarket matrix coordinate real symmetric\n% remark\n\n3 3 3\n2 1 1.5\n3 3 -9\n3 2 2e1\n");
    EXPECT_EQ(symmetric.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 1.5}, {1, 2, 20}}));
    const auto general = read_one("%%matrixmarket MATRIX coordinate integer general\n3 3 3\n1 2 4\n2 1 4\n1 3 5\n");
    EXPECT_EQ(general.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 4}, {0, 2, 5}}));
    const auto pattern = read_one("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n");
    EXPECT_EQ(pattern.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 1}, {0, 2, 1}}));
}

TEST(MatrixMarketReader, NamesLinesAndWhatIsWrong) {
    const auto of = [](const std::string& kind, const std::string& rest) {
        return refusal("%%MatrixMarket matrix " + kind + "\n" + rest);
    };
    EXPECT_EQ(of("array real general", "2 2\n1\n2\n3\n4\n"),
              "file:1: expected the word coordinate: dense matrices (array) are no sparse graphs, found \"array\"");
    EXPECT_EQ(of("coordinate complex general", "2 2 1\n1 2 3 4\n"),
              "file:1: expected real, integer or pattern, found \"complex\"");
    EXPECT_EQ(of("coordinate real general", "2 3 1\n1 2 1\n"),
              "file:2: a graph has a square matrix: as many columns as rows");
    EXPECT_EQ(of("coordinate real general", "2 2 2\n1 2 1\n"), "file: 2 entries are announced, but there are 1");
    EXPECT_EQ(of("coordinate real symmetric", "2 2 1\n1 2 1\n"),
              "file:3: a symmetric matrix has its entries on or below the diagonal");
    EXPECT_EQ(of("coordinate real general", "2 2 1\n1 2 -1\n"),
              "file:3: expected a weight of at least 0, found \"-1\"");
    EXPECT_EQ(of("coordinate real general", "2 2 1\n1 2 1\n1 2 1\n"),
              "file:4: expected the end of the text after 1 entries, found \"1 2 1\"");
    EXPECT_NE(of("coordinate real general", "2 2 1\n1 9 1\n"), "");
}

TEST(NodeLinkReader, ReadsNodesOfAnyKind) {
    const auto graph = read_one(
        R"({"directed": false, "multigraph": false, "graph": {"name": "x"}, "links": [
            {"source": "a", "target": 7, "weight": 2, "key": 0}, {"source": [0, 1], "target": "a", "cost": 3}],
            "nodes": [{"id": "a", "pos": [1, 2], "prize": 4}, {"id": 7, "x": 3, "y": 4},
                      {"id": [0, 1], "x": 5, "y": 6, "colour": null}]})");
    EXPECT_EQ(graph.names, (std::vector<std::string>{"a", "7", "[0, 1]"}));
    EXPECT_EQ(graph.weights.edges(), (std::vector<WeightedEdge>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(graph.prizes, (std::vector<double>{4, 0, 0}));
    EXPECT_EQ(graph.layout, (std::vector<Point>{{1, 2}, {3, 4}, {5, 6}}));
    EXPECT_TRUE(read_one(R"({"nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1, "weight": 1}]})")
                    .names.empty());
}

TEST(NodeLinkReader, NamesLinesAndWhatIsWrong) {
    EXPECT_EQ(refusal("{\"nodes\": [{\"id\": 0},\n{\"name\": 1}], \"links\": []}"),
              "file:2: a node has no key \"id\"");
    EXPECT_EQ(refusal("{\"nodes\": [{\"id\": 0}],\n\"links\": [{\"source\": 0}]}"),
              "file:2: an edge needs the keys \"source\" and \"target\"");
    EXPECT_EQ(refusal("{\"nodes\": [{\"id\": 0}],\n\"links\": [{\"source\": 0, \"target\": 4}]}"),
              "file:2: an edge ends at \"4\", which is no node");
    EXPECT_EQ(refusal("{\"nodes\": [{\"id\": 0}]}"), "file: expected the key \"links\" or \"edges\"");
    EXPECT_EQ(warnings_of(R"({"directed": true, "nodes": [{"id": 0}], "links": []})"),
              OtherLines{"file:1: the graph is directed: its edges are read without a direction"});
}

TEST(MetisReader, ReadsGraphsWithAndWithoutWeights) {
    EXPECT_EQ(read_one("% remark\n3 2 001\n2 5 3 4\n1 5\n1 4\n").weights.edges(),
              (std::vector<WeightedEdge>{{0, 1, 5}, {0, 2, 4}}));
    const auto lonely = read_one("3 1\n\n3\n2\n");  // the first vertex has no edges
    EXPECT_EQ(lonely.weights.edges(), (std::vector<WeightedEdge>{{1, 2, 1}}));
    const std::string weighted = "2 1 011 2\n5 6 2 9\n7 8 1 9\n";
    EXPECT_EQ(read_one(weighted).weights.edges(), (std::vector<WeightedEdge>{{0, 1, 9}}));
    EXPECT_EQ(warnings_of(weighted),
              OtherLines{"file:1: weights and sizes of vertices are passed over: only edges have a weight here"});
}

TEST(MetisReader, NamesLinesAndWhatIsWrong) {
    const auto of = [](const std::string& text) { return refusal(text, "metis"); };
    EXPECT_EQ(of("3 2\n2\n1\n"), "file: 3 vertices are announced, but there are lines for 2");
    EXPECT_EQ(of("2 1\n2\n1\n1\n"), "file:4: expected the end after 2 vertices, found \"1\"");
    EXPECT_EQ(of("2 2\n2\n1\n"), "file:1: 2 edges are announced, each to stand at both ends, but there are 2 ends");
    EXPECT_EQ(of("2 1 001\n2\n1 1\n"), "file:2: the line of vertex 1 ends too early");
    EXPECT_EQ(of("2 1 7\n2\n1\n"), "file:1: expected a format of three digits, each 0 or 1, found \"7\"");
    EXPECT_NE(of("2 1\n1\n2\n"), "");  // loops
    EXPECT_NE(of("2 1\n3\n1\n"), "");
}

TEST(OtherTools, AreToldByTheirContent) {
    EXPECT_EQ(detected_format(graphml("<node id=\"a\"/>"), "f"), "graphml");
    EXPECT_EQ(detected_format("%%MatrixMarket matrix coordinate pattern general\n1 1 0\n", "f"), "mtx");
    EXPECT_EQ(detected_format("{\"directed\": false, \"nodes\": [], \"links\": []}", "f"), "node-link");
    EXPECT_EQ(detected_format("3 3\n2 3\n1 3\n1 2\n", "f"), "metis");
    EXPECT_EQ(detected_format("3 3\n2 3\n1 3\n1 2.5\n", "f"), "crd");
    EXPECT_EQ(detected_format("{\"n\": 2, \"edges\": [[0, 1, 1]]}", "f"), "json");
}

}  // namespace
}  // namespace neuroprim
