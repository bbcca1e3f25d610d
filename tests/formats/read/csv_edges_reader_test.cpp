#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;
using testing::warnings_of;

using Warnings = std::vector<std::string>;

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

TEST(CsvEdgesReader, WarnsOfParallelEdgesThatDiffer) {
    EXPECT_EQ(warnings_of("u,v,weight\n0,1,2\n1,0,7\n"),
              Warnings{"file: some edges are given twice with different weights, such as 0 - 1 with 2 and 7: the "
                       "lightest counts"});
    EXPECT_EQ(warnings_of("b,a,2\na,b,7\n").at(0).substr(0, 78),
              "file: some edges are given twice with different weights, such as \"b\" - \"a\" wit");
    EXPECT_EQ(warnings_of("u,v,weight\n0,1,2\n1,0,2\n"), Warnings{});
}

TEST(CsvEdgesReader, WarnsOfNumbersThatSeemToCountFromOne) {
    const auto warnings = warnings_of("u,v,weight\n1,2,2\n2,3,7\n3,4,1\n");
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_EQ(warnings[0].substr(0, 66), "file: no edge has vertex 0: numbers are counted from 0, so that it");
    EXPECT_EQ(warnings_of("u,v,weight\n0,2,2\n2,3,7\n"), Warnings{});
}

TEST(CsvEdgesReader, WarnsOfRowsThatMayBePoints) {
    EXPECT_EQ(
        warnings_of("1,0,1\n2,3,4\n3,5,6\n"),
        Warnings{"file: rows are read as edges u,v,weight: if they are points, give them a header such as id,x,y"});
    EXPECT_EQ(warnings_of("0,1,5\n1,2,5\n2,3,5\n"), Warnings{});  // a path
}

TEST(CsvEdgesReader, WeightsMayHaveDecimalCommas) {
    for (const auto* text : {"u;v;weight\n0;1;2,5\n", "0;1;2,5\n", "from;to;cost\na;b;2,5\n"}) {
        EXPECT_EQ(read_one(text).weights(0, 1), 2.5) << text;
        EXPECT_EQ(warnings_of(text).size(), 1U) << text;  // also when ends turn out to be names
    }
}

TEST(CsvEdgesReader, ColumnsMustDiffer) {
    EXPECT_EQ(refusal("u,v,weight,v\n0,1,2,3\n"), "file:1: column \"v\" is given twice");
    EXPECT_EQ(warnings_of("u,v,length,cost\n0,1,2,3\n"),
              Warnings{"file:1: column \"length\" is read, and \"cost\" is ignored, which could mean the same"});
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
