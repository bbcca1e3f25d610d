#include "search/windows/tree_windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

/// Vertex v hangs from one of those before it: from one of the last `reach`, or from the first where it is 0.
Tree random_tree(Vertex n, Vertex reach, std::uint64_t seed) {
    Random random(seed);
    Tree tree{0, {}};
    for (Vertex v = 1; v < n; ++v) {
        const auto back =
            static_cast<Vertex>(random.below(static_cast<std::uint64_t>(std::min(v, std::max(reach, 1)))));
        tree.edges.push_back({reach == 0 ? 0 : v - 1 - back, v});
    }
    return tree;
}

TEST(TreeWindows, HoldEveryEdgeOnceAndNoMoreVerticesThanAsked) {
    for (const Vertex reach : {0, 1, 3, 50, 400}) {
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const Vertex n = 20 + static_cast<Vertex>(seed) * 71;
            const RootedTree tree = hang(random_tree(n, reach, seed), 0, n);
            const std::size_t most = 6 + 5 * seed;
            const auto windows = tree_windows(
                tree, {.most = most, .usual = most - seed % 3, .turn = 0.15 * static_cast<double>(seed), .rank = {}});
            std::vector<int> level(index(n), -1);
            std::vector<bool> is_member(index(n), false);
            for (const TreeWindow& window : windows) {
                EXPECT_LE(window.members.size() + 1, most);
                EXPECT_FALSE(window.members.empty());
                std::set<Vertex> inside = {window.top};
                for (const Vertex v : window.members) {
                    EXPECT_TRUE(inside.contains(tree.parent[index(v)])) << "not connected, or not in order";
                    EXPECT_FALSE(is_member[index(v)]);
                    is_member[index(v)] = true;
                    inside.insert(v);
                    level[index(v)] = window.level;
                }
            }
            EXPECT_EQ(std::count(is_member.begin(), is_member.end(), true), n - 1);
            std::size_t most_at_root = 0;
            std::size_t taking = 0;
            for (const TreeWindow& window : windows) {
                EXPECT_EQ(window.level, level[index(window.top)] + 1);
                if (window.top == 0) most_at_root = std::max(most_at_root, window.members.size());
                if (!window.has_spare_degree) continue;
                EXPECT_EQ(window.top, 0);
                taking += window.members.size();
            }
            EXPECT_EQ(taking, most_at_root) << "the largest window at the root, and no other";
        }
    }
}

TEST(TreeWindows, ArePartsOfAPathNearlyAsLargeAsAllowed) {
    const Vertex n = 1000;
    const auto windows =
        tree_windows(hang(random_tree(n, 1, 0), 0, n), {.most = 50, .usual = 50, .turn = 0, .rank = {}});
    EXPECT_LE(windows.size(), 22u);
}

TEST(TreeWindows, TakeTheChildrenOfAHubByRank) {
    const Vertex n = 101;
    std::vector<Vertex> rank(index(n));
    for (Vertex v = 0; v < n; ++v) rank[index(v)] = v * 37 % n;
    const RootedTree star = hang(random_tree(n, 0, 0), 0, n);
    for (const TreeWindow& window : tree_windows(star, {.most = 11, .usual = 11, .turn = 0, .rank = rank})) {
        ASSERT_EQ(window.members.size(), 10u);
        const auto by_rank = [&](Vertex a, Vertex b) { return rank[index(a)] < rank[index(b)]; };
        const auto [low, high] = std::minmax_element(window.members.begin(), window.members.end(), by_rank);
        EXPECT_EQ(rank[index(*high)] - rank[index(*low)], 9);
    }
}

}  // namespace
}  // namespace neuroprim
