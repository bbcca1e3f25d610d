#include "bounds/capacity_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "bounds/branch_loads.hpp"
#include "bounds/branch_relaxation.hpp"
#include "neuroprim/bounds.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Instance capacity_instance(std::uint64_t seed) {
    return testing::small_instance(static_cast<Vertex>(3 + seed % 4), seed);
}

/// Unit, whole, large, real and zero demands; a capacity or cables or both; sometimes a second limit.
TreeSpec capacity_spec(const Instance& instance, Random& random) {
    TreeSpec spec;
    spec.root = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(instance.size())));
    const std::uint64_t kind = random.below(5);
    double largest = 1;
    for (Vertex v = 0; v < instance.size() && kind > 0; ++v) {
        double demand = static_cast<double>(1 + random.below(4));
        if (kind == 2) demand = static_cast<double>(1 + random.below(900));
        if (kind == 3) demand = 0.01 + random.uniform();
        if (kind == 4) demand = static_cast<double>(random.below(3));
        spec.demands.push_back(demand);
        if (v != *spec.root) largest = std::max(largest, demand);
    }
    const double capacity =
        kind == 0 ? static_cast<double>(1 + random.below(4)) : largest * (1 + 2 * random.uniform());
    if (random.below(3) == 0) {
        spec.objective = Objective::cables;
        spec.cables = {{capacity / 3, 1}, {capacity / 2, 1.4}, {capacity, 2.5}};
    } else {
        spec.capacity = capacity;
    }
    if (random.below(4) == 0) spec.hops = 2;
    return spec;
}

TEST(CapacityBound, IsNeverAboveTheOptimum) {
    int compared = 0;
    double sum_of_bounds = 0;
    double sum_of_optima = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Instance instance = capacity_instance(seed);
        Random random(seed, 3);
        const Problem problem(instance, capacity_spec(instance, random));
        const auto least = testing::optimum(problem);
        if (!least) continue;
        for (const double upper : {*least, infinite}) {
            for (const auto make : {make_capacity_bound, make_bound_process}) {
                const auto process = make(problem);
                if (process == nullptr) continue;
                double last = 0;
                for (int slice = 0; slice < 3 && process->advance(upper, {}); ++slice) {
                    EXPECT_GE(process->value(), last);
                    last = process->value();
                }
                EXPECT_LE(process->value(), *least * (1 + 1e-9)) << "seed " << seed << ", upper " << upper;
                ++compared;
                sum_of_bounds += process->value() / *least;
                sum_of_optima += 1;
            }
        }
    }
    EXPECT_GT(compared, 120);
    EXPECT_GT(sum_of_bounds, 0.9 * sum_of_optima);
}

/// The least cost of branches from the definition: f(v, q) over all ways to divide q among v and one child more.
double plain_branches(const PaddedTable& weights, const PaddedTable& discounts, Vertex root, const BranchLoads& loads,
                      const std::vector<double>& reward, int hops) {
    const auto n = static_cast<Vertex>(loads.units.size());
    const std::function<double(Vertex, int, int)> subtree = [&](Vertex v, int q, int height) {
        double least = q == loads.units[index(v)] ? -reward[index(v)] : infinite;
        for (int below = 1; below < q && height > 0; ++below) {
            if (q - below < loads.units[index(v)]) break;
            double child = infinite;
            for (Vertex u = 0; u < n; ++u) {
                if (u == v || u == root) continue;
                child = std::min(child, weights[index(v)][index(u)] * loads.price[static_cast<std::size_t>(below)] -
                                            discounts[index(v)][index(u)] + subtree(u, below, height - 1));
            }
            least = std::min(least, subtree(v, q - below, height) + child);
        }
        return least;
    };
    std::vector<double> total(static_cast<std::size_t>(loads.total) + 1, infinite);
    total[0] = 0;
    for (int q = 1; q <= loads.most; ++q) {
        double branch = infinite;
        for (Vertex v = 0; v < n; ++v) {
            if (v == root) continue;
            branch = std::min(branch, weights[index(root)][index(v)] * loads.price[static_cast<std::size_t>(q)] -
                                          discounts[index(root)][index(v)] + subtree(v, q, hops - 1));
        }
        // Any number of branches of each size, in any order: sizes one after the other.
        for (int units = q; units <= loads.total; ++units) {
            const auto at = static_cast<std::size_t>(units);
            total[at] = std::min(total[at], branch + total[at - static_cast<std::size_t>(q)]);
        }
    }
    return total.back();
}

TEST(BranchRelaxation, EqualsItsDefinitionAndItsEdgesAddUp) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed, 4);
        const auto n = static_cast<Vertex>(3 + random.below(3));
        const Vertex root = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
        BranchLoads loads;
        loads.most = static_cast<int>(2 + random.below(4));
        for (Vertex v = 0; v < n; ++v) {
            loads.units.push_back(v == root ? 0 : static_cast<int>(1 + random.below(2)));
            loads.total += loads.units.back();
        }
        for (int q = 0; q <= loads.most; ++q) loads.price.push_back(1 + 0.3 * q);
        PaddedTable weights(index(n), index(n), infinite);
        PaddedTable discounts(index(n), index(n), 0);
        std::vector<double> reward;
        for (Vertex u = 0; u < n; ++u) {
            reward.push_back(u == root ? 0 : random.uniform());
            for (Vertex v = 0; v < u; ++v) {
                weights[index(u)][index(v)] = weights[index(v)][index(u)] = random.uniform();
                discounts[index(u)][index(v)] = discounts[index(v)][index(u)] = random.uniform() - 0.5;
            }
        }
        // Up to six hops are more than some branches can have.
        std::optional<int> hops;
        if (random.below(4) != 0) hops = static_cast<int>(1 + random.below(6));
        BranchRelaxation relaxation(weights, root, loads, hops);
        const double cost = relaxation.solve(discounts, reward);
        const double plain = plain_branches(weights, discounts, root, loads, reward, hops.value_or(100));
        if (plain == infinite) {
            EXPECT_EQ(cost, infinite);
            continue;
        }
        EXPECT_NEAR(cost, plain, 1e-12) << "seed " << seed;
        int units = 0;
        for (const auto& [parent, v] : relaxation.edges()) units += loads.units[index(v)];
        EXPECT_EQ(units, loads.total);
        if (hops == 1) {
            for (const auto& [parent, v] : relaxation.edges()) EXPECT_EQ(parent, root);
        }
    }
}

TEST(CapacityBound, ComesNearTheTreesOfForty) {
    // A star of short branches is optimal when the root is the centre of far pairs: nothing else keeps capacity 2.
    std::vector<Point> points = {{0, 0}};
    for (int k = 0; k < 20; ++k) {
        const double angle = 2 * std::numbers::pi * k / 20;
        points.push_back({std::cos(angle), std::sin(angle)});
        points.push_back({1.01 * std::cos(angle), 1.01 * std::sin(angle)});
    }
    Instance instance;
    instance.weights = Weights::from_points(points);
    const auto problem = make_problem("cmst", instance, {.root = 0, .capacity = 2.0});
    const double optimum = 20 * 1.01;
    const auto process = make_capacity_bound(*problem);
    for (int slice = 0; slice < 20 && process->advance(optimum, {}); ++slice) {
    }
    EXPECT_LE(process->value(), optimum * (1 + 1e-9));
    EXPECT_GT(process->value(), 0.99 * optimum);
    EXPECT_LT(lower_bound(*problem).value(), 0.7 * optimum);
}

TEST(CapacityBound, RisesWithFinerUnits) {
    // Three vertices are too heavy for a branch, but not in units of 3.01, rounded down.
    Instance instance;
    instance.weights = Weights::from_points({{0, 0}, {10, 0}, {10, 1}, {10, 2}, {10, 3}, {10, 4}});
    TreeSpec spec;
    spec.root = 0;
    spec.capacity = 301;
    spec.demands.assign(6, 101);
    const Problem problem(instance, spec);
    const double least = testing::optimum(problem).value();
    const auto process = make_capacity_bound(problem);
    process->advance(least, {});
    EXPECT_LT(process->value(), 0.8 * least);
    while (process->advance(least, {})) {
    }
    EXPECT_GT(process->value(), 0.99 * least);
    EXPECT_LE(process->value(), least * (1 + 1e-9));
}

TEST(CapacityBound, StopsWhenItIsTold) {
    const Instance instance = generate({.n = 200, .seed = 5});
    const auto problem = make_problem("cmst", instance, {.root = 0, .capacity = 10.0});
    const auto process = make_capacity_bound(*problem);
    const StopToken expired(StopToken::Clock::now(), {});
    EXPECT_TRUE(process->advance(infinite, expired));
    EXPECT_EQ(process->value(), 0);
}

TEST(BranchLoads, AreWholeWhereDemandsAreAndRoundedDownElsewhere) {
    const Instance instance = generate({.n = 5, .seed = 1});
    TreeSpec spec;
    spec.root = 0;
    spec.capacity = 3;
    const auto ones = branch_loads(Problem(instance, spec));
    ASSERT_TRUE(ones.has_value());
    EXPECT_EQ(ones->most, 3);
    EXPECT_EQ(ones->units, (std::vector<int>{0, 1, 1, 1, 1}));
    spec.demands = {9, 150, 299.5, 101, 100};
    spec.capacity = 300;
    const auto large = branch_loads(Problem(instance, spec));
    ASSERT_TRUE(large.has_value());
    EXPECT_EQ(large->most, 100);
    EXPECT_EQ(large->units[0], 0);
    for (std::size_t v = 1; v < 5; ++v) {
        EXPECT_LE(large->units[v] * 3.0, spec.demands[v]);
        EXPECT_GT(large->units[v] * 3.0, spec.demands[v] - 3.1);
    }
    const auto fine = branch_loads(Problem(instance, spec), 4);
    ASSERT_TRUE(fine.has_value());
    EXPECT_EQ(fine->most, 400) << "a demand is not whole";
    spec.demands[2] = 300;
    const auto exact = branch_loads(Problem(instance, spec), 4);
    EXPECT_TRUE(exact->is_exact);
    EXPECT_EQ(exact->units, (std::vector<int>{0, 150, 300, 101, 100}));
    spec.demands = {};
    spec.capacity = 4;
    EXPECT_FALSE(branch_loads(Problem(instance, spec)).has_value()) << "nothing is limited";
}

TEST(BranchLoads, CountVerticesWithoutDemandBesideTheCapacity) {
    const Instance instance = generate({.n = 6, .seed = 1});
    TreeSpec spec;
    spec.root = 0;
    spec.capacity = 5;
    spec.demands = {7, 0, 3, 4, 0, 5};
    const auto loads = branch_loads(Problem(instance, spec));
    ASSERT_TRUE(loads.has_value());
    EXPECT_EQ(loads->most, 7);
    EXPECT_EQ(loads->units, (std::vector<int>{0, 1, 3, 4, 1, 5}));
}

}  // namespace
}  // namespace neuroprim
