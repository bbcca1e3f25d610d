#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

TEST(OcstReader, RequirementsAreTheUpperTriangleRowByRow) {
    const auto instance = read_one("4 3\n0 1 10\n1 2 4\n3 2 1.5\n1 2 3\n4 5\n6\n");
    EXPECT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.weights.edge_count(), 3U);
    EXPECT_EQ(instance.weights(2, 3), 1.5);
    double expected = 1;
    for (Vertex u = 0; u < 4; ++u) {
        for (Vertex v = u + 1; v < 4; ++v) EXPECT_EQ(instance.requirements[pair_index(u, v)], expected++);
    }
}

TEST(OcstReader, NoticesWrongCounts) {
    EXPECT_EQ(refusal("3 3\n0 1 1\n0 2 1\n1 2 1\n5 6\n"), "file:5: expected 3 requirements, found 2");
    EXPECT_EQ(refusal("3 3\n0 1 1\n0 2 1\n1 2 1\n5 6 7 8\n"),
              "file:5: expected the end of the file after 3 requirements, found \"8\"");
    EXPECT_EQ(refusal("3 3\n0 1 1\n0 2\n"), "file:3: expected a length, found the end of the file");
    EXPECT_EQ(refusal("2000000000 999999999999\n0 1 1\n"),
              "file:2: expected a vertex from 0 to 1999999999, found the end of the file");
    EXPECT_EQ(refusal("2000000000 1\n0 1 1\n"), "file:2: expected 1999999999000000000 requirements, found 0");
}

TEST(OcstReader, NamesTheLineOfABadEdge) {
    EXPECT_EQ(refusal("2 1\n0 2 1\n5\n"), "file:2: expected a vertex from 0 to 1, found \"2\"");
    EXPECT_EQ(refusal("2 1\n1 1 1\n5\n"), "file:2: an edge joins vertex 1 to itself");
    EXPECT_EQ(refusal("2 1\n0 1 -1\n5\n"), "file:2: expected a length of at least 0, found \"-1\"");
    EXPECT_EQ(refusal("2 1\n0 1 1\n-5\n"), "file:3: expected a requirement of at least 0, found \"-5\"");
    EXPECT_EQ(refusal("0 0\n", "ocst"), "file:1: an instance needs at least one vertex");
    EXPECT_EQ(read_one("1 0\n", "ocst").size(), 1);
}

TEST(OcstReader, TakesTwoMatricesWithRequirementsOnEitherSide) {
    for (const auto* requirements : {"0 4 5\n0 0 6\n0 0 0\n", "0 0 0\n4 0 0\n5 6 0\n", "0 4 5\n4 0 6\n5 6 0\n"}) {
        const auto instance = read_one(std::string("3\n0 1 2\n1 0 3\n2 3 0\n") + requirements);
        ASSERT_EQ(instance.size(), 3);
        EXPECT_EQ(instance.weights(2, 1), 3);
        EXPECT_EQ(instance.requirements, (std::vector<double>{4, 5, 6}));
    }
}

TEST(OcstReader, RefusesMatricesThatAreNone) {
    EXPECT_EQ(refusal("2\n0 1\n2 0\n0 1\n1 0\n"), "file:3: the matrix is not symmetric: 0-1 is 1, but 1-0 is 2");
    EXPECT_EQ(refusal("2\n0 1\n1 0\n0 3\n4 0\n"), "file:5: the matrix is not symmetric: 0-1 is 3, but 1-0 is 4");
    EXPECT_EQ(refusal("2\n0 1\n1 0\n0 3\n", "ocst"), "file:4: expected a requirement, found the end of the file");
    EXPECT_EQ(refusal("1000000000\n0 1\n", "ocst"), "file:2: expected a length, found the end of the file");
    EXPECT_EQ(refusal("2\n0 1\n1 0\n0 3\n3 0\n7\n", "ocst"),
              "file:6: expected the end of the file after two matrices of 2 rows and columns, found \"7\"");
}

}  // namespace
}  // namespace neuroprim
