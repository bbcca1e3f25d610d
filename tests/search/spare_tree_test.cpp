#include "search/spare_tree.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "neuroprim/generate.hpp"

namespace neuroprim {
namespace {

StopToken in_seconds(int seconds, std::function<bool()> interrupted = {}) {
    return {StopToken::Clock::now() + std::chrono::seconds(seconds), std::move(interrupted)};
}

TEST(TimeOfConstruction, IsAQuarterOfWhatIsLeft) {
    const StopToken stop = in_seconds(10'000);
    const auto time = time_of_construction(stop);
    ASSERT_TRUE(time);
    // Seconds pass between the questions, however busy the machine is, but not a hundred.
    EXPECT_LE(time->seconds_left(), 2500);
    EXPECT_GT(time->seconds_left(), 2400);
}

TEST(TimeOfConstruction, IsNoneWithoutATimeLimitAndOverWhenThatIs) {
    EXPECT_FALSE(time_of_construction({}));
    EXPECT_FALSE(time_of_construction({std::nullopt, [] { return true; }}));
    const auto late = time_of_construction(in_seconds(-1));
    ASSERT_TRUE(late);
    EXPECT_TRUE(late->expired());
}

TEST(TimeOfConstruction, EndsWhenSomebodyAsks) {
    bool is_asked = false;
    const auto time = time_of_construction(in_seconds(10'000, [&] { return is_asked; }));
    ASSERT_TRUE(time);
    EXPECT_FALSE(time->expired());
    is_asked = true;
    EXPECT_TRUE(time->expired());
}

TEST(SpareTree, IsTheBestConstructionWhereThereIsATimeLimit) {
    const Instance instance = generate({.n = 200, .seed = 1});
    const auto problem = make_problem("cmst", instance, {.root = 0, .capacity = 9});
    EXPECT_FALSE(spare_tree(*problem, {}, {}));
    const auto spare = spare_tree(*problem, {}, in_seconds(10'000));
    ASSERT_TRUE(spare);
    EXPECT_EQ(problem->violation(spare->tree), std::nullopt);
    EXPECT_EQ(spare->cost, problem->cost(spare->tree));
    EXPECT_EQ(spare->cost, constructed_tree(*problem, {}, {}).cost);
}

TEST(SpareTree, IsNoneWhereNoConstructionFindsOne) {
    // Three edges join the path 0-1-2-3, and two hops from its end do not reach the other one.
    Instance path;
    path.weights = Weights::from_edges(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
    const auto problem = make_problem("hmst", path, {.root = 0, .hops = 2});
    EXPECT_FALSE(spare_tree(*problem, {}, in_seconds(10'000)));
}

TEST(CheaperOf, KeepsItsOwnTreeUnlessTheSpareOneCostsLess) {
    const Candidate own{{0, {}}, 5, "own"};
    EXPECT_EQ(cheaper_of(own, std::nullopt).source, "own");
    EXPECT_EQ(cheaper_of(own, Candidate{{0, {}}, 5, "spare"}).source, "own");
    EXPECT_EQ(cheaper_of(own, Candidate{{0, {}}, 4, "spare"}).source, "spare");
}

}  // namespace
}  // namespace neuroprim
