#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

TEST(CsvEdgesReader, KnowsSeveralHeaders) {
    for (const auto* header : {"u,v,weight", "source,target,weight", "From,To,Cost", "U,V,W", "from,to,length"}) {
        const auto instance = read_one(std::string(header) + "\n0,1,5\n1,3,2\n");
        EXPECT_EQ(instance.size(), 4) << header;
        EXPECT_EQ(instance.weights.edge_count(), 2U);
        EXPECT_EQ(instance.weights(3, 1), 2);
        EXPECT_TRUE(instance.names.empty());
    }
    EXPECT_EQ(read_one("weight;note;target;source\n7;x;1;0\n").weights(0, 1), 7);
}

TEST(CsvEdgesReader, NumbersNamesInOrderOfAppearance) {
    const auto instance = read_one("b,a,1\na,c,2\n\"c\",b,3\n");
    EXPECT_EQ(instance.names, (std::vector<std::string>{"b", "a", "c"}));
    EXPECT_EQ(instance.weights(0, 1), 1);
    EXPECT_EQ(instance.weights(1, 2), 2);
    EXPECT_EQ(instance.weights(2, 0), 3);
}

TEST(CsvEdgesReader, OneEndThatIsNoNumberMakesAllOfThemNames) {
    const auto instance = read_one("u,v,weight\n5,7,1\n7,-1,2\n");
    EXPECT_EQ(instance.names, (std::vector<std::string>{"5", "7", "-1"}));
}

TEST(CsvEdgesReader, NumbersFarBeyondTheEdgesAreNames) {
    const auto instance = read_one("u,v,weight\n4200000123,4200000456,1\n4200000456,17,2\n");
    EXPECT_EQ(instance.size(), 3);
    EXPECT_EQ(instance.names[0], "4200000123");
    EXPECT_EQ(read_one("u,v,weight\n0,1500000000,1\n").size(), 2);
}

TEST(CsvEdgesReader, HeaderlessRowsAreUVWeight) {
    for (const auto* text : {"0,1,2.5\n", "0;1;2.5", "0\t1\t2.5\n1\t2\t1\n"}) {
        EXPECT_EQ(read_one(text).weights(0, 1), 2.5) << text;
    }
    EXPECT_EQ(read_one("0 1 2.5\n", "edges").weights(0, 1), 2.5);
    EXPECT_EQ(read_one("  \"a b\"   c 2.5 \n \n c d 1\n").names, (std::vector<std::string>{"a b", "c", "d"}));
    EXPECT_EQ(read_one("x,y,3\n").names, (std::vector<std::string>{"x", "y"}));
}

TEST(CsvEdgesReader, OfParallelEdgesTheLightestStays) {
    const auto instance = read_one("u,v,weight\n0,1,5\n1,0,3\n0,1,4\n");
    EXPECT_EQ(instance.weights.edge_count(), 1U);
    EXPECT_EQ(instance.weights(0, 1), 3);
}

TEST(CsvEdgesReader, NamesTheLineOfABadEdge) {
    EXPECT_EQ(refusal("u,v,weight\n0,1,-1\n"), "file:2: expected a weight of at least 0, found \"-1\"");
    EXPECT_EQ(refusal("u,v,weight\n0,1,inf\n"), "file:2: expected a weight, found \"inf\"");
    EXPECT_EQ(refusal("u,v,weight\n0,1,\n"), "file:2: expected a weight, found nothing");
    EXPECT_EQ(refusal("u,v,weight\n0,0,1\n"), "file:2: an edge joins vertex \"0\" to itself");
    EXPECT_EQ(refusal("u,v,weight\n0,00,1\n"), "file:2: an edge joins vertex 0 to itself");
    EXPECT_EQ(refusal("u,v,weight\na,a,1\n"), "file:2: an edge joins vertex \"a\" to itself");
    EXPECT_EQ(refusal("u,v,weight\na,,1\n"), "file:2: expected a name, found nothing");
    EXPECT_EQ(refusal("u,v,weight\n0,1\n"), "file:2: expected 3 columns, found 2");
    EXPECT_EQ(refusal("u,v\n0,1\n"), "file:2: the edges have no column weight");
    EXPECT_EQ(refusal("u,v,weight\n"), "file: an instance needs at least one vertex");
    EXPECT_EQ(refusal("1,2,3,4\n", "edges"),
              "file:1: expected a header with u,v,weight (or source,target or from,to), or rows u,v,weight");
}

}  // namespace
}  // namespace neuroprim
