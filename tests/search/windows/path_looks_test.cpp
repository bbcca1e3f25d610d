#include "search/windows/path_looks.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/solve.hpp"
#include "support/untrained_policy.hpp"

namespace neuroprim {
namespace {

const Policy& policy_of_ends() {
    static const Policy policy = testing::untrained_policy(5);
    return policy;
}

SolveOptions looks_from(std::size_t starts, int threads) {
    SolveOptions options;
    options.starts = starts;
    options.threads = threads;
    return options;
}

TEST(PathLooks, AreForPathsThroughMorePointsThanOneLookSees) {
    const Instance many = generate({.n = 120, .seed = 1});
    const Instance few = generate({.n = 101, .seed = 1});
    EXPECT_TRUE(has_path_looks(*make_problem("dcmst", many, {.degree = 2})));
    EXPECT_FALSE(has_path_looks(*make_problem("dcmst", few, {.degree = 2})));
    EXPECT_FALSE(has_path_looks(*make_problem("dcmst", many, {.degree = 3})));
    EXPECT_FALSE(has_path_looks(*make_problem("mrcst", many)));
}

TEST(PathLooks, ArePathsThroughAllPointsFromTheirStart) {
    for (const Vertex n : {102, 111, 112, 180}) {
        const Instance instance = generate({.n = n, .seed = 2});
        const auto problem = make_problem("dcmst", instance, {.degree = 2});
        const PathLooks looks(policy_of_ends(), *problem, looks_from(2, 1));
        const auto path = looks.from(7, {});
        ASSERT_TRUE(path);
        EXPECT_EQ(problem->violation(*path), std::nullopt) << n;
        EXPECT_EQ(path->start, 7);
        EXPECT_EQ(degrees(*path, n)[7], 1) << "it goes on at one end";
    }
}

/// The last look sees all that is left, so its way is that of the policy on these points alone.
TEST(PathLooks, EndAsThePolicyWouldOnWhatIsLeft) {
    const Instance instance = generate({.n = 111, .seed = 3});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const auto path = PathLooks(policy_of_ends(), *problem, looks_from(1, 1)).from(0, {});
    ASSERT_TRUE(path);
    std::vector<Point> left;  // from the end after ten steps
    const auto points = instance.weights.points();
    std::vector<Vertex> numbers;
    for (std::size_t k = 9; k < path->edges.size(); ++k) numbers.push_back(path->edges[k].v);
    std::sort(numbers.begin(), numbers.end());
    for (const Vertex v : numbers) left.push_back(points[index(v)]);
    Instance rest;
    rest.weights = Weights::from_points(left);
    const Vertex end = path->edges[9].v;
    const auto place = static_cast<Vertex>(std::lower_bound(numbers.begin(), numbers.end(), end) - numbers.begin());
    rest.leaves = {place};
    const auto last = make_problem("dcmst", rest, {.degree = 2});
    const Encoded encoded(policy_of_ends(), *last, {.symmetry = 1});
    const std::vector<Start> starts = {{place, 0}};
    const Rollout rollout = decode(encoded, *last, starts, {}).front();
    ASSERT_EQ(rollout.tree.edges.size() + 10, path->edges.size());
    for (std::size_t k = 0; k < rollout.tree.edges.size(); ++k) {
        EXPECT_EQ(numbers[index(rollout.tree.edges[k].v)], path->edges[10 + k].v) << "step " << k;
    }
}

TEST(PathLooks, AreTheSameOnAnyNumberOfThreads) {
    const Instance instance = generate({.n = 130, .seed = 4});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const Candidate one = PathLooks(policy_of_ends(), *problem, looks_from(4, 1)).best({});
    const Candidate three = PathLooks(policy_of_ends(), *problem, looks_from(4, 3)).best({});
    EXPECT_EQ(one.tree.edges, three.tree.edges);
    EXPECT_DOUBLE_EQ(one.cost, problem->cost(one.tree));
}

TEST(PathLooks, OfMoreViewsAndStartsAreNoWorse) {
    const Instance instance = generate({.n = 130, .seed = 5});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const double one = PathLooks(policy_of_ends(), *problem, looks_from(1, 1)).best({}).cost;
    EXPECT_LE(PathLooks(policy_of_ends(), *problem, looks_from(5, 2)).best({}).cost, one);
    SolveOptions only = looks_from(5, 1);
    only.start = 0;
    EXPECT_DOUBLE_EQ(PathLooks(policy_of_ends(), *problem, only).best({}).cost, one);
}

TEST(PathLooks, SeeOneViewWhereOneIsAskedForAndTwoUnlessTold) {
    const Instance instance = generate({.n = 130, .seed = 5});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const auto under = [&](int views) {
        SolveOptions options = looks_from(1, 1);
        options.augmentations = views;
        return PathLooks(policy_of_ends(), *problem, options).best({}).tree.edges;
    };
    EXPECT_EQ(under(0), under(2));
    EXPECT_NE(under(0), under(1));
}

TEST(PathLooks, ThatAreStoppedBeforeThereIsAPathSaySo) {
    const Instance instance = generate({.n = 130, .seed = 6});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const StopToken stopped(std::nullopt, [] { return true; });
    EXPECT_THROW((void)PathLooks(policy_of_ends(), *problem, looks_from(2, 2)).best(stopped), Interrupted);
}

}  // namespace
}  // namespace neuroprim
