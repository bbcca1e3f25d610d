#include "problems/crossings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {

namespace {

using Way = std::vector<Point>;

/// By the parameters of the point where the lines meet, not by sides.
bool meet_inside(const PlaneSegment& a, const PlaneSegment& b) {
    const Point p{a.to.x - a.from.x, a.to.y - a.from.y};
    const Point q{b.to.x - b.from.x, b.to.y - b.from.y};
    const double det = p.x * q.y - p.y * q.x;
    if (det == 0) return false;
    const Point r{b.from.x - a.from.x, b.from.y - a.from.y};
    const double s = (r.x * q.y - r.y * q.x) / det;
    const double t = (r.x * p.y - r.y * p.x) / det;
    constexpr double rounding = 1e-12;
    return s > rounding && s < 1 - rounding && t > rounding && t < 1 - rounding;
}

std::size_t count_of_crossings(const Instance& instance, const Tree& tree) {
    const auto points = instance.weights.points();
    std::size_t count = 0;
    for (std::size_t i = 0; i < tree.edges.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const auto segment = [&](const Edge& e) { return PlaneSegment{points[index(e.u)], points[index(e.v)]}; };
            count += meet_inside(segment(tree.edges[i]), segment(tree.edges[j])) ? 1 : 0;
        }
    }
    return count;
}

Tree random_recursive_tree(Random& random, Vertex n) {
    Tree tree;
    for (Vertex v = 1; v < n; ++v) tree.edges.push_back({static_cast<Vertex>(random.below(index(v))), v});
    return tree;
}

}  // namespace

TEST(Crossings, TouchingIsNotCrossing) {
    EXPECT_TRUE(properly_cross({{0, 0}, {2, 2}}, {{0, 2}, {2, 0}}));
    EXPECT_FALSE(properly_cross({{0, 0}, {2, 2}}, {{2, 2}, {3, 0}}));
    EXPECT_FALSE(properly_cross({{0, 0}, {2, 0}}, {{1, 0}, {1, 5}}));  // ends on the other
    EXPECT_FALSE(properly_cross({{0, 0}, {2, 0}}, {{1, 0}, {3, 0}}));  // along the same line
    EXPECT_FALSE(properly_cross({{0, 0}, {1, 1}}, {{2, 0}, {0, 3}}));
}

TEST(Crossings, WaysThatBendAtTheSameCornerCrossWhereTheyChangeSides) {
    const Way roof = {{-2, -1}, {0, 0}, {2, -1}};
    EXPECT_FALSE(ways_cross(roof, Way{{-1, -2}, {0, 0}, {1, -2}})) << "below";
    EXPECT_FALSE(ways_cross(roof, Way{{-2, 1}, {0, 0}, {2, 1}})) << "above";
    EXPECT_TRUE(ways_cross(roof, Way{{-2, -1.5}, {0, 0}, {2, -0.5}}));
    EXPECT_TRUE(ways_cross(roof, Way{{-1, -2}, {1, 2}})) << "straight through the corner";
    EXPECT_FALSE(ways_cross(roof, Way{{-2, 0}, {2, 0}})) << "touches the corner from above";
    EXPECT_FALSE(ways_cross(roof, Way{{-2, -3}, {0, 0}})) << "ends at the corner";
    EXPECT_FALSE(ways_cross(roof, Way{{-2, -1}, {0, 0}, {3, 3}})) << "from the same vertex";
    const Way wall = {{-2, -1}, {0, 0}, {3, 0}, {5, -1}};
    EXPECT_FALSE(ways_cross(wall, Way{{-2, -3}, {0, 0}, {3, 0}, {5, -3}}));
    EXPECT_TRUE(ways_cross(wall, Way{{-2, -3}, {0, 0}, {3, 0}, {5, 3}}));
    EXPECT_TRUE(ways_cross(wall, Way{{-2, -3}, {0, 0}, {1, 0}, {1, 3}})) << "leaves within the stretch";
    EXPECT_FALSE(ways_cross(wall, Way{{-2, -3}, {0, 0}, {1, 0}, {1, -3}}));
}

TEST(Crossings, OfWaysWithCommonCornersAreThoseThatNoSmallShiftCanUndo) {
    // A shift of the corners of one way changes the number of places where segments cross by two or not at all.
    Random random(4);
    const auto somewhere = [&](double x) {
        return Point{x + static_cast<double>(random.below(7)) - 3, static_cast<double>(random.below(13)) - 6.5};
    };
    int crossed = 0;
    for (int round = 0; round < 3000; ++round) {
        const bool has_wall = round % 2 == 1;
        Way a = {somewhere(-4.3), {0, 0}, somewhere(8.7)};
        Way b = {somewhere(-4.6), {0, 0}, somewhere(8.4)};
        if (has_wall) {
            for (Way* way : {&a, &b}) way->insert(way->begin() + 2, {4, 0});
        }
        if (round % 3 == 0) std::reverse(b.begin(), b.end());
        const auto proper = [&](const Way& way) {
            int count = 0;
            for (std::size_t i = 1; i < a.size(); ++i) {
                for (std::size_t j = 1; j < way.size(); ++j) {
                    count += properly_cross({a[i - 1], a[i]}, {way[j - 1], way[j]}) ? 1 : 0;
                }
            }
            return count;
        };
        if (proper(b) > 0) continue;
        Way shifted = b;
        for (std::size_t j = 1; j + 1 < shifted.size(); ++j) {
            shifted[j].x += 1e-7 * (random.uniform() - 0.5);
            shifted[j].y += 1e-7 * (random.uniform() - 0.5);
        }
        EXPECT_EQ(ways_cross(a, b), proper(shifted) % 2 == 1) << "round " << round;
        EXPECT_EQ(ways_cross(b, a), ways_cross(a, b));
        crossed += ways_cross(a, b) ? 1 : 0;
    }
    EXPECT_GT(crossed, 100);
}

TEST(Crossings, AreCountedAsByTheirDefinition) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        const Instance instance = generate({.n = 40, .seed = seed});
        const Tree tree = random_recursive_tree(random, 40);
        EXPECT_EQ(crossings(instance, tree).size(), count_of_crossings(instance, tree));
        EXPECT_EQ(number_of_crossings(instance, tree, 10'000), count_of_crossings(instance, tree));
    }
}

TEST(Crossings, AreNotCountedWhereTooManyPairsMight) {
    const Instance instance = generate({.n = 200, .seed = 1});
    Tree star{0, {}};
    for (Vertex v = 1; v < 200; ++v) star.edges.push_back({0, v});
    EXPECT_EQ(number_of_crossings(instance, star, 20'000), 0U);
    EXPECT_EQ(number_of_crossings(instance, star, 9'960), std::nullopt);  // of 19701 pairs about half overlap
    EXPECT_EQ(number_of_crossings(instance, star, 100), std::nullopt);
}

TEST(Crossings, TheIndexSeesWhatAllPairsSee) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const Vertex n = 5 + static_cast<Vertex>(random.below(200));
        const Instance instance = generate({.n = n, .seed = seed});
        const EdgePlan plan(instance);
        CrossingIndex crossing(instance);
        std::vector<Vertex> parent(index(n), no_vertex);
        for (int step = 0; step < 2000; ++step) {
            const auto v = static_cast<Vertex>(random.below(index(n)));
            const auto u = static_cast<Vertex>(random.below(index(n)));
            if (u == v) continue;
            if (parent[index(v)] != no_vertex) {
                crossing.erase(v);
                parent[index(v)] = no_vertex;
            } else {
                bool expected = false;
                for (Vertex x = 0; x < n; ++x) {
                    if (parent[index(x)] == no_vertex) continue;
                    expected = expected || properly_cross(plan.segment(u, v), plan.segment(x, parent[index(x)]));
                }
                ASSERT_EQ(crossing.crosses(u, v), expected);
                crossing.insert(u, v);
                parent[index(v)] = u;
            }
        }
    }
}

TEST(Crossings, SomeOfThemAreFoundWhereverThereAreAny) {
    int crossed = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const Vertex n = 3 + static_cast<Vertex>(random.below(80));
        const Instance instance = generate({.n = n, .seed = seed});
        // A star, a shortest tree or one with a few edges at random, seen from anywhere.
        Tree tree = seed % 3 == 0 ? Tree{} : minimum_spanning_tree(instance.weights);
        if (tree.edges.empty()) {
            for (Vertex v = 1; v < n; ++v) tree.edges.push_back({0, v});
        }
        for (std::uint64_t k = 0; k < seed % 4; ++k) {
            const RootedTree rooted = hang(tree, 0, n);
            const auto v = static_cast<Vertex>(1 + random.below(index(n) - 1));
            const auto u = static_cast<Vertex>(random.below(index(n)));
            bool is_below = false;
            for (Vertex x = u; x != no_vertex; x = rooted.parent[index(x)]) is_below = is_below || x == v;
            if (is_below) continue;
            std::erase_if(tree.edges, [&](const Edge& e) {
                return (e.u == v && e.v == rooted.parent[index(v)]) || (e.v == v && e.u == rooted.parent[index(v)]);
            });
            tree.edges.push_back({u, v});
        }
        const auto found = some_crossing(instance, tree);
        EXPECT_EQ(found.has_value(), !crossings(instance, tree).empty()) << seed;
        if (!found) continue;
        ++crossed;
        EXPECT_TRUE(EdgePlan(instance).cross(found->first, found->second)) << seed;
    }
    EXPECT_GT(crossed, 15);
    EXPECT_LT(crossed, 45);
}

TEST(NoCrossings, LargeTreesAreJudgedAsSmallOnesAre) {
    const Instance instance = generate({.n = 1500, .seed = 4});
    const Problem problem(instance, TreeSpec{.root = 0, .no_crossings = true});
    Tree tree = minimum_spanning_tree(instance.weights);
    EXPECT_EQ(problem.violation(tree), std::nullopt);
    Random random(2);
    tree = random_recursive_tree(random, 1500);
    const auto reason = problem.violation(tree);
    ASSERT_TRUE(reason);
    EXPECT_NE(reason->find("cross"), std::string::npos) << *reason;
}

TEST(NoCrossings, AreJudgedGrownAndSearchedAsTheDefinitionSays) {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const Instance instance = generate({.n = 6, .seed = seed});
        TreeSpec spec{.root = 0, .capacity = 2.0 + static_cast<double>(seed % 2), .no_crossings = true};
        if (seed % 3 == 0) {
            spec.objective = Objective::cables;
            spec.cables = {{1, 1}, {3, 1.5}};
        }
        TreeSpec rest = spec;
        rest.no_crossings = false;
        const Problem problem(instance, spec);
        testing::for_each_candidate(problem, [&](const Tree& tree) {
            ASSERT_EQ(!violation(spec, instance, tree),
                      !violation(rest, instance, tree) && count_of_crossings(instance, tree) == 0);
        });
        const Solution solution = solve(problem, {.max_iterations = 3000});
        EXPECT_NEAR(solution.cost, *testing::optimum(problem), 1e-9) << seed;
        EXPECT_EQ(solution.crossings, 0U);
        ASSERT_TRUE(solution.bound);
        EXPECT_LE(*solution.bound, solution.cost + 1e-9);
    }
}

TEST(NoCrossings, AreKeptWithSeveralRootsAndManyVertices) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Instance instance = generate({.n = 80, .seed = seed});
        const Problem problem(instance, {.root = 0, .other_roots = {1, 2}, .capacity = 6.0, .no_crossings = true});
        const Solution solution = solve(problem, {.max_iterations = 4000});
        EXPECT_EQ(problem.violation(solution.tree), std::nullopt);
        EXPECT_EQ(count_of_crossings(instance, solution.tree), 0U);
        EXPECT_NE(solution.specification.find("no crossings"), std::string::npos);
    }
}

TEST(NoCrossings, NameTheTwoEdges) {
    Instance square;
    square.weights = Weights::from_points({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    const Problem problem(square, {.no_crossings = true});
    EXPECT_EQ(problem.violation({0, {{0, 2}, {1, 3}, {0, 1}}}), "edges 0-2 and 1-3 cross");
    EXPECT_EQ(problem.violation({0, {{0, 1}, {1, 2}, {2, 3}}}), std::nullopt);
    Instance graph;
    graph.weights = Weights::from_edges(2, {{0, 1, 1}});
    EXPECT_THROW(Problem(graph, {.no_crossings = true}), InputError);
}

}  // namespace neuroprim
