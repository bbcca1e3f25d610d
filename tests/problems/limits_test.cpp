#include "neuroprim/limits.hpp"

#include <gtest/gtest.h>

#include <set>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "support/complaint.hpp"

namespace neuroprim {
namespace {

using testing::complaint_of;

TEST(NumberLimits, HaveNamesAndPresetsOfTheirOwn) {
    std::set<std::string_view> names;
    std::set<Limit> limits;
    for (const NumberLimit& line : number_limits()) {
        EXPECT_TRUE(names.insert(line.name).second) << line.name;
        EXPECT_TRUE(limits.insert(line.limit).second) << line.name;
        EXPECT_EQ(&number_limit(line.limit), &line);
        EXPECT_EQ(find_number_limit(line.name), &line);
        const auto kinds = problem_kinds();
        EXPECT_TRUE(std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
            return kind.name == line.preset;
        })) << line.name;
    }
    EXPECT_EQ(find_number_limit("colour"), nullptr);
    EXPECT_THROW((void)number_limit(Limit::edges), std::out_of_range);
}

TEST(NumberLimits, ReachTheSpecificationByTheirLineAlone) {
    const Instance instance = generate({.n = 9, .seed = 4});
    for (const NumberLimit& line : number_limits()) {
        ProblemOptions options;
        EXPECT_EQ(line.of(options), std::nullopt);
        line.set(options, 5);
        EXPECT_EQ(line.of(options), 5);
        if (!line.counted.empty()) options.root = 0;
        const TreeSpec spec = specify("tree", instance, options);
        EXPECT_TRUE(spec.has(line.limit)) << line.name;
        EXPECT_TRUE(spec.has_only({line.limit})) << line.name;
        EXPECT_FALSE(spec.has_only({Limit::edges})) << line.name;
        EXPECT_EQ(spec.counts_from_root(), !line.counted.empty()) << line.name;
        EXPECT_EQ(implied_preset(instance, options), line.preset);
        EXPECT_NE(describe(spec, instance).find('5'), std::string::npos) << describe(spec, instance);
        if (line.preset == "tree") continue;
        EXPECT_EQ(specify(line.preset, instance, options), spec) << line.name;
        EXPECT_TRUE(is_told_by(line.preset, spec)) << line.name;
        EXPECT_FALSE(is_told_by("mst", spec)) << line.name;
        const std::string complaint = complaint_of([&] { (void)specify(line.preset, instance); });
        EXPECT_EQ(complaint.find(std::string(line.preset) + " needs a " + std::string(line.noun)), 0U) << complaint;
    }
}

TEST(NumberLimits, OutsideTheirRangeAreRefused) {
    const Instance instance = generate({.n = 5, .seed = 4});
    for (const NumberLimit& line : number_limits()) {
        ProblemOptions options;
        options.root = 0;
        line.set(options, line.above ? line.least : line.least - 1);
        const std::string complaint = complaint_of([&] { (void)specify("tree", instance, options); });
        EXPECT_NE(complaint.find("expected"), std::string::npos) << line.name << ": " << complaint;
    }
    EXPECT_EQ(complaint_of([&] { (void)specify("tree", instance, {.root = 0, .capacity = 0}); }),
              "capacity 0: expected a number above 0");
    EXPECT_EQ(complaint_of([&] { (void)specify("tree", instance, {.diameter = 0}); }),
              "diameter 0: expected a whole number of at least 1");
}

TEST(Specification, IsToldWhereThePresetsNameDoesNotSayIt) {
    const Instance instance = generate({.n = 8, .seed = 2});
    const auto told = [&](std::string_view preset, const ProblemOptions& options) {
        return solve(*make_problem(preset, instance, options), {.max_iterations = 5}).specification;
    };
    EXPECT_EQ(told("mst", {}), "");
    EXPECT_EQ(told("mst", {.degree = 3}), "shortest tree, degree ≤ 3");
    EXPECT_EQ(told("dcmst", {.degree = 3}), "");
    EXPECT_EQ(told("dcmst", {.degree = 3, .diameter = 5}),
              "shortest tree, degree ≤ 3, at most 5 hops between any two");
    EXPECT_EQ(told("tree", {.degree = 3}), "shortest tree, degree ≤ 3");
    EXPECT_EQ(told("mrcst", {.excluded_edges = {{0, 1}}}), "least routing cost, without 1 edge");
}

}  // namespace
}  // namespace neuroprim
