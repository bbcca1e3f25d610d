#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "search/rooted/rooted_window.hpp"
#include "search/rooted/window_cells.hpp"
#include "search/rooted/window_merge.hpp"
#include "search/rooted/windowed_worker.hpp"

namespace neuroprim {
namespace {

using namespace rooted;

struct WindowCase {
    std::string name;
    TreeSpec spec;
};

constexpr Vertex window_case_size = 400;

std::vector<WindowCase> window_cases() {
    const std::vector<int> degrees(window_case_size, 5);
    return {
        {"hops", {.root = 3, .hops = 5}},
        {"length", {.root = 3, .length = 1.5}},
        {"even diameter", {.diameter = 12}},
        {"odd diameter", {.diameter = 11}},
        {"hops and even diameter", {.root = 3, .hops = 8, .diameter = 12}},
        {"hops and odd diameter", {.root = 3, .hops = 7, .diameter = 11}},
        {"degree, hops and length", {.root = 3, .degrees = degrees, .hops = 12, .length = 2}},
        {"degree and diameter", {.degrees = degrees, .diameter = 14}},
        {"included edges and hops", {.root = 3, .hops = 6, .included_edges = {{5, 9}, {9, 11}}}},
    };
}

Tree first_tree_of(const Problem& problem) {
    return solve(problem, {.time_limit = {}, .max_iterations = 1}).tree;
}

TEST(RootedWindows, KeepTheLimitsTogetherAndSaveWhatTheyPromise) {
    const Instance instance = generate({.n = window_case_size, .seed = 21});
    const auto near = nearest_neighbours(instance.weights, 14);
    for (const auto& [name, spec] : window_cases()) {
        const Problem problem(instance, spec);
        ASSERT_TRUE(has_rooted_windows(problem)) << name;
        ResourceTree rooted(problem);
        rooted.load(first_tree_of(problem));
        std::vector<Vertex> parent;
        for (Vertex v = 0; v < problem.size(); ++v) parent.push_back(rooted.parent(v));
        TreeSnapshot tree(problem, rooted.root(), rooted.twin(), std::move(parent));
        double cost = rooted.cost();
        double all_gained = 0;
        double all_promised = 0;
        for (std::uint64_t pass = 0; pass < 6; ++pass) {
            const WindowCells cells = window_cells(problem, tree, 60, Random(7, pass));
            const WindowSetting setting{&problem, &near, &tree, &cells};
            std::vector<WindowChange> changes;
            double promised = 0;
            for (std::size_t k = 0; k < cells.count(); ++k) {
                const RootedWindow window(setting, static_cast<Vertex>(k));
                changes.push_back(window.improve({500, pass > 2}, Random(pass, k), {}));
                promised += changes.back().gain;
            }
            double gained = 0;
            tree = merged(problem, tree, changes, gained);
            Tree now{tree.root, {}};
            for (const Vertex v : tree.order) {
                if (v != tree.root) now.edges.push_back({tree.parent[index(v)], v});
            }
            const auto violation = problem.violation(now);
            ASSERT_FALSE(violation) << name << ", pass " << pass << ": " << *violation;
            EXPECT_LE(gained, promised + 1e-9) << name << ", pass " << pass;
            EXPECT_NEAR(problem.cost(now), cost - gained, 1e-9) << name << ", pass " << pass;
            cost -= gained;
            all_gained += gained;
            all_promised += promised;
        }
        EXPECT_GT(all_gained, 0.3 * all_promised) << name;
    }
}

TEST(RootedWindows, MovesThatBreakALimitTogetherAreTakenBack) {
    std::vector<double> lower;  // edges of the root weigh 10, all others 1
    for (Vertex u = 1; u < 6; ++u) {
        for (Vertex v = 0; v < u; ++v) lower.push_back(v == 0 ? 10 : 1);
    }
    Instance instance;
    instance.weights = Weights::from_lower_triangle(6, lower);
    const Problem problem(instance, TreeSpec{.root = 0, .hops = 3});
    const TreeSnapshot tree(problem, 0, no_vertex, {no_vertex, 0, 0, 0, 3, 0});
    const auto parents = [&](const std::vector<WindowChange>& changes, double& gained) {
        return merged(problem, tree, changes, gained).parent;
    };
    double gained = 0;
    // With 3 below 1, vertex 4 is three hops from the root; with 1 below 2, too, it is four.
    EXPECT_EQ(parents({{{{3, 1}}, 9, 1}, {{{1, 2}, {5, 2}}, 18, 1}}, gained),
              (std::vector<Vertex>{no_vertex, 0, 0, 0, 3, 2}));
    EXPECT_EQ(gained, 9);
    // 1 and 2 below each other; without that the second window saves nothing.
    EXPECT_EQ(parents({{{{1, 2}}, 9, 1}, {{{2, 1}, {4, 5}}, 9, 1}, {{{5, 3}}, 9, 1}}, gained),
              (std::vector<Vertex>{no_vertex, 0, 0, 0, 3, 3}));
    EXPECT_EQ(gained, 9);
}

TEST(RootedWindows, CellsHoldEveryVertexOnce) {
    const Instance points = generate({.n = 500, .seed = 4});
    std::vector<WeightedEdge> edges;
    for (Vertex v = 1; v < 500; ++v) edges.push_back({v / 2, v, 1});
    Instance graph;
    graph.weights = Weights::from_edges(500, std::move(edges));
    for (const Instance* instance : std::initializer_list<const Instance*>{&points, &graph}) {
        const Problem problem(*instance, TreeSpec{.root = 0, .hops = 400});
        std::vector<Vertex> parent(500, no_vertex);
        for (Vertex v = 1; v < 500; ++v) parent[index(v)] = v / 2;
        const TreeSnapshot tree(problem, 0, no_vertex, parent);
        const WindowCells cells = window_cells(problem, tree, 50, Random(3));
        std::vector<int> seen(500, 0);
        for (std::size_t k = 0; k < cells.count(); ++k) {
            EXPECT_LE(cells.of(k).size(), 50U);
            for (const Vertex v : cells.of(k)) {
                ++seen[index(v)];
                EXPECT_EQ(cells.cell[index(v)], static_cast<Vertex>(k));
            }
        }
        EXPECT_EQ(seen, std::vector<int>(500, 1));
    }
}

TEST(RootedWindows, TheTreeDoesNotDependOnTheThreads) {
    const Instance instance = generate({.n = 5000, .seed = 22});
    const Problem problem(instance, TreeSpec{.root = 0, .hops = 6});
    const auto near = nearest_neighbours(instance.weights, 14);
    const Tree first = first_tree_of(problem);
    std::vector<Tree> trees;
    for (const int threads : {1, 3}) {
        WindowedWorker worker(problem, near, threads, Random(5));
        worker.adopt(first);
        std::int64_t done = 0;
        for (int round = 0; round < 3; ++round) done += worker.run(8000, {});
        EXPECT_LE(done, 3 * 8000);
        EXPECT_GT(done, 5000 + 8000);  // a pass of one step for each vertex, and one of two
        EXPECT_LT(worker.cost(), problem.cost(first));
        EXPECT_NEAR(worker.cost(), problem.cost(worker.tree()), 1e-9);
        trees.push_back(worker.tree());
    }
    EXPECT_EQ(trees[0].edges, trees[1].edges);
}

}  // namespace
}  // namespace neuroprim
