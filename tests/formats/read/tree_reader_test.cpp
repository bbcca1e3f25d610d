#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {
namespace {

using testing::read_one;

Instance unnamed() {
    return read_one("0,0\n1,0\n2,0\n3,0\n");
}

Instance named() {
    return read_one("a,0,0\nb,1,0\nc,2,0\nd,3,0\n");
}

std::string refusal(std::string_view text, const Instance& instance) {
    try {
        static_cast<void>(parse_tree(text, "tree", instance));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

const Tree star = {1, {{1, 0}, {1, 2}, {1, 3}}};

TEST(TreeReader, ReadsTheJsonOfASolution) {
    EXPECT_EQ(parse_tree(R"({"cost": 3, "edges": [[1, 0], [1, 2], [1, 3]], "start": 1, "more": {"x": [1]}})", "tree",
                         unnamed()),
              star);
    EXPECT_EQ(parse_tree(R"({"edges": [[1, 0], [1, 2], [1, 3]], "start": null})", "tree", unnamed()), star);
    EXPECT_EQ(parse_tree(R"({"edges": [["b", "a"], [1, "c"], ["b", 3, 2.0]]})", "tree", named()), star);
    EXPECT_EQ(parse_tree(R"({"edges": []})", "tree", unnamed()), (Tree{0, {}}));
    EXPECT_EQ(parse_tree(R"({"edges": [], "start": 2})", "tree", unnamed()), (Tree{2, {}}));
}

TEST(TreeReader, ReadsCsvEdgesByNumber) {
    for (const auto* text : {"u,v,weight\n1,0,1\n1,2,1\n1,3,2\n", "1,0\n1,2\n1,3", "1;0;1\r\n1;2;1\r\n1;3;1\r\n",
                             "u,v,weight,u_name,v_name\n1,0,1,x,y\n1,2,1,x,z\n1,3,2,x,w\n", "1 0\n1 2\n1 3\n"}) {
        EXPECT_EQ(parse_tree(text, "tree", unnamed()), star) << text;
        EXPECT_EQ(parse_tree(text, "tree", named()), star) << text;
    }
    EXPECT_EQ(parse_tree("u,v,weight\n", "tree", unnamed()), (Tree{0, {}}));
}

TEST(TreeReader, ReadsCsvEdgesByName) {
    EXPECT_EQ(parse_tree("from,to\nb,a\nb,c\nb,d\n", "tree", named()), star);
    EXPECT_EQ(parse_tree("b,a,1\nb,c,1\nb,d,1\n", "tree", named()), star);
}

TEST(TreeReader, NamesThatAreNumbersCountWhenNumbersDoNotFit) {
    const auto instance = read_one("name,x,y\n1,0,0\n2,1,0\n3,2,0\n4,3,0\n");
    EXPECT_EQ(parse_tree("2,1\n2,3\n2,4\n", "tree", instance), star);
    EXPECT_EQ(parse_tree("1,0\n1,2\n1,3\n", "tree", instance), star);
}

TEST(TreeReader, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(refusal("u,v\n0,1\n1,4\n", unnamed()), "tree:3: expected a vertex from 0 to 3, found \"4\"");
    EXPECT_EQ(refusal("a,b\nb,x\n", named()),
              "tree:2: expected a vertex from 0 to 3 or the name of one, found \"x\"");
    Instance two = named();
    two.names[1] = "a";
    EXPECT_EQ(refusal("a,c\n", two), "tree:1: more than one vertex is named \"a\"");
    EXPECT_EQ(refusal("u,v,u\n0,1,0\n", unnamed()), "tree:1: column \"u\" is given twice");
    EXPECT_EQ(refusal("0,1,2,3\n", unnamed()),
              "tree:1: expected a header with u,v,weight (or source,target or from,to), or rows u,v,weight");
    EXPECT_EQ(refusal("{\"edges\": [[0, 1],\n[1, -1]]}", unnamed()),
              "tree:2: expected a vertex from 0 to 3, found \"-1\"");
    EXPECT_EQ(refusal("{\"edges\": [[0, 1],\n[1]]}", unnamed()), "tree:2: expected an edge [u, v], found 1 values");
    EXPECT_EQ(refusal("{\"edge\": []}", unnamed()), "tree: expected the key \"edges\"");
    EXPECT_EQ(refusal("", unnamed()), "tree: the file is empty");
}

TEST(TreeReader, ReadsFiles) {
    const testing::Folder folder;
    EXPECT_EQ(read_tree(folder.file("tree.csv", "1,0\n1,2\n1,3\n"), unnamed()), star);
    EXPECT_THROW(static_cast<void>(read_tree(folder.path() + "/none.csv", unnamed())), InputError);
}

}  // namespace
}  // namespace neuroprim
