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

}  // namespace
}  // namespace neuroprim
