#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

std::string of_points(std::string_view type, std::string_view coordinates, int n = 3) {
    return fmt::format("NAME : test\nTYPE : TSP\nDIMENSION : {}\nEDGE_WEIGHT_TYPE : {}\nNODE_COORD_SECTION\n{}EOF\n",
                       n, type, coordinates);
}

std::string of_matrix(std::string_view layout, std::string_view numbers, int n = 3) {
    return fmt::format(
        "TYPE: TSP\nDIMENSION: {}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
        "{}\nEDGE_WEIGHT_SECTION\n{}\nEOF\n",
        n, layout, numbers);
}

TEST(TsplibReader, ReadsPointsByTheirNumbers) {
    const auto instance = read_one(of_points("EUC_2D", "2 3 0\n3 3.0e+00 4\n1 0 0\n"));
    EXPECT_EQ(instance.name, "file");
    ASSERT_EQ(instance.size(), 3);
    EXPECT_EQ(instance.weights.points()[0], (Point{0, 0}));
    EXPECT_EQ(instance.weights.points()[1], (Point{3, 0}));
    EXPECT_EQ(instance.weights(0, 2), 5);
}

TEST(TsplibReader, TakesTheMetricFromTheWeightType) {
    const std::pair<std::string_view, Metric> types[] = {{"EUC_2D", Metric::euc_2d}, {"CEIL_2D", Metric::ceil_2d},
                                                         {"ATT", Metric::att},       {"GEO", Metric::geo},
                                                         {"MAN_2D", Metric::man_2d}, {"MAX_2D", Metric::max_2d}};
    for (const auto& [type, metric] : types) {
        EXPECT_EQ(read_one(of_points(type, "1 0 0\n2 1 1\n3 2 2\n")).weights.metric(), metric) << type;
    }
    EXPECT_EQ(refusal(of_points("EUC_3D", "1 0 0 0\n")),
              "file:4: expected an EDGE_WEIGHT_TYPE (EXPLICIT, EUC_2D, CEIL_2D, MAN_2D, MAX_2D, ATT, GEO), found "
              "\"EUC_3D\"");
}

TEST(TsplibReader, TakesKeywordsInAnyDress) {
    const auto instance = read_one(
        "name:test\r\nTYPE :TSP (by hand)\r\nCOMMENT: a : b\r\nBEST_KNOWN : 12\r\n\r\nDIMENSION:2\r\n"
        "EDGE_WEIGHT_TYPE:EUC_2D\r\nnode_coord_section\r\n 1 0 0\r\n 2 0 7\r\n EOF\r\n");
    EXPECT_EQ(instance.weights(0, 1), 7);
}

TEST(TsplibReader, NeedsNoEofAndNoFinalLineEnd) {
    EXPECT_EQ(read_one("DIMENSION: 1\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 5 5").size(), 1);
}

TEST(TsplibReader, UnderstandsLoneCarriageReturns) {
    EXPECT_EQ(read_one("DIMENSION: 1\rEDGE_WEIGHT_TYPE: EUC_2D\rNODE_COORD_SECTION\r1 5 5\rEOF\r").size(), 1);
    EXPECT_EQ(refusal("DIMENSION: 1\rEDGE_WEIGHT_TYPE: EUC_2D\rNODE_COORD_SECTION\r1 5 x\rEOF\r"),
              "file:4: expected a coordinate, found \"x\"");
}

TEST(TsplibReader, EveryLayoutGivesTheSameMatrix) {
    // w(1,0) = 1, w(2,0) = 2, w(2,1) = 3, w(3,0) = 4, w(3,1) = 5, w(3,2) = 6; 9 on the diagonal.
    const std::pair<std::string_view, std::string_view> layouts[] = {
        {"FULL_MATRIX", "9 1 2 4\n1 9 3 5\n2 3 9 6\n4 5 6 9"},
        {"UPPER_ROW", "1 2 4\n3 5\n6"},
        {"LOWER_ROW", "1\n2 3\n4 5 6"},
        {"UPPER_DIAG_ROW", "9 1 2 4\n9 3 5\n9 6\n9"},
        {"LOWER_DIAG_ROW", "9\n1 9\n2 3 9\n4 5 6 9"},
        {"UPPER_COL", "1\n2 3\n4 5 6"},
        {"LOWER_COL", "1 2 4\n3 5\n6"},
        {"UPPER_DIAG_COL", "9\n1 9\n2 3 9\n4 5 6 9"},
        {"LOWER_DIAG_COL", "9 1 2 4\n9 3 5\n9 6\n9"}};
    for (const auto& [layout, numbers] : layouts) {
        const auto instance = read_one(of_matrix(layout, numbers, 4));
        EXPECT_EQ(instance.weights.form(), Weights::Form::matrix);
        double expected = 1;
        for (Vertex u = 0; u < 4; ++u) {
            for (Vertex v = 0; v < u; ++v) EXPECT_EQ(instance.weights(u, v), expected++) << layout << u << v;
        }
    }
    EXPECT_EQ(refusal(of_matrix("SIDEWAYS", "1 2 3")),
              "file:4: expected an EDGE_WEIGHT_FORMAT (FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, "
              "LOWER_DIAG_ROW, UPPER_COL, LOWER_COL, UPPER_DIAG_COL, LOWER_DIAG_COL), found \"SIDEWAYS\"");
}

TEST(TsplibReader, IgnoresWhatStandsOnTheDiagonal) {
    EXPECT_EQ(read_one(of_matrix("FULL_MATRIX", "-1 5\n5 99999", 2)).weights(0, 1), 5);
}

TEST(TsplibReader, NamesThePairThatIsNotSymmetric) {
    EXPECT_EQ(refusal(of_matrix("FULL_MATRIX", "0 1 2\n1 0 3\n2 4 0")),
              "file:8: the matrix is not symmetric: 2-3 is 3, but 3-2 is 4");
}

TEST(TsplibReader, KeepsDisplayDataAsLayoutOfAMatrix) {
    const auto text = of_matrix("UPPER_ROW", "1 2 3\nDISPLAY_DATA_SECTION\n1 0 0\n2 10 0\n3 0 10");
    const auto instance = read_one(text);
    ASSERT_EQ(instance.layout.size(), 3U);
    EXPECT_EQ(instance.layout[1], (Point{10, 0}));
    EXPECT_EQ(instance.weights(0, 1), 1);
}

TEST(TsplibReader, PassesOverSectionsAboutToursAndVehicles) {
    const auto instance = read_one(
        "TYPE: CVRP\nDIMENSION: 2\nCAPACITY: 10\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n"
        "DEMAND_SECTION\n1 0\n2 7\nDEPOT_SECTION\n1\n-1\nEOF\n");
    EXPECT_EQ(instance.weights(0, 1), 5);
}

TEST(TsplibReader, CountsThePoints) {
    EXPECT_EQ(refusal(of_points("EUC_2D", "1 0 0\n2 1 1\n")), "file:8: expected vertex 3 of 3, found \"EOF\"");
    EXPECT_EQ(refusal("DIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n"),
              "file:4: expected vertex 2 of 2, found the end of the file");
    EXPECT_EQ(refusal(of_points("EUC_2D", "1 0 0\n2 1 1\n3 2 2\n4 3 3\n")),
              "file:9: expected a TSPLIB keyword after the NODE_COORD_SECTION of 3 vertices, found \"4\"");
    EXPECT_EQ(refusal(of_points("EUC_2D", "1 0 0\n2 1 1\n2 2 2\n")), "file:8: vertex 2 has coordinates twice");
    EXPECT_EQ(refusal(of_points("EUC_2D", "1 0 0\n2 1 1\n4 2 2\n")),
              "file:8: expected a vertex from 1 to 3, found \"4\"");
    EXPECT_EQ(refusal(of_points("EUC_2D", "0 0 0\n1 1 1\n2 2 2\n")),
              "file:6: expected a vertex from 1 to 3, found \"0\"");
}

TEST(TsplibReader, CountsTheWeights) {
    EXPECT_EQ(refusal(of_matrix("UPPER_ROW", "1 2")), "file:7: expected a weight, found \"EOF\"");
    EXPECT_EQ(refusal(of_matrix("UPPER_ROW", "1 2 3 4")),
              "file:6: expected a TSPLIB keyword after the EDGE_WEIGHT_SECTION of 3 vertices, found \"4\"");
    EXPECT_EQ(refusal(of_matrix("UPPER_ROW", "1 -2 3")), "file:6: expected a weight of at least 0, found \"-2\"");
}

TEST(TsplibReader, AnnouncedSizesTakeNoMemory) {
    EXPECT_EQ(refusal("DIMENSION: 999999999999\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n"),
              "file:1: 999999999999 vertices are too many: up to 2147483646 can be numbered");
    EXPECT_EQ(refusal("DIMENSION: 2000000000\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n"),
              "file:4: expected vertex 2 of 2000000000, found the end of the file");
    for (const auto* layout : {"FULL_MATRIX", "UPPER_ROW", "LOWER_DIAG_ROW"}) {
        EXPECT_EQ(refusal(of_matrix(layout, "0 0", 2000000000)), "file:7: expected a weight, found \"EOF\"")
            << layout;
    }
}

TEST(TsplibReader, RefusesSizesThatAreNone) {
    const std::string rest = "\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n";
    EXPECT_EQ(refusal("DIMENSION: 0" + rest), "file:1: an instance needs at least one vertex");
    EXPECT_EQ(refusal("DIMENSION: -3" + rest), "file:1: expected a number of vertices, found \"-3\"");
    EXPECT_EQ(refusal("DIMENSION: many" + rest), "file:1: expected a number of vertices, found \"many\"");
    EXPECT_EQ(refusal("DIMENSION: 1\nDIMENSION: 2" + rest), "file:2: DIMENSION is given twice");
}

TEST(TsplibReader, SaysWhatIsMissing) {
    EXPECT_EQ(refusal("NAME: x\nTYPE: TSP\n"), "file: DIMENSION is missing");
    EXPECT_EQ(refusal("DIMENSION: 2\n"), "file: EDGE_WEIGHT_TYPE is missing");
    EXPECT_EQ(refusal("DIMENSION: 2\nEDGE_WEIGHT_TYPE: GEO\n"),
              "file: NODE_COORD_SECTION is missing: the file may be cut off");
    EXPECT_EQ(refusal("DIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\n"),
              "file: EDGE_WEIGHT_SECTION is missing: the file may be cut off");
    EXPECT_EQ(refusal("NODE_COORD_SECTION\n1 0 0\n"), "file:1: NODE_COORD_SECTION comes before the DIMENSION");
    EXPECT_EQ(refusal("DIMENSION: 1\nNODE_COORD_SECTION\n1 0 0\n"),
              "file:2: NODE_COORD_SECTION comes before the EDGE_WEIGHT_TYPE");
    EXPECT_EQ(refusal("DIMENSION: 1\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_SECTION\n0\n"),
              "file:3: EDGE_WEIGHT_SECTION comes before the EDGE_WEIGHT_FORMAT");
}

TEST(TsplibReader, WarnsOnceOfSectionsThatItSkips) {
    const std::string two_points = "DIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4\n";
    const std::string text =
        two_points + "DEMAND_SECTION\n1 0\n2 7\nPICKUP_SECTION\n1 -1\n2 5.5\nTOUR_SECTION\n1 2 -1\nEOF\n";
    EXPECT_EQ(read_one(text).size(), 2);
    EXPECT_EQ(testing::warnings_of(text),
              std::vector<std::string>{"file:6: skipped what is not read: DEMAND_SECTION, PICKUP_SECTION"});
    EXPECT_TRUE(testing::warnings_of(two_points + "TOUR_SECTION\n1 2 -1\nEOF\n").empty());
}

TEST(TsplibReader, RefusesOtherKindsOfFiles) {
    EXPECT_EQ(refusal("NAME: x\nTYPE: TOUR\nDIMENSION: 2\nTOUR_SECTION\n1\n2\n-1\n"),
              "file:2: expected TYPE TSP, ATSP or CVRP, found \"TOUR\"");
    EXPECT_EQ(refusal("DIMENSION: 2\nEDGE_WEIGHT_TYPE: EUC_2D\nEDGE_DATA_SECTION\n1 2\n-1\n"),
              "file:3: EDGE_DATA_SECTION lists edges without weights, which cannot be read");
    EXPECT_EQ(refusal("NAME: x\nwhat is this\n"), "file:2: expected a TSPLIB keyword, found \"what\"");
}

TEST(TsplibReader, RefusesNumbersThatAreNone) {
    for (const auto* word : {"nan", "inf", "-inf", "1e", "0x10", "--1", "+-1"}) {
        EXPECT_EQ(refusal(of_points("EUC_2D", fmt::format("1 0 {}\n2 1 1\n3 2 2\n", word))),
                  fmt::format("file:6: expected a coordinate, found \"{}\"", word));
    }
    EXPECT_EQ(refusal(of_points("EUC_2D", "1 0 1,5\n2 1 1\n3 2 2\n")),
              "file:6: expected a coordinate, found \"1,5\": write 1.5, with a decimal point");
    EXPECT_EQ(refusal(of_points("EUC_2D", "1 0 1e999\n2 1 1\n3 2 2\n")),
              "file:6: \"1e999\" is too large: numbers up to 1e+100 are understood");
    EXPECT_EQ(read_one(of_points("EUC_2D", "1 +1 1e-999\n2 1 1\n3 2 2\n")).weights.points()[0], (Point{1, 0}));
}

TEST(TsplibReader, RefusesPlacesThatAreNotOnTheGlobe) {
    EXPECT_EQ(refusal(of_points("GEO", "1 0 0\n2 91 1\n3 2 2\n")), "file:7: latitude 91 is outside -90 to 90");
    EXPECT_EQ(refusal(of_points("GEO", "1 0 0\n2 1 400\n3 2 2\n")), "file:7: longitude 400 is outside -360 to 360");
}

}  // namespace
}  // namespace neuroprim
