#include "bounds/ng_branches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "bounds/branch_relaxation.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

constexpr double no_branches = std::numeric_limits<double>::infinity();

/// Random costs for branches below the root 0 of a few vertices, with a price that rises with the load.
struct RandomBranches {
    std::size_t n;
    BranchLoads loads;
    PaddedTable weights;
    PaddedTable discounts;
    std::vector<double> reward;

    RandomBranches(std::size_t size, std::uint64_t seed)
        : n(size), weights(size, size, no_branches), discounts(size, size, 0), reward(size, 0) {
        Random random(seed);
        loads.most = 4 + static_cast<int>(random.below(4));
        for (std::size_t v = 0; v < n; ++v) {
            loads.units.push_back(v == 0 ? 0 : 1 + static_cast<int>(random.below(2)));
            loads.total += loads.units.back();
            reward[v] = v == 0 ? 0 : random.uniform();
            for (std::size_t u = 0; u < v; ++u) {
                weights[u][v] = weights[v][u] = random.below(8) == 0 && u > 0 ? no_branches : random.uniform();
                discounts[u][v] = discounts[v][u] = 0.5 * random.uniform();
            }
        }
        for (int q = 0; q <= loads.most; ++q) loads.price.push_back(q <= 2 ? 1 : 1.5);
    }

    [[nodiscard]] double edge(std::size_t u, std::size_t v, int q) const {
        return weights[u][v] * loads.price[static_cast<std::size_t>(q)] - discounts[u][v];
    }
};

/// The least cost of branches none of which holds a vertex twice, over all sets of vertices.
double branches_without_repeats(const RandomBranches& given) {
    const std::size_t sets = std::size_t{1} << given.n;
    const auto units = [&](std::size_t set) {
        int sum = 0;
        for (std::size_t v = 0; v < given.n; ++v) sum += (set >> v & 1) != 0 ? given.loads.units[v] : 0;
        return sum;
    };
    std::vector<std::vector<double>> tree(given.n, std::vector<double>(sets, no_branches));  // by top and vertices
    std::vector<double> total(static_cast<std::size_t>(given.loads.total) + 1, no_branches);
    std::vector<double> branch(static_cast<std::size_t>(given.loads.most) + 1, no_branches);
    const auto hung = [&](std::size_t from, std::size_t set) {
        double least = no_branches;
        for (std::size_t u = 1; u < given.n; ++u) {
            if ((set >> u & 1) != 0) least = std::min(least, given.edge(from, u, units(set)) + tree[u][set]);
        }
        return least;
    };
    for (std::size_t set = 2; set < sets; set += 2) {
        if (units(set) > given.loads.most) continue;
        for (std::size_t v = 1; v < given.n; ++v) {
            if ((set >> v & 1) == 0) continue;
            const std::size_t others = set ^ (std::size_t{1} << v);
            if (others == 0) tree[v][set] = -given.reward[v];
            for (std::size_t below = others; below != 0; below = (below - 1) & others) {
                tree[v][set] = std::min(tree[v][set], tree[v][set ^ below] + hung(v, below));
            }
        }
        double& least = branch[static_cast<std::size_t>(units(set))];
        least = std::min(least, hung(0, set));
    }
    total[0] = 0;
    for (std::size_t sum = 1; sum < total.size(); ++sum) {
        for (std::size_t q = 1; q < std::min(sum + 1, branch.size()); ++q) {
            total[sum] = std::min(total[sum], branch[q] + total[sum - q]);
        }
    }
    return total.back();
}

TEST(NgBranches, WithoutMemoriesAreThoseThatMayRepeatVertices) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const RandomBranches given(8, seed);
        NgBranches branches(given.weights, 0, given.loads);
        BranchRelaxation plain(given.weights, 0, given.loads);
        EXPECT_NEAR(branches.solve(given.discounts, given.reward), plain.solve(given.discounts, given.reward), 1e-12);
    }
}

TEST(NgBranches, LearnUntilNoVertexComesTwiceInABranch) {
    int lessons = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const RandomBranches given(6, seed);  // four other vertices fit into every memory
        const double best = branches_without_repeats(given);
        NgBranches branches(given.weights, 0, given.loads);
        double value = branches.solve(given.discounts, given.reward);
        while (branches.learn()) {
            ++lessons;
            const double before = value;
            value = branches.solve(given.discounts, given.reward);
            ASSERT_GE(value, before - 1e-12) << seed;
            ASSERT_LE(value, best + 1e-12) << seed;
        }
        EXPECT_NEAR(value, best, 1e-12) << seed;
    }
    EXPECT_GT(lessons, 40);
}

TEST(NgBranches, HaveEdgesThatCarryAllUnits) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const RandomBranches given(9, seed);
        NgBranches branches(given.weights, 0, given.loads);
        for (int lesson = 0; lesson < 5; ++lesson) {
            if (branches.solve(given.discounts, given.reward) == no_branches) break;
            int units = 0;
            for (const auto& [u, v] : branches.edges()) {
                units += given.loads.units[index(v)];
                EXPECT_LT(given.weights[index(u)][index(v)], no_branches);
            }
            EXPECT_EQ(units, given.loads.total);
            branches.learn();
        }
    }
}

}  // namespace
}  // namespace neuroprim
