// A rule or a cost as code beside a specification: both hold, against all trees of small graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

/// The heaviest edge counts ten times: a cost that is no sum over edges.
class Peaks final : public Problem {
public:
    Peaks(const Instance& instance, TreeSpec spec) : Problem(instance, std::move(spec), "peaks") {}
    [[nodiscard]] double cost(const Tree& tree) const override { return Problem::cost(tree) + 9 * peak(tree); }
    [[nodiscard]] bool cost_is_total_weight() const override { return false; }

private:
    [[nodiscard]] double peak(const Tree& tree) const {
        double most = 0;
        for (const auto& [u, v] : tree.edges) most = std::max(most, weights()(u, v));
        return most;
    }
};

/// Vertices of successive numbers are not joined.
class NoNeighbours final : public Problem {
public:
    NoNeighbours(const Instance& instance, TreeSpec spec) : Problem(instance, std::move(spec), "no-neighbours") {}
    [[nodiscard]] bool joins(const Construction& state, Vertex u, Vertex v) const override {
        return std::abs(u - v) != 1 && Problem::joins(state, u, v);
    }
    [[nodiscard]] bool has_pair_rule() const override { return true; }
};

bool has_no_neighbours(const Tree& tree) {
    return std::none_of(tree.edges.begin(), tree.edges.end(), [](const Edge& e) { return std::abs(e.u - e.v) == 1; });
}

bool has_anything(const Tree&) {
    return true;
}

/// Two or three limits, drawn anew.
TreeSpec random_limits(Vertex n, Random& random) {
    TreeSpec spec;
    spec.root = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
    if (random.below(2) == 0) spec.degrees.assign(index(n), 2 + static_cast<int>(random.below(2)));
    if (random.below(2) == 0) spec.hops = 2 + static_cast<int>(random.below(3));
    if (random.below(2) == 0) spec.capacity = 2 + static_cast<double>(random.below(4));
    if (random.below(3) == 0) spec.diameter = 3 + static_cast<int>(random.below(2));
    if (random.below(3) == 0) {
        spec.coverage = Coverage::terminals;
        spec.terminals = {1, 3, 5};
    }
    return spec;
}

template <class Hooked>
void expect_good_trees_that_keep_both(bool (*keeps)(const Tree&)) {
    Random random(17, 0);
    int feasible = 0;
    int optimal = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Instance instance = generate({.n = 6, .seed = seed});
        const TreeSpec spec = random_limits(instance.size(), random);
        const Hooked problem(instance, spec);
        double best = std::numeric_limits<double>::infinity();
        testing::for_each_candidate(problem, [&](const Tree& tree) {
            const bool fits = keeps(tree) && !violation(spec, instance, tree);
            EXPECT_EQ(!problem.violation(tree), fits) << describe(spec, instance);
            if (fits) best = std::min(best, problem.cost(tree));
        });
        if (std::isinf(best)) continue;
        ++feasible;
        const Solution solution = solve(problem, {.max_iterations = 400});
        EXPECT_GE(solution.cost, best - 1e-9) << describe(spec, instance);
        if (solution.cost < best + 1e-9) ++optimal;
        EXPECT_TRUE(keeps(solution.tree) && !violation(spec, instance, solution.tree));
    }
    EXPECT_GT(feasible, 15);
    EXPECT_GE(10 * optimal, 8 * feasible);  // edge exchange does not reach every tree
}

TEST(Hooks, ACostCombinesWithLimits) {
    expect_good_trees_that_keep_both<Peaks>(has_anything);
}

TEST(Hooks, ARuleCombinesWithLimits) {
    expect_good_trees_that_keep_both<NoNeighbours>(has_no_neighbours);
}

}  // namespace
}  // namespace neuroprim
