#include "search/windows/path_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "graph/shuffle.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "search/windows/path_edges.hpp"

namespace neuroprim {
namespace {

std::vector<Vertex> random_order(Vertex n, std::uint64_t seed) {
    Random random(seed);
    std::vector<Vertex> order(index(n));
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, random);
    return order;
}

TEST(PlacedPath, AddsThoseBeforeAndAfter) {
    const PlacedPath path({3, 0, 4, 1, 2, 5});
    EXPECT_EQ(path.with_neighbours(std::vector<Vertex>{5, 0}), (std::vector<Vertex>{3, 0, 4, 2, 5}));
    EXPECT_EQ(path.with_neighbours(std::vector<Vertex>{4, 1}), (std::vector<Vertex>{0, 4, 1, 2}));
}

TEST(PathEdges, LeaveOutWhatIsOnACycle) {
    const std::vector<Vertex> order = {0, 1, 2, 3, 4, 5};
    PathEdges edges(order);
    EXPECT_EQ(edges.order(), order);
    const std::vector<Edge> removed = {{1, 2}, {4, 5}};
    const std::vector<Edge> reversing = {{1, 4}, {2, 5}};
    const std::vector<Edge> closing = {{1, 5}, {2, 4}};
    edges.replace(removed, reversing);
    EXPECT_EQ(edges.order(), (std::vector<Vertex>{0, 1, 4, 3, 2, 5}));
    edges.replace(reversing, closing);
    EXPECT_EQ(edges.order(), (std::vector<Vertex>{0, 1, 5}));
    edges.replace(closing, removed);
    EXPECT_EQ(edges.order(), order);
}

/// Have both paths the same edges but for those between two members?
bool differs_at_most_in(const std::vector<Vertex>& members, const std::vector<Vertex>& path,
                        const std::vector<Vertex>& other) {
    std::vector<bool> is_member(path.size(), false);
    for (const Vertex v : members) is_member[index(v)] = true;
    const auto outer_edges = [&](const std::vector<Vertex>& order) {
        std::set<std::pair<Vertex, Vertex>> result;
        for (std::size_t k = 1; k < order.size(); ++k) {
            if (is_member[index(order[k - 1])] && is_member[index(order[k])]) continue;
            result.insert(std::minmax(order[k - 1], order[k]));
        }
        return result;
    };
    return outer_edges(path) == outer_edges(other);
}

/// By brute force: every path of the window, put in place, gives a path of all vertices that differs by as much; and
/// every way to join the members anew that leaves one path is a path of the window.
TEST(PathWindow, HasTheTreesThatKeepThePathWhole) {
    constexpr Vertex n = 9;
    const Instance instance = generate({.n = n, .seed = 4});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    const PlacedPath path(random_order(n, 5));
    const double before = problem->cost(path_in_order(path.order));
    const std::vector<std::vector<std::size_t>> windows = {{0, 1, 2, 3, 4},    {3, 4, 5, 6, 7}, {1, 2, 4, 5, 7},
                                                           {0, 1, 3, 4, 7, 8}, {0, 1, 2, 5, 6}, {2, 3, 5, 6, 7}};
    for (const auto& places : windows) {
        std::vector<Vertex> members;
        for (const std::size_t place : places) members.push_back(path.order[place]);
        const PathWindow window(*problem, path, members);
        EXPECT_EQ(window.problem().violation(window.tree()), std::nullopt);
        const double own = window.problem().cost(window.tree());
        std::vector<Vertex> order(members.size());
        std::iota(order.begin(), order.end(), 0);
        int kept = 0;
        do {
            if (order.front() > order.back()) continue;  // the same path
            const Tree tree = path_in_order(order);
            if (window.problem().violation(tree)) continue;
            ++kept;
            PathEdges edges(path.order);
            edges.replace(window.edges_of(window.tree()), window.edges_of(tree));
            const std::vector<Vertex> whole = edges.order();
            ASSERT_EQ(whole.size(), index(n));
            EXPECT_NEAR(problem->cost(path_in_order(whole)) - before, window.problem().cost(tree) - own, 1e-12);
        } while (std::next_permutation(order.begin(), order.end()));
        int possible = 0;
        std::vector<Vertex> all(index(n));
        std::iota(all.begin(), all.end(), 0);
        do {
            possible += all.front() < all.back() && differs_at_most_in(members, path.order, all);
        } while (std::next_permutation(all.begin(), all.end()));
        EXPECT_EQ(kept, possible);
        EXPECT_GT(kept, 1);
    }
}

}  // namespace
}  // namespace neuroprim
