#include "neuroprim/parameters.hpp"

#include <gtest/gtest.h>

#include <set>

#include "neuroprim/error.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "support/complaint.hpp"

namespace neuroprim {
namespace {

using testing::complaint_of;

TEST(Parameters, HaveNamesOfTheirOwnAndRangesThatHoldSomething) {
    std::set<std::string_view> names;
    for (const Parameter& one : parameters()) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        EXPECT_FALSE(one.help.empty()) << one.name;
        EXPECT_FALSE(one.help.ends_with('.')) << one.name;
        EXPECT_EQ(&parameter(one.name), &one);
        if (one.type == ParameterType::whole || one.type == ParameterType::number) {
            EXPECT_LT(one.range.least, one.range.most) << one.name;
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
    EXPECT_EQ(expected_instead_of(parameter("augmentations"), 65), "a whole number from 0 to 64");
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

TEST(Parameters, OfOtherMethodsAreOfNoUse) {
    const auto use = [](const char* name, const char* method) {
        return complaint_of([&] { check_use(parameter(name), method); });
    };
    EXPECT_EQ(use("samples", "sample") + use("seed", "prim") + use("time_limit", "prim") + use("initial", ""), "");
    EXPECT_EQ(use("samples", ""), "--samples is for --method sample, and this one is search: leave out one of them");
    EXPECT_EQ(
        use("time_limit", "beam"),
        "--time-limit is for --method search, rebuild and the classical ones, and this one is beam: leave out one of "
        "them");
}

TEST(Parameters, ThatContradictEachOtherAreRefused) {
    const auto use = [](const SolveOptions& options) { return complaint_of([&] { check_use(options); }); };
    EXPECT_EQ(use({}), "");
    EXPECT_EQ(use({.start = 2, .starts = 3}),
              "--start names the one start, and --starts asks for several: leave out one of them");
    EXPECT_NE(use({.rounds = 2}), "");
    EXPECT_EQ(use({.augmentations = 2, .rounds = 2}), "");
    EXPECT_NE(use({.model = "a", .initial = Initial::classical}), "");
}

TEST(Parameters, OfPresetsAreInTheTable) {
    for (const auto& kind : problem_kinds()) {
        for (const auto name : parameters_of(kind.name)) EXPECT_NO_THROW((void)parameter(name)) << kind.name;
    }
    EXPECT_EQ(parameters_of("hmst").size(), 2U);
}

TEST(Parameters, AboutVerticesMustHaveASay) {
    const auto use = [](const char* fact, const TreeSpec& spec, const char* preset) {
        return complaint_of([&] { check_use(fact, spec, preset); });
    };
    TreeSpec spec;
    EXPECT_EQ(use("terminals", spec, "mst"),
              "--terminals is of no use for mst: leave out one of them; without --problem, all that is given counts");
    EXPECT_EQ(use("prizes", spec, "tree"), "--prizes is of no use beside the other options: leave it out");
    EXPECT_NE(use("demands", spec, "tree"), "");
    EXPECT_NE(use("leaves", spec, "hmst"), "");
    spec.capacity = 3;
    spec.degrees = {1, 2};
    spec.terminals = {1};
    EXPECT_EQ(use("demands", spec, "tree") + use("leaves", spec, "tree") + use("terminals", spec, "tree"), "");
}

}  // namespace
}  // namespace neuroprim
