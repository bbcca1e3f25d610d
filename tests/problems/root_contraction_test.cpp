#include "problems/root_contraction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {

namespace {

/// Calls `visit(parents)` for every way to give each vertex but the roots a parent so that all lead to a root.
void for_each_forest(const Instance& instance, const std::vector<Vertex>& roots,
                     const std::function<void(const std::vector<Vertex>&)>& visit) {
    const Vertex n = instance.size();
    std::vector<Vertex> parent(index(n), no_vertex);
    const auto leads_to_root = [&](Vertex v) {
        for (Vertex steps = 0; steps < n && parent[index(v)] != no_vertex; ++steps) v = parent[index(v)];
        return std::find(roots.begin(), roots.end(), v) != roots.end();
    };
    const std::function<void(Vertex)> choose = [&](Vertex v) {
        if (v == n) {
            for (Vertex u = 0; u < n; ++u) {
                if (!leads_to_root(u)) return;
            }
            return visit(parent);
        }
        if (std::find(roots.begin(), roots.end(), v) != roots.end()) return choose(v + 1);
        for (Vertex u = 0; u < n; ++u) {
            if (u == v || !instance.weights.has_edge(u, v)) continue;
            parent[index(v)] = u;
            choose(v + 1);
            parent[index(v)] = no_vertex;
        }
    };
    choose(0);
}

/// What a forest is by definition, from the parent of each vertex.
struct Facts {
    double length = 0;
    double cables = 0;
    int hops = 0;
    double farthest = 0;
    double heaviest_branch = 0;
};

Facts facts_of(const Instance& instance, const TreeSpec& spec, const std::vector<Vertex>& parent) {
    Facts facts;
    std::vector<double> load(parent.size(), 0);
    for (std::size_t v = 0; v < parent.size(); ++v) {
        int hops = 0;
        double way = 0;
        for (auto u = static_cast<Vertex>(v); parent[index(u)] != no_vertex; u = parent[index(u)]) {
            ++hops;
            way += instance.weights(u, parent[index(u)]);
            load[index(u)] += spec.demand(static_cast<Vertex>(v));
        }
        facts.hops = std::max(facts.hops, hops);
        facts.farthest = std::max(facts.farthest, way);
    }
    for (std::size_t v = 0; v < parent.size(); ++v) {
        if (parent[v] == no_vertex) continue;
        const double weight = instance.weights(static_cast<Vertex>(v), parent[v]);
        facts.length += weight;
        facts.cables += weight * spec.cable_price(load[v]);
        if (parent[index(parent[v])] == no_vertex) facts.heaviest_branch = std::max(facts.heaviest_branch, load[v]);
    }
    return facts;
}

Tree forest_of(const std::vector<Vertex>& parent, Vertex start) {
    Tree forest{start, {}};
    for (std::size_t v = 0; v < parent.size(); ++v) {
        if (parent[v] != no_vertex) forest.edges.push_back({parent[v], static_cast<Vertex>(v)});
    }
    return forest;
}

TreeSpec random_forest_spec(Random& random, const Instance& instance) {
    TreeSpec spec;
    spec.root = 1;
    spec.other_roots = {4};
    if (random.below(2) == 0) spec.hops = 1 + static_cast<int>(random.below(3));
    if (random.below(3) == 0) spec.length = 0.3 + random.uniform();
    if (random.below(2) == 0) spec.capacity = 2 + static_cast<double>(random.below(3));
    if (random.below(2) == 0) {
        spec.objective = Objective::cables;
        spec.cables = {{1, 1}, {3, 1.5}, {5, 4}};
    }
    if (random.below(2) == 0) {
        for (Vertex v = 0; v < instance.size(); ++v) spec.demands.push_back(1 + static_cast<double>(random.below(2)));
    }
    return spec;
}

Instance nearly_complete_graph(std::uint64_t seed) {
    Instance instance = generate({.n = 6, .seed = seed});
    if (seed % 3 != 0) return instance;
    std::vector<WeightedEdge> edges = instance.weights.edges();
    edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(seed % edges.size()));
    instance.weights = Weights::from_edges(6, std::move(edges));
    return instance;
}

/// More points than a matrix is made for: near edges are enough for the shortest forest, whose length is that of the
/// spanning tree in which the roots are joined at no cost.
TEST(RootContraction, OfManyPointsKeepsTheShortestForest) {
    const Instance instance = generate({.n = 10'500, .seed = 3});
    TreeSpec spec;
    spec.root = 5;
    spec.other_roots = {77, 5000};
    const RootContraction contraction(spec, instance);
    EXPECT_FALSE(contraction.has_all_edges());
    EXPECT_EQ(contraction.instance().weights.form(), Weights::Form::sparse);
    std::vector<double> nearest(index(instance.size()),
                                Weights::infinity);  // Prim's algorithm from all roots at once
    std::vector<bool> is_inside(index(instance.size()));
    double expected = 0;
    for (const Vertex root : spec.roots()) nearest[index(root)] = 0;
    for (Vertex steps = 0; steps < instance.size(); ++steps) {
        Vertex next = no_vertex;
        for (Vertex v = 0; v < instance.size(); ++v) {
            if (!is_inside[index(v)] && (next == no_vertex || nearest[index(v)] < nearest[index(next)])) next = v;
        }
        is_inside[index(next)] = true;
        expected += nearest[index(next)];
        for (Vertex v = 0; v < instance.size(); ++v) {
            nearest[index(v)] = std::min(nearest[index(v)], instance.weights(next, v));
        }
    }
    const Problem one_root(contraction.instance(), contraction.spec());
    EXPECT_NEAR(*lower_bound(one_root), expected, 1e-9 * expected);
}

TEST(RootContraction, OfManyPointsProvesNoMoreThanTheSpanningTree) {
    const Instance instance = generate({.n = 10'500, .seed = 4});
    ProblemOptions options;
    options.root = 5;
    options.other_roots = {77, 5000};
    options.capacity = 50;
    const auto problem = make_problem("cmst", instance, options);
    SolveOptions solve_options;
    solve_options.max_iterations = 100;
    const Solution solution = solve(*problem, solve_options);
    EXPECT_FALSE(problem->violation(solution.tree));
    ASSERT_TRUE(solution.bound);
    TreeSpec spec;
    spec.root = 5;
    spec.other_roots = {77, 5000};
    EXPECT_LE(*solution.bound, *lower_bound(Problem(instance, spec)) * (1 + 1e-12));
    EXPECT_LT(*solution.bound, solution.cost);
}

}  // namespace

TEST(SeveralRoots, AreJudgedPricedAndSolvedAsTheDefinitionSays) {
    int feasible_specifications = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        Random random(seed);
        const Instance instance = nearly_complete_graph(seed);
        const TreeSpec spec = random_forest_spec(random, instance);
        const Problem problem(instance, spec);
        double best = Weights::infinity;
        for_each_forest(instance, spec.roots(), [&](const std::vector<Vertex>& parent) {
            const Facts facts = facts_of(instance, spec, parent);
            const Tree forest = forest_of(parent, 1);
            const bool is_feasible = (!spec.hops || facts.hops <= *spec.hops) &&
                                     (!spec.length || facts.farthest <= *spec.length) &&
                                     facts.heaviest_branch <= spec.branch_capacity();
            ASSERT_EQ(!problem.violation(forest), is_feasible) << seed;
            if (!is_feasible) return;
            const double cost = spec.objective == Objective::cables ? facts.cables : facts.length;
            ASSERT_NEAR(problem.cost(forest), cost, 1e-9);
            best = std::min(best, cost);
        });
        if (std::isinf(best)) {
            EXPECT_THROW((void)solve(problem, {.max_iterations = 300}), Infeasible);
            continue;
        }
        ++feasible_specifications;
        const Solution solution = solve(problem, {.max_iterations = 2000});
        EXPECT_EQ(problem.violation(solution.tree), std::nullopt);
        EXPECT_NEAR(solution.cost, best, 1e-9) << describe(spec, instance);
        ASSERT_TRUE(solution.bound);
        EXPECT_LE(*solution.bound, best + 1e-9);
        EXPECT_LE(lower_bound(problem).value_or(0), best + 1e-9);
        EXPECT_EQ(solution.tree.edges.size(), 4U);
        EXPECT_EQ(solution.roots(), spec.roots());
    }
    EXPECT_GT(feasible_specifications, 40);
}

TEST(SeveralRoots, NeedNoLimits) {
    const Instance instance = generate({.n = 40, .seed = 5});
    const auto problem = make_problem("mst", instance, {.root = 3, .other_roots = {7, 20}});
    const Solution forest = solve(*problem, {.time_limit = 1});
    EXPECT_EQ(forest.tree.edges.size(), 37U);
    EXPECT_TRUE(forest.proven());
    EXPECT_EQ(forest.specification, "shortest forest, from 3 roots (3, 7, 20)");
    EXPECT_LT(forest.cost, solve(Problem(instance)).cost);
}

TEST(SeveralRoots, StayApart) {
    const Instance instance = generate({.n = 5, .seed = 1});
    const Problem problem(instance, {.root = 0, .other_roots = {1}, .hops = 4});
    EXPECT_EQ(problem.violation({0, {{0, 2}, {2, 1}, {1, 3}, {3, 4}}}), "roots 0 and 1 are in one tree");
    EXPECT_EQ(problem.violation({0, {{0, 2}, {3, 4}}}), "not connected: edge 3-4 is in a tree without a root");
    EXPECT_EQ(problem.violation({0, {{0, 2}, {2, 3}}}), "not connected: vertex 4 is not in the tree");
    EXPECT_EQ(problem.violation({0, {{0, 2}, {2, 3}, {3, 4}}}), std::nullopt);
}

TEST(SeveralRoots, KeepIncludedAndExcludedEdges) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.n = 12, .seed = seed});
        TreeSpec spec{.root = 0, .other_roots = {5, 9}, .capacity = 4.0};
        spec.included_edges = {{9, 3}, {2, 4}};
        spec.excluded_edges = {{0, 1}, {5, 1}, {6, 7}};
        const Problem problem(instance, spec);
        EXPECT_EQ(problem.violation(solve(problem, {.max_iterations = 200}).tree), std::nullopt);
    }
}

TEST(SeveralRoots, GoOnFromAForestAndTellForests) {
    const Instance instance = generate({.n = 30, .seed = 3});
    const Problem problem(instance, {.root = 0, .other_roots = {11}, .capacity = 5.0});
    const Solution first = solve(problem, {.max_iterations = 20});
    int told = 0;
    SolveOptions options{.max_iterations = 500, .warm_start = first.tree};
    options.watcher = [&](const SearchState& state, std::string_view) {
        ++told;
        ASSERT_NE(state.tree, nullptr);
        EXPECT_EQ(problem.violation(*state.tree), std::nullopt);
        EXPECT_NEAR(problem.cost(*state.tree), state.cost, 1e-9);
    };
    EXPECT_LE(solve(problem, options).cost, first.cost + 1e-12);
    EXPECT_GT(told, 0);
}

TEST(SeveralRoots, RefuseWhatIsOfOneTree) {
    const Instance instance = generate({.n = 6, .seed = 1});
    const auto refused = [&](const TreeSpec& spec) {
        try {
            check(spec, instance);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refused({.root = 0, .other_roots = {1}, .diameter = 3}),
              "a diameter is of one tree: give one root, not several");
    EXPECT_EQ(refused({.objective = Objective::routing_cost, .root = 0, .other_roots = {1}}),
              "sums over pairs need one tree: give one root, not several");
    EXPECT_EQ(refused({.root = 0, .other_roots = {1}, .degrees = std::vector<int>(6, 2)}),
              "degree limit 2 at root 0: with several roots only other vertices may have one (a limit per vertex in "
              "the input)");
    EXPECT_EQ(refused({.root = 2, .other_roots = {1, 2}}), "root 2 is given twice");
    EXPECT_EQ(refused({.root = 2, .other_roots = {6}}), "root 6 is not among the 6 vertices");
}

}  // namespace neuroprim
