#include "search/windows/path_rebuilding.hpp"

#include <gtest/gtest.h>

#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "support/untrained_policy.hpp"

namespace neuroprim {
namespace {

const Policy& policy_of_paths() {
    static const Policy policy = testing::untrained_policy(8);
    return policy;
}

/// Through the vertices as they are numbered: far from short, so that much changes at once.
Tree path_by_number(Vertex n) {
    Tree tree;
    for (Vertex v = 1; v < n; ++v) tree.edges.push_back({v - 1, v});
    return tree;
}

WindowOptions on_threads(int threads) {
    WindowOptions options;
    options.starts = 3;
    options.threads = threads;
    return options;
}

TEST(PathRebuilding, IsForPathsInCompleteGraphs) {
    const Instance points = generate({.n = 20, .seed = 1});
    Instance sparse;
    sparse.weights = Weights::from_edges(3, {{0, 1, 1}, {1, 2, 1}});
    EXPECT_TRUE(has_path_windows(*make_problem("dcmst", points, {.degree = 2})));
    EXPECT_FALSE(has_path_windows(*make_problem("dcmst", points, {.degree = 3})));
    EXPECT_FALSE(has_path_windows(*make_problem("dcmst", sparse, {.degree = 2})));
}

TEST(PathRebuilding, KeepsAPathAndSaysWhatItGained) {
    for (const Vertex n : {2, 3, 12, 60, 700}) {
        const Instance instance = generate({.n = n, .seed = 2});
        const auto problem = make_problem("dcmst", instance, {.degree = 2});
        const Tree first = path_by_number(n);
        PathRebuilding rebuilding(policy_of_paths(), *problem, first, on_threads(2), {});
        double cost = problem->cost(first);
        double gained = 0;
        for (int pass = 0; pass < 4; ++pass) {
            const double gain = rebuilding.pass({});
            const Tree tree = rebuilding.tree();
            ASSERT_EQ(problem->violation(tree), std::nullopt) << n;
            EXPECT_NEAR(problem->cost(tree), cost - gain, 1e-9 * cost) << n;
            cost = problem->cost(tree);
            gained += gain;
        }
        EXPECT_TRUE(n < 60 || gained > 0) << n;
    }
}

TEST(PathRebuilding, IsTheSameOnAnyNumberOfThreads) {
    const Instance instance = generate({.n = 300, .seed = 3});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    WindowOptions options = on_threads(1);
    options.samples = 4;
    options.seed = 9;
    PathRebuilding one(policy_of_paths(), *problem, path_by_number(300), options, {});
    options.threads = 3;
    PathRebuilding three(policy_of_paths(), *problem, path_by_number(300), options, {});
    for (int pass = 0; pass < 3; ++pass) EXPECT_DOUBLE_EQ(one.pass({}), three.pass({}));
    EXPECT_EQ(one.tree().edges, three.tree().edges);
}

TEST(PathRebuilding, ThatIsStoppedLeavesThePath) {
    const Instance instance = generate({.n = 100, .seed = 4});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    PathRebuilding rebuilding(policy_of_paths(), *problem, path_by_number(100), on_threads(1), {});
    const StopToken stopped(std::nullopt, [] { return true; });
    EXPECT_EQ(rebuilding.pass(stopped), 0);
    EXPECT_EQ(rebuilding.tree().edges, path_by_number(100).edges);
}

}  // namespace
}  // namespace neuroprim
