#include "search/initial_solutions.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {
namespace {

std::string source_of_first_tree(const Problem& problem) {
    TreePool pool(problem);
    add_first_tree(problem, {}, {}, pool);
    EXPECT_EQ(problem.violation(pool[0].tree), std::nullopt);
    return pool[0].source;
}

TEST(InitialSolutions, BeginWithADescentForManyPointsUnderALimitedDiameter) {
    const Instance instance = generate({.n = 10'000, .seed = 3});
    EXPECT_EQ(source_of_first_tree(Problem(instance, {.diameter = 28})), "centre-descent");
    EXPECT_EQ(source_of_first_tree(Problem(instance, {.diameter = 29})), "centre-descent");
    EXPECT_EQ(source_of_first_tree(Problem(instance, {.root = 7, .hops = 14, .diameter = 24})), "hop-descent");
    EXPECT_EQ(source_of_first_tree(Problem(instance, {.root = 7, .hops = 9, .diameter = 24})), "hop-descent");
    const Instance fewer = generate({.n = 5'000, .seed = 3});
    EXPECT_EQ(source_of_first_tree(Problem(fewer, {.diameter = 28})), "subdivision");
}

}  // namespace
}  // namespace neuroprim
