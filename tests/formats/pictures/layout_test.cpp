#include "formats/pictures/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "neuroprim/random.hpp"
#include "support/instances.hpp"

namespace neuroprim::formats {
namespace {

using testing::of_edges;
using testing::of_points;

/// Each vertex hangs from one of the `reach` vertices before it: a small reach gives deep, stringy trees.
Tree random_tree(Vertex n, Vertex reach, Random& random) {
    Tree tree{0, {}};
    for (Vertex v = 1; v < n; ++v) {
        const Vertex back = std::min(v, reach);
        const auto step = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(back)));
        tree.edges.push_back({v - 1 - step, v});
    }
    return tree;
}

std::vector<Point> drawn_edge(const TreeLayout& layout, Edge edge) {
    std::vector<Point> path{layout.at[static_cast<std::size_t>(edge.u)]};
    append_bends(path, layout, edge.u, edge.v);
    path.push_back(layout.at[static_cast<std::size_t>(edge.v)]);
    return path;
}

double side(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool cross(Point a, Point b, Point c, Point d) {
    constexpr double touching = 1e-9;
    return side(a, b, c) * side(a, b, d) < -touching && side(c, d, a) * side(c, d, b) < -touching;
}

int crossings(const TreeLayout& layout, const Tree& tree) {
    std::vector<std::pair<Point, Point>> pieces;
    for (const Edge edge : tree.edges) {
        const auto path = drawn_edge(layout, edge);
        for (std::size_t i = 1; i < path.size(); ++i) pieces.emplace_back(path[i - 1], path[i]);
    }
    int count = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (cross(pieces[i].first, pieces[i].second, pieces[j].first, pieces[j].second)) ++count;
        }
    }
    return count;
}

TEST(RadialLayout, DrawsRandomTreesWithoutCrossings) {
    Random random(1);
    for (const Vertex reach : {2, 5, 40, 200}) {
        for (int repetition = 0; repetition < 10; ++repetition) {
            const Tree tree = random_tree(120, reach, random);
            EXPECT_EQ(crossings(radial_layout(tree, 120), tree), 0) << "reach " << reach;
        }
    }
}

TEST(RadialLayout, GivesEveryVertexAPlaceOfItsOwn) {
    Random random(2);
    const Tree tree = random_tree(300, 50, random);
    auto at = radial_layout(tree, 300).at;
    for (auto& p : at) p = {std::round(p.x * 1e6), std::round(p.y * 1e6)};
    std::sort(at.begin(), at.end(), [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    EXPECT_EQ(std::adjacent_find(at.begin(), at.end()), at.end());
}

TEST(RadialLayout, PutsTheHubOfAStarInTheMiddle) {
    Tree star{1, {}};
    for (Vertex v = 0; v < 9; ++v) {
        if (v != 4) star.edges.push_back({4, v});
    }
    const auto at = radial_layout(star, 9).at;
    EXPECT_EQ(at[4], (Point{0, 0}));
    for (const std::size_t v : {0, 1, 2, 3, 5, 6, 7, 8}) EXPECT_NEAR(std::hypot(at[v].x, at[v].y), 1, 1e-12);
}

TEST(RadialLayout, WindsUpAPathWithEqualSteps) {
    Tree path{3, {}};
    for (Vertex v = 1; v < 500; ++v) path.edges.push_back({v - 1, v});
    const TreeLayout layout = radial_layout(path, 500);
    for (std::size_t v = 1; v < 500; ++v) {
        const Point a = layout.at[v - 1];
        const Point b = layout.at[v];
        EXPECT_NEAR(std::hypot(a.x - b.x, a.y - b.y), 1, 0.06);
    }
    EXPECT_EQ(crossings(layout, path), 0);
}

TEST(RadialLayout, TakesTheSmallestTrees) {
    EXPECT_TRUE(radial_layout({}, 0).at.empty());
    EXPECT_EQ(radial_layout({0, {}}, 1).at.size(), 1U);
    EXPECT_EQ(radial_layout({0, {{0, 1}}}, 2).at.size(), 2U);
    EXPECT_EQ(radial_layout({2, {{2, 0}}}, 4).at.size(), 4U);
}

TEST(PlanarPositions, ShrinkDegreesOfLongitudeAwayFromTheEquator) {
    const auto at = planar_positions(of_points({{10, 60}, {20, 60}}, Metric::great_circle));
    EXPECT_NEAR(at[1].x - at[0].x, 5, 1e-9);
    EXPECT_NEAR(at[0].y, 60, 1e-9);
}

TEST(PlanarPositions, TakeTsplibsFirstNumberForTheLatitude) {
    const auto at = planar_positions(of_points({{0.30, 10.00}, {-0.30, 20.00}}, Metric::geo));
    EXPECT_NEAR(at[0].y, 0.5, 1e-9);
    EXPECT_NEAR(at[1].x - at[0].x, 10, 1e-9);
}

TEST(PlanarPositions, AreThoseOfTheFileOnThePlane) {
    const std::vector<Point> points = {{1, 2}, {3, 5}};
    EXPECT_EQ(planar_positions(of_points(points)), points);
    EXPECT_TRUE(planar_positions(of_edges(2, {{0, 1, 1}})).empty());
}

TEST(SearchTree, HangsSeparatePartsTogether) {
    const Tree tree = search_tree(of_edges(5, {{0, 1, 1}, {2, 3, 1}, {3, 4, 1}, {2, 4, 1}}).weights);
    EXPECT_EQ(tree.edges.size(), 4U);
    EXPECT_EQ(hang(tree, 0, 5).order.size(), 5U);
}

}  // namespace
}  // namespace neuroprim::formats
