#include "neuroprim/parameters.hpp"

#include <gtest/gtest.h>

#include <set>

namespace neuroprim {
namespace {

TEST(Parameters, HaveNamesOfTheirOwnAndRangesThatHoldSomething) {
    std::set<std::string_view> names;
    for (const Parameter& one : parameters()) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        EXPECT_FALSE(one.help.empty()) << one.name;
        EXPECT_FALSE(one.help.ends_with('.')) << one.name;
        EXPECT_EQ(&parameter(one.name), &one);
        if (one.type == ParameterType::whole || one.type == ParameterType::number) {
            EXPECT_LT(one.least, one.most) << one.name;
            if (!one.usual.empty()) {
                EXPECT_EQ(expected_instead_of(one, std::stod(std::string(one.usual))), std::nullopt) << one.name;
            }
        }
    }
    EXPECT_THROW((void)parameter("colour"), std::out_of_range);
}

TEST(Parameters, SayWhatWasExpected) {
    EXPECT_EQ(expected_instead_of(parameter("degree"), 1), std::nullopt);
    EXPECT_EQ(expected_instead_of(parameter("degree"), 0), "a whole number of at least 1");
    EXPECT_EQ(expected_instead_of(parameter("degree"), 2.5), "a whole number of at least 1");
    EXPECT_EQ(expected_instead_of(parameter("augment"), 65), "a whole number from 1 to 64");
    EXPECT_EQ(expected_instead_of(parameter("capacity"), 0), "a number above 0");
    EXPECT_EQ(expected_instead_of(parameter("time_limit"), 2e9), "a number above 0, at most 1e+09");
}

TEST(Parameters, AreSpeltAsEachInterfaceWritesThem) {
    const std::string_view message = "loads are counted from a root: give one (--root V) with --capacity";
    EXPECT_EQ(respelled(message, Spelling::flag), message);
    EXPECT_EQ(respelled(message, Spelling::keyword),
              "loads are counted from a root: give one (root=...) with capacity=...");
    EXPECT_EQ(respelled(message, Spelling::field),
              "loads are counted from a root: give one (\"root\") with \"capacity\"");
    EXPECT_EQ(respelled("let --method search do", Spelling::keyword), "let method=\"search\" do");
    EXPECT_EQ(respelled("let --method search do", Spelling::field), "let \"method\": \"search\" do");
    EXPECT_EQ(respelled("a - b -- c --", Spelling::keyword), "a - b -- c --");
}

}  // namespace
}  // namespace neuroprim
