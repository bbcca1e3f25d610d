#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {
namespace {

using testing::refusal;
using testing::warnings_of;

/// One matrix that counts its root in, one that does not, and demands for the first.
constexpr std::string_view two_trees =
    " priz3r.dat \n 4 5 \n ------ \n cm3r1.dat \n 3 \n 0 1 2 \n 1 0 3 \n 2 3 0 \n ------\n"
    " te1-1.txt \n 1 \n 1000 7 \n 7 1000 \n";

TEST(CapmstReader, TheRootIsTheLastVertexAndDemandsAreThoseOfItsSize) {
    const auto instances = parse_instances(two_trees, "folder/capmst.txt");
    ASSERT_EQ(instances.size(), 2U);
    EXPECT_EQ(instances[0].name, "cm3r1");
    EXPECT_EQ(instances[0].size(), 3);
    EXPECT_EQ(instances[0].weights(1, 2), 3);
    EXPECT_EQ(instances[0].root, 2);
    EXPECT_EQ(instances[0].demands, (std::vector<double>{4, 5, 0}));
    EXPECT_EQ(instances[1].name, "te1-1");
    EXPECT_EQ(instances[1].size(), 2);
    EXPECT_EQ(instances[1].weights(0, 1), 7);
    EXPECT_EQ(instances[1].root, 1);
    EXPECT_TRUE(instances[1].demands.empty());
}

TEST(CapmstReader, AHashPicksByNameOrNumber) {
    const testing::Folder folder;
    const std::string path = folder.file("capmst.txt", two_trees);
    for (const auto* choice : {"#te1-1", "#2"}) {
        const auto picked = read_instances(path + choice);
        ASSERT_EQ(picked.size(), 1U) << choice;
        EXPECT_EQ(picked[0].name, "te1-1") << choice;
    }
    try {
        static_cast<void>(read_instances(path + "#te1-9"));
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), path + ": there is no problem named \"te1-9\": the file holds \"cm3r1, te1-1\"");
    }
    EXPECT_THROW(static_cast<void>(read_instances(path + "x#te1-1")), InputError);
}

TEST(CapmstReader, OfAMatrixThatIsNotSymmetricTheLowerTriangleIsRead) {
    constexpr std::string_view text = "tc2-1.txt\n2\n1000 5 6\n6 1000 7\n7 7 1000\n";
    const auto instance = testing::read_one(text);
    EXPECT_EQ(instance.weights(0, 1), 6);
    EXPECT_EQ(instance.weights(0, 2), 7);
    EXPECT_EQ(instance.weights(1, 2), 7);
    EXPECT_EQ(warnings_of(text), std::vector<std::string>{
                                     "file:1: not symmetric: the matrix of \"tc2-1.txt\" (2 pairs), by up to 1; the "
                                     "lower triangle is read"});
    EXPECT_EQ(
        warnings_of(std::string(text) + "x.txt\n2\n0 5\n3 0\n"),
        std::vector<std::string>{"file:1: not symmetric: the matrix of \"tc2-1.txt\" (2 pairs) and of 1 more, by up "
                                 "to 2; the lower triangle is read"});
}

TEST(CapmstReader, NoticesWrongCounts) {
    EXPECT_EQ(refusal("tc2-1.txt\n2\n1000 5 6\n5 1000 7\n6 7\n"),
              "file:5: \"tc2-1.txt\" announces 2 vertices: expected 4 numbers, or 9 with the root, found 8");
    EXPECT_EQ(refusal("tc2-1.txt\n", "capmst"), "file:1: \"tc2-1.txt\" has no number of vertices");
    EXPECT_EQ(refusal("2\n0 1\n1 0\n", "capmst"), "file:1: expected the name of a problem, found \"2\"");
    EXPECT_EQ(refusal("priz3r.dat\n4 5\n"), "file: the file holds demands only, and no matrix");
    EXPECT_EQ(refusal("tc1-1.txt\n1\n0 -1\n-1 0\n"), "file:3: expected a weight of at least 0, found \"-1\"");
    EXPECT_EQ(refusal("tc1-1.txt\n1\n0 ?\n? 0\n"), "file:3: expected a weight, found \"?\"");
}

}  // namespace
}  // namespace neuroprim
