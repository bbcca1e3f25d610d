#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

TEST(CrdReader, ReadsPairsAcrossLines) {
    const auto instance = read_one("  0 0  3\r\n0\n3 4  -1 .5\n", "crd");
    ASSERT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.weights.points()[1], (Point{3, 0}));
    EXPECT_EQ(instance.weights.points()[3], (Point{-1, 0.5}));
    EXPECT_EQ(instance.weights.metric(), Metric::euclidean);
}

TEST(CrdReader, NeedsAnEvenCount) {
    EXPECT_EQ(refusal("1 2\n3\n", "crd"), "file:2: expected pairs x y, found 3 numbers");
}

TEST(CrdReader, NamesTheLineOfAWordThatIsNoNumber) {
    EXPECT_EQ(refusal("1 2\n3 4\n\n5 abc\n"), "file:4: expected a number, found \"abc\"");
}

TEST(CrdReader, OnePointIsAnInstance) {
    EXPECT_EQ(read_one("4 2").size(), 1);
}

TEST(SymReader, ReadsTheLowerTriangleRowByRow) {
    const auto instance = read_one("1\n2 3\n4 5\n6\n", "sym");
    ASSERT_EQ(instance.size(), 4);
    EXPECT_EQ(instance.weights(1, 0), 1);
    EXPECT_EQ(instance.weights(0, 2), 2);
    EXPECT_EQ(instance.weights(2, 1), 3);
    EXPECT_EQ(instance.weights(3, 2), 6);
}

TEST(SymReader, NeedsATriangularCount) {
    EXPECT_EQ(refusal("1 2 3 4 5", "sym"),
              "file: expected n(n-1)/2 weights, the lower triangle of n vertices, found 5");
    for (int n = 2; n < 60; ++n) {
        std::string text;
        for (int i = 0; i < n * (n - 1) / 2; ++i) text += "1 ";
        EXPECT_EQ(read_one(text, "sym").size(), n);
        EXPECT_NE(n > 2 ? refusal(text + "1", "sym") : "no", "");
    }
}

TEST(SymReader, RefusesNegativeWeights) {
    EXPECT_EQ(refusal("1\n2 -3\n"), "file:2: expected a weight of at least 0, found \"-3\"");
}

TEST(PlainReaders, RefuseEmptyInput) {
    for (const auto* text : {"", " ", "\n\r\n\t", "\xef\xbb\xbf", "\xef\xbb\xbf \n"}) {
        for (const auto* format : {"", "crd", "sym", "csv", "json", "tsplib"}) {
            EXPECT_EQ(refusal(text, format), "file: the file is empty");
        }
    }
}

}  // namespace
}  // namespace neuroprim
