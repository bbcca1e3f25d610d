#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

TEST(PlainMatrixReader, ReadsRowsWithAnythingBetweenTheNumbers) {
    for (const auto* text : {"0 1 2\n1 0 3\n2 3 0\n", "0,1,2\n1,0,3\n2,3,0\n", "0;1;2\n1;0;3\n2;3;0\n",
                             "0\t1\t2\r\n1\t0\t3\r\n2\t3\t0\r\n"}) {
        const auto weights = read_one(text).weights;
        ASSERT_EQ(weights.size(), 3) << text;
        EXPECT_EQ(weights(1, 0), 1) << text;
        EXPECT_EQ(weights(0, 2), 2) << text;
        EXPECT_EQ(weights(2, 1), 3) << text;
    }
}

TEST(PlainMatrixReader, TheDiagonalIsIgnored) {
    EXPECT_EQ(read_one("9 1 2 3\n1 9 4 5\n2 4 9 6\n3 5 6 9\n").weights(3, 2), 6);
    EXPECT_EQ(read_one("inf,1,2,3\n1,-1,4,5\n2,4,nan,6\n3,5,6,0\n").weights(3, 2), 6);
}

TEST(PlainMatrixReader, InfinityIsNoEdge) {
    const auto weights = read_one("0,1,inf,1\n1,0,1,1\ninf,1,0,1\n1,1,1,0\n").weights;
    EXPECT_EQ(weights.edge_count(), 5U);
}

TEST(PlainMatrixReader, PointsAndEdgesStayWhatTheyWere) {
    EXPECT_EQ(read_one("0 1 5\n1 2 6\n0 3 7\n").weights.form(), Weights::Form::sparse);
    EXPECT_EQ(read_one("1 2 3 4\n5 6 7 8\n9 1 2 3\n4 5 6 7\n").weights.form(), Weights::Form::points);
}

TEST(PlainMatrixReader, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(refusal("0 1 2 3\n4 0 5 6\n7 8 0 9\n1 2 3 0\n"),
              "file:2: the matrix is not symmetric: 0-1 is 1, but 1-0 is 4");
    EXPECT_EQ(refusal("0,1,2\n1,0,3\n", "matrix"), "file:2: expected 3 rows of 3 weights, found 2");
    EXPECT_EQ(refusal("0,1\n1,0\n2,3\n", "matrix"), "file:3: expected 2 rows of 2 weights, found more");
    EXPECT_EQ(refusal("0,1\n1\n", "matrix"), "file:2: expected 2 columns, found 1");
    EXPECT_EQ(refusal("0,-1\n-1,0\n", "matrix"), "file:1: expected a weight of at least 0, found \"-1\"");
    EXPECT_EQ(refusal("0,a\na,0\n", "matrix"), "file:1: expected a weight, found \"a\"");
}

}  // namespace
}  // namespace neuroprim
