#include "search/windows/branch_windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "search/windows/window_problem.hpp"

namespace neuroprim {
namespace {

TEST(BranchWindows, HoldWholeBranchesAndEveryVertexOnce) {
    const Vertex n = 120;
    const Instance instance = generate({.n = n, .seed = 1});
    const auto problem = make_problem("cmst", instance, {.root = 3, .capacity = 8});
    const RootedTree tree = hang(method_named("esau-williams").construct(*problem, {}), 3, n);
    std::vector<std::vector<TreeWindow>> cuts;
    for (const std::uint64_t stream : {0U, 1U}) {
        const auto windows = branch_windows(*problem, tree, 40, Random(5, stream));
        EXPECT_GE(windows.size(), 3U);
        std::vector<int> window_of(index(n), -1);
        for (std::size_t k = 0; k < windows.size(); ++k) {
            EXPECT_EQ(windows[k].top, 3);
            EXPECT_LE(windows[k].members.size(), 40U);
            for (const Vertex v : windows[k].members) {
                EXPECT_EQ(window_of[index(v)], -1);
                window_of[index(v)] = static_cast<int>(k);
                const Vertex parent = tree.parent[index(v)];
                EXPECT_TRUE(parent == 3 || window_of[index(parent)] == static_cast<int>(k)) << "parents come first";
            }
        }
        EXPECT_EQ(std::count(window_of.begin(), window_of.end(), -1), 1) << "the root alone";
        cuts.push_back(windows);
    }
    EXPECT_NE(cuts[0].front().members, cuts[1].front().members);
}

TEST(BranchWindows, AreForShortBranchesUnderACapacityAlone) {
    const Instance instance = generate({.n = 120, .seed = 2});
    const auto size = [&](const ProblemOptions& limits) {
        return branch_window_size(*make_problem("tree", instance, limits), 100);
    };
    EXPECT_TRUE(size({.root = 0, .capacity = 8}));
    EXPECT_GE(*size({.root = 0, .capacity = 30}), 90U);
    EXPECT_FALSE(size({.root = 0, .capacity = 50}));
    EXPECT_FALSE(size({.root = 0, .hops = 4}));
    EXPECT_FALSE(size({.root = 0, .hops = 4, .capacity = 8}));
}

TEST(WindowProblem, TellsTheOwnDemandOfItsTopAndTheLoadsBelowOthers) {
    const Instance instance = generate({.n = 8, .seed = 3});
    const auto problem = make_problem("cmst", instance, {.root = 0, .capacity = 5});
    // 0 – 1 – 2 – 3 and 0 – 4, 0 – 5, 0 – 6 – 7; what hangs from 2 is a window of its own.
    const Tree tree{0, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {0, 5}, {0, 6}, {6, 7}}};
    const std::vector<TreeWindow> windows = {{2, {3}, 1}, {0, {1, 2, 4}, 0}, {0, {5, 6, 7}, 0}};
    const HangingTree hanging(*problem, tree);
    const BelowWindows below(*problem, hanging, windows);
    const WindowProblem first(*problem, hanging, below, windows[1], {});
    EXPECT_EQ(first.problem().spec().demands, (std::vector<double>{1, 1, 2, 1}));
    const WindowProblem second(*problem, hanging, below, windows[2], {});
    EXPECT_EQ(second.problem().spec().demands, (std::vector<double>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace neuroprim
