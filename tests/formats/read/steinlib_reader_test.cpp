#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;
using testing::warnings_of;

constexpr std::string_view magic = "33D32945 STP File, STP Format Version 1.0\n\n";
constexpr std::string_view triangle = "SECTION Graph\nNodes 3\nEdges 3\nE 1 2 5\nE 2 3 1.5\nE 1 3 4\nEND\n";

std::string with_magic(std::string_view rest) {
    return fmt::format("{}{}EOF\n", magic, rest);
}

/// The lines of section Graph after two lines of magic.
std::string graph(std::string_view lines) {
    return with_magic(fmt::format("SECTION Graph\n{}END\n", lines));
}

TEST(SteinlibReader, ReadsGraphTerminalsAndCoordinates) {
    const auto instance =
        read_one(with_magic(fmt::format("SECTION Comment\nName \"SECTION Graph\"\nRemark END of "
                                        "it\nEND\n\n{}\nSECTION Terminals\nTerminals 2\nT 3\nT "
                                        "1\nEND\n\nSECTION Coordinates\nDD 2 10 20\nDD 1 0 0\nDDD 3 5 6 7\nEND\n\n",
                                        triangle)));
    EXPECT_EQ(instance.name, "file");
    EXPECT_EQ(instance.size(), 3);
    EXPECT_EQ(instance.weights(1, 2), 1.5);
    EXPECT_EQ(instance.terminals, (std::vector<Vertex>{0, 2}));
    EXPECT_EQ(instance.layout, (std::vector<Point>{{0, 0}, {10, 20}, {5, 6}}));
}

TEST(SteinlibReader, ReadsPaceGraphsWithoutTheMagicLine) {
    const auto instance = read_one(
        "SECTION Graph\nNodes 4\nEdges 2\nE 1 2 7\nE 2 4 1\nEND\n\nSECTION Terminals\n"
        "Terminals 1\nT 4\nEND\n\nEOF\n");
    EXPECT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.weights.edge_count(), 2U);
    EXPECT_EQ(instance.terminals, (std::vector<Vertex>{3}));
}

TEST(SteinlibReader, CaseDoesNotMatter) {
    EXPECT_EQ(read_one("33d32945 stp\nsection GRAPH\nnodes 2\nedges 1\ne 1 2 3\nend\nsection terminals\nterminals 1\n"
                       "t 2\nEnd\neof")
                  .terminals,
              (std::vector<Vertex>{1}));
}

TEST(SteinlibReader, MaximumDegreesBecomeDegreeLimits) {
    const auto instance =
        read_one(with_magic(fmt::format("{}SECTION MaximumDegrees\nMD 1\nMD 2\nMD 3\nEND\n", triangle)));
    EXPECT_EQ(instance.degree_limits, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(refusal(with_magic(fmt::format("{}SECTION MaximumDegrees\nMD 1\nMD 2\nEND\n", triangle))),
              "file:13: expected the degree limits of 3 vertices, found 2");
}

TEST(SteinlibReader, ChecksWhatIsAnnounced) {
    EXPECT_EQ(refusal(graph("Nodes 3\nEdges 3\nE 1 2 5\nE 2 3 1\n")),
              "file:8: the section announces 3 edges, but lists 2");
    EXPECT_EQ(refusal(with_magic(fmt::format("{}SECTION Terminals\nTerminals 1\nT 1\nT 2\nEND\n", triangle))),
              "file:14: the section announces 1 terminals, but lists 2");
    EXPECT_EQ(refusal(with_magic(fmt::format("{}SECTION Coordinates\nDD 1 0 0\nEND\n", triangle))),
              "file:12: expected coordinates of 3 vertices, found 1");
}

TEST(SteinlibReader, NoticesFilesThatAreCutOff) {
    EXPECT_EQ(refusal(fmt::format("{}{}", magic, triangle)),
              "file:9: expected EOF as the last line (the file may be cut off), found the end of the file");
    EXPECT_EQ(refusal(fmt::format("{}SECTION Graph\nNodes 3\nEdges 3\nE 1 2 5\n", magic)),
              "file:6: expected END of section Graph, found the end of the file");
    EXPECT_EQ(refusal(fmt::format("{}SECTION Comment\nName \"x\"\n", magic)),
              "file:4: expected END of section Comment, found the end of the file");
    EXPECT_EQ(refusal(with_magic("")), "file: section Graph is missing");
}

TEST(SteinlibReader, NamesTheLineOfABadEdge) {
    EXPECT_EQ(refusal(graph("Nodes 3\nE 1 4 5\n")), "file:5: expected a vertex from 1 to 3, found \"4\"");
    EXPECT_EQ(refusal(graph("Nodes 3\nE 0 1 5\n")), "file:5: expected a vertex from 1 to 3, found \"0\"");
    EXPECT_EQ(refusal(graph("Nodes 3\nE 2 2 5\n")), "file:5: an edge joins vertex 2 to itself");
    EXPECT_EQ(refusal(graph("Nodes 3\nE 1 2 -5\n")), "file:5: expected a weight of at least 0, found \"-5\"");
    EXPECT_EQ(refusal(graph("Nodes 3\nE 1 2\nE 1 3 2\n")), "file:5: expected a weight, found nothing");
    EXPECT_EQ(refusal(graph("Nodes 3\nE 1 2 3 4\n")), "file:5: expected the end of the line, found \"4\"");
    EXPECT_EQ(refusal(graph("E 1 2 3\nNodes 3\n")), "file:4: expected Nodes before the first edge");
    EXPECT_EQ(refusal(graph("Nodes 3\nX 1 2 3\n")), "file:5: expected Nodes, Edges, Arcs, E, A or END, found \"X\"");
}

TEST(SteinlibReader, TakesArcsThatComeInEqualPairs) {
    const auto instance = read_one(graph("Nodes 3\nArcs 4\nA 1 2 5\nA 2 1 5\nA 3 2 1\nA 2 3 1\n"));
    EXPECT_EQ(instance.weights.edge_count(), 2U);
    EXPECT_EQ(instance.weights(0, 1), 5);
    EXPECT_EQ(refusal(graph("Nodes 3\nArcs 3\nA 1 2 5\nA 2 1 5\nA 3 2 1\n")),
              "file:8: the graph is directed: the arc 3 2 has no opposite of weight 1");
    EXPECT_EQ(refusal(graph("Nodes 3\nArcs 2\nA 1 2 5\nA 2 1 6\n")),
              "file:6: the graph is directed: the arc 1 2 has no opposite of weight 5");
}

TEST(SteinlibReader, RefusesWhatItWouldMisread) {
    EXPECT_EQ(refusal(with_magic("SECTION Terminals\nTerminals 1\nT 1\nEND\n")),
              "file:3: section Terminals comes before section Graph");
    EXPECT_EQ(refusal(with_magic(fmt::format("{}SECTION Terminals\nT 1\nT 1\nEND\n", triangle))),
              "file:12: vertex 1 is named a terminal twice");
}

using Lines = std::vector<std::string>;

TEST(SteinlibReader, SkipsUnknownSectionsWithOneWarning) {
    const std::string text = with_magic(fmt::format(
        "SECTION Comments\nRemark \"x\"\nEND\n{}SECTION Tree Decomposition\nc x\ns td 2 1 3\nb 1 2\n1 2\nEND\n\n"
        "SECTION More\nE 1 9 5\nEND\n",
        triangle));
    EXPECT_EQ(read_one(text).weights.edge_count(), 3U);
    EXPECT_EQ(warnings_of(text),
              Lines{"file:13: skipped what is not understood: section \"Tree Decomposition\", section \"More\""});
    EXPECT_EQ(warnings_of(with_magic(triangle)), Lines{});
    EXPECT_EQ(refusal(with_magic(fmt::format("{}SECTION More\n1 2\n", triangle))),
              "file:12: expected END of section More, found the end of the file");
}

TEST(SteinlibReader, TellsWhatPresolvedCostsLack) {
    const auto presolved = [](std::string_view lines) {
        return with_magic(fmt::format("{}SECTION Presolve\n{}END\n", triangle, lines));
    };
    EXPECT_EQ(warnings_of(presolved("Date \"1 2\"\nFixed 12\nEA 1 2 3\n")),
              Lines{"file:12: the graph is presolved: costs lack 12, which edges contracted before cost"});
    EXPECT_EQ(warnings_of(presolved("Fixed 0\nLower 3\n")), Lines{});
    EXPECT_EQ(refusal(presolved("Fixed all\n")), "file:11: expected a number, found \"all\"");
}

TEST(SteinlibReader, RefusesOtherProblemsByWhatTheyMean) {
    const auto terminals = [](std::string_view lines) {
        return refusal(with_magic(fmt::format("{}SECTION Terminals\nTerminals 1\n{}END\n", triangle, lines)));
    };
    EXPECT_EQ(refusal(with_magic(fmt::format("{}SECTION Prizes\nP 1\nEND\n", triangle))),
              "file:10: \"Prizes\": prizes are read from lines TP of section Terminals only");
    EXPECT_EQ(
        terminals("T 1 -3.5\n"),
        "file:12: terminal with a weight of -3.5: vertices that cost or earn something cannot be read, only edges "
        "have weights here");
    EXPECT_EQ(
        refusal(with_magic(fmt::format("{}SECTION NodeWeights\nNW 1\nEND\n", triangle))),
        "file:10: \"NodeWeights\": vertices that cost or earn something cannot be read, only edges have weights "
        "here");
    EXPECT_EQ(refusal(graph("Obstacles 1\nRR 1 2 3 4\n")),
              "file:4: \"Obstacles\": obstacles in the plane cannot be read, only graphs");
    EXPECT_EQ(
        refusal(graph("Nodes 3\nHopLimit 4\n")),
        "file:5: \"HopLimit\": a limit on hops cannot be read from the file: leave the line out and use --hops");
}

TEST(SteinlibReader, ReadsDegreeLimitsBesideTerminals) {
    const std::string text = with_magic(
        fmt::format("{}SECTION Terminals\nT 1\nEND\nSECTION MaximumDegrees\nMD 1\nMD 2\nMD 3\nEND\n", triangle));
    EXPECT_EQ(warnings_of(text), Lines{});
    EXPECT_EQ(read_one(text).terminals, std::vector<Vertex>{0});
    EXPECT_EQ(read_one(text).degree_limits, (std::vector<int>{1, 2, 3}));
}

TEST(SteinlibReader, AnnouncedSizesTakeNoMemory) {
    EXPECT_EQ(refusal(graph("Nodes 2000000000\nEdges 1\nE 1 2000000000 1\n")),
              "file:4: 2000000000 vertices, but only 1 edges: nearly all of them would be alone");
    EXPECT_EQ(refusal(graph("Nodes 0\n")), "file:4: an instance needs at least one vertex");
    EXPECT_EQ(refusal(graph("Nodes -1\n")), "file:4: expected a number of vertices, found \"-1\"");
    EXPECT_EQ(read_one(graph("Nodes 1\n")).size(), 1);
    EXPECT_EQ(read_one(graph("Nodes 100000\n")).size(), 100000);
}

TEST(SteinlibReader, PrizesAreThoseOfVerticesThatMayBeLeftOut) {
    const auto terminals = [](std::string_view lines) {
        return with_magic(fmt::format("{}SECTION Terminals\n{}END\n", triangle, lines));
    };
    const auto instance = read_one(terminals("Terminals 2\nRootP 3\nTP 3 0.5\nTP 1 7\n"));
    EXPECT_EQ(instance.prizes, (std::vector<double>{7, 0, 0.5}));
    EXPECT_EQ(instance.root, 2);
    EXPECT_TRUE(instance.terminals.empty());
    const auto mixed = read_one(terminals("Terminals 2\nTP 1 7\nT 2\n"));
    EXPECT_EQ(mixed.terminals, (std::vector<Vertex>{1}));
    EXPECT_EQ(read_one(terminals("Terminals 1\nRoot 2\nT 1\n")).root, 1);
    EXPECT_EQ(refusal(terminals("TP 1 5\nTP 1 5\n")), "file:12: vertex 1 is named with a prize twice");
    EXPECT_EQ(refusal(terminals("TP 1 -5\n")), "file:11: expected a prize of at least 0, found \"-5\"");
    EXPECT_EQ(refusal(terminals("TP 1\n")), "file:11: expected a prize, found nothing");
    EXPECT_EQ(refusal(terminals("RootP 1\nRoot 1\n")), "file:12: the root is given twice");
    EXPECT_EQ(refusal(terminals("Terminals 2\nTP 1 5\n")), "file:13: the section announces 2 terminals, but lists 1");
}

}  // namespace
}  // namespace neuroprim
