#include <gtest/gtest.h>

#include "formats/read/reader_support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;

constexpr std::string_view two_problems = "2\n3\n .52 .92\n .94 .75\n .89 .93\n 1 \n .5 .5\n";

TEST(OrlibReader, ReadsEveryProblemAndNumbersThem) {
    const auto instances = parse_instances(two_problems, "folder/points.txt");
    ASSERT_EQ(instances.size(), 2U);
    EXPECT_EQ(instances[0].name, "points#1");
    EXPECT_EQ(instances[0].size(), 3);
    EXPECT_EQ(instances[0].weights.points()[1], (Point{.94, .75}));
    EXPECT_EQ(instances[1].name, "points#2");
    EXPECT_EQ(instances[1].weights.points()[0], (Point{.5, .5}));
}

TEST(OrlibReader, AProblemAloneKeepsTheNameOfTheFile) {
    EXPECT_EQ(read_one("1\n2\n0 0\n1 1\n").name, "file");
}

TEST(OrlibReader, AHashPicksOneProblem) {
    const testing::Folder folder;
    const std::string path = folder.file("points.txt", two_problems);
    const auto picked = read_instances(path + "#2");
    ASSERT_EQ(picked.size(), 1U);
    EXPECT_EQ(picked[0].name, "points#2");
    EXPECT_EQ(picked[0].size(), 1);
    for (const auto* choice : {"#0", "#3", "#99999999999999999999"}) {
        EXPECT_THROW(static_cast<void>(read_instances(path + choice)), InputError) << choice;
    }
    try {
        static_cast<void>(read_instances(path + "#3"));
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), path + ": there is no problem #3: the file holds 2");
    }
}

TEST(OrlibReader, AFileMayHaveAHashInItsName) {
    const testing::Folder folder;
    const std::string path = folder.file("points#2", two_problems);
    EXPECT_EQ(read_instances(path).size(), 2U);
    EXPECT_EQ(read_instances(path + "#1").size(), 1U);
}

TEST(OrlibReader, NoticesWrongCounts) {
    EXPECT_EQ(refusal("2\n2\n0 0\n1 1\n"), "file:4: expected a number of vertices, found the end of the file");
    EXPECT_EQ(refusal("1\n2\n0 0\n1\n"), "file:4: expected a coordinate, found the end of the file");
    EXPECT_EQ(refusal("1\n2\n0 0\n1 1\n2 2\n"), "file:5: expected the end of the file after 1 problems, found \"2\"");
    EXPECT_EQ(refusal("0\n2\n0 0\n1 1\n", "orlib"), "file:1: expected at least one problem, found 0");
    EXPECT_EQ(refusal("1\n0\n", "orlib"), "file:2: an instance needs at least one vertex");
    EXPECT_EQ(refusal("-1\n2\n0 0\n", "orlib"), "file:1: expected a number of problems, found \"-1\"");
    EXPECT_EQ(refusal("999999999999\n2000000000\n0 0\n", "orlib"),
              "file:3: expected a coordinate, found the end of the file");
}

}  // namespace
}  // namespace neuroprim
