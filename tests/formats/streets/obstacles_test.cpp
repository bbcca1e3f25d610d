// Edges between points that go around areas.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "formats/read/reader_support.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

using testing::read_one;
using testing::refusal;
using Ring = std::vector<Point>;

Instance points_in_plane(std::vector<Point> points) {
    Instance instance;
    instance.weights = Weights::from_points(std::move(points));
    return instance;
}

Obstacle box(double left, double bottom, double right, double top) {
    return {"a box", {{{left, bottom}, {right, bottom}, {right, top}, {left, top}, {left, bottom}}}};
}

std::string refused(const Instance& instance, const std::vector<Obstacle>& obstacles) {
    try {
        static_cast<void>(around_obstacles(instance, obstacles));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// Corners of a convex polygon, to the left.
Ring random_convex_area(Random& random) {
    const Point centre{random.uniform(), random.uniform()};
    const double radius = 0.05 + 0.15 * random.uniform();
    std::vector<double> angles;
    for (int k = 0; k < 5; ++k) angles.push_back(2 * std::numbers::pi * random.uniform());
    std::sort(angles.begin(), angles.end());
    Ring ring;
    for (const double angle : angles) {
        ring.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
    }
    return ring;
}

/// How much of the way from `a` to `b` is inside a convex area, cut by the half-plane of each side in turn.
double part_inside(const Ring& ring, Point a, Point b) {
    double from = 0;
    double to = 1;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Point p = ring[i];
        const Point q = ring[(i + 1) % ring.size()];
        const auto depth = [&](Point at) { return (q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x); };
        const double first = depth(a);
        const double last = depth(b);
        if (first <= 0 && last <= 0) return 0;
        const double cut = first / (first - last);
        if (first < 0) from = std::max(from, cut);
        if (last < 0) to = std::min(to, cut);
    }
    return std::max(0.0, to - from);
}

/// The lengths of shortest ways over all corners, whoever sees whom: Floyd and Warshall.
std::vector<std::vector<double>> reference_lengths(std::vector<Point> points, const std::vector<Ring>& areas) {
    for (const Ring& ring : areas) points.insert(points.end(), ring.begin(), ring.end());
    const std::size_t n = points.size();
    std::vector<std::vector<double>> length(n, std::vector<double>(n, Weights::infinity));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const bool is_free = std::all_of(areas.begin(), areas.end(), [&](const Ring& ring) {
                return part_inside(ring, points[i], points[j]) < 1e-9;
            });
            if (is_free) length[i][j] = distance(Metric::euclidean, points[i], points[j]);
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                length[i][j] = std::min(length[i][j], length[i][k] + length[k][j]);
            }
        }
    }
    return length;
}

TEST(Obstacles, WaysAroundRandomAreasAreThoseOverAllCorners) {
    int bent = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Random random(seed, 0);
        std::vector<Ring> areas;
        std::vector<Obstacle> obstacles;
        for (int k = 0; k < 6; ++k) {
            areas.push_back(random_convex_area(random));
            obstacles.push_back({"an area", {areas.back()}});
        }
        std::vector<Point> points;
        while (points.size() < 12) {
            const Point at{random.uniform(), random.uniform()};
            const Point near{at.x + 1e-6, at.y};
            const bool is_free = std::all_of(areas.begin(), areas.end(),
                                             [&](const Ring& ring) { return part_inside(ring, at, near) == 0; });
            if (is_free) points.push_back(at);
        }
        const auto expected = reference_lengths(points, areas);
        const Instance instance = around_obstacles(points_in_plane(points), obstacles);
        bent += static_cast<int>(instance.map->lines.size());
        for (Vertex u = 0; u < instance.size(); ++u) {
            for (Vertex v = 0; v < u; ++v) {
                const double found = instance.weights(u, v);
                ASSERT_NEAR(found, expected[index(u)][index(v)], 1e-7) << "seed " << seed << ": " << u << "-" << v;
                std::vector<Point> path = {points[index(u)]};
                instance.map->append_between(path, u, v);
                path.push_back(points[index(v)]);
                double length = 0;
                for (std::size_t i = 1; i < path.size(); ++i) {
                    length += distance(Metric::euclidean, path[i - 1], path[i]);
                    for (const Ring& ring : areas) EXPECT_LT(part_inside(ring, path[i - 1], path[i]), 1e-6);
                }
                EXPECT_NEAR(length, found, 1e-9);
            }
        }
    }
    EXPECT_GT(bent, 300) << "most pairs were never in doubt";
}

TEST(Obstacles, AWayBendsAtTheCornersOfABox) {
    const Instance instance = around_obstacles(points_in_plane({{0, 0}, {4, 0}}), std::vector{box(1, -1, 3, 2)});
    EXPECT_DOUBLE_EQ(instance.weights(0, 1), 2 * std::sqrt(2.0) + 2);
    std::vector<Point> path;
    instance.map->append_between(path, 1, 0);
    EXPECT_EQ(path, (std::vector<Point>{{3, -1}, {1, -1}}));
    EXPECT_EQ(instance.positions()[1], (Point{4, 0}));
}

TEST(Obstacles, AWayMayRunAlongAnOutlineAndThroughCorners) {
    const std::vector boxes = {box(1, 0, 2, 1), box(3, -1, 4, 0)};
    const Instance instance = around_obstacles(points_in_plane({{0, 0}, {5, 0}, {1, 0}}), boxes);
    EXPECT_EQ(instance.weights(0, 1), 5);
    EXPECT_EQ(instance.weights(0, 2), 1);
    const Instance diagonal = around_obstacles(points_in_plane({{0, -1}, {3, 2}}), std::vector{box(1, 0, 2, 1)});
    EXPECT_DOUBLE_EQ(diagonal.weights(0, 1), 2 * std::sqrt(5.0)) << "corners touch the straight way, which is inside";
}

TEST(Obstacles, NoWayRunsBetweenAreasThatTouch) {
    const std::vector boxes = {box(1, 0, 2, 1), box(1, -1, 2, 0)};
    const Instance instance = around_obstacles(points_in_plane({{0, 0}, {3, 0}}), boxes);
    EXPECT_DOUBLE_EQ(instance.weights(0, 1), 2 * std::sqrt(2.0) + 1);
}

TEST(Obstacles, WhatAnAreaSurroundsHasNoEdgeToTheOutside) {
    Obstacle ring = box(0, 0, 4, 4);
    ring.rings.push_back(box(1, 1, 3, 3).rings.front());
    const Instance instance = around_obstacles(points_in_plane({{1.5, 2}, {2.5, 2}, {5, 5}}), std::vector{ring});
    EXPECT_EQ(instance.weights(0, 1), 1);
    EXPECT_FALSE(instance.weights.has_edge(0, 2));
}

TEST(Obstacles, RefuseWhatTheyCannotBeFor) {
    const std::vector boxes = {box(0, 0, 2, 2)};
    EXPECT_EQ(refused(points_in_plane({{0, 0}, {1, 1}}), boxes),
              "vertex 1 lies inside the obstacle a box, where no edge can reach it: move it, or cut the area");
    EXPECT_EQ(refused(points_in_plane({{0, 0}, {1, 2}}), boxes), "no error") << "outlines are outside";
    Instance graph;
    graph.weights = Weights::from_edges(3, {{0, 1, 1}, {1, 2, 1}});
    EXPECT_NE(refused(graph, boxes).find("this is a graph with edges of its own"), std::string::npos);
    Instance blocks = points_in_plane({{3, 3}, {4, 4}});
    blocks.weights = blocks.weights.with_metric(Metric::manhattan);
    EXPECT_NE(refused(blocks, boxes).find("not by manhattan: --metric chooses"), std::string::npos);
    EXPECT_NE(refused(points_in_plane(std::vector<Point>(2001, {3, 3})), boxes).find("for up to 2000 points"),
              std::string::npos);
}

constexpr std::string_view farm = R"({"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"root": true}, "geometry": {"type": "Point", "coordinates": [8, 55]}},
{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [8.2, 55]}},
{"type": "Feature", "properties": {"forbidden": true}, "geometry": {"type": "Polygon", "coordinates":
 [[[8.1, 54.9], [8.12, 54.9], [8.12, 55.01], [8.1, 55.01], [8.1, 54.9]]]}}
]})";

TEST(Obstacles, AForbiddenAreaOfAGeoJsonFileWithPointsIsOne) {
    const Instance instance = read_one(std::string(farm));
    const std::vector<Point> way = {{8, 55}, {8.1, 55.01}, {8.12, 55.01}, {8.2, 55}};
    EXPECT_DOUBLE_EQ(instance.weights(0, 1), path_length(way));
    EXPECT_TRUE(instance.map->is_on_earth);
    EXPECT_EQ(instance.root, 0);
}

TEST(Obstacles, OfAFileAreAllItsAreasInDegreesOrInThePlane) {
    EXPECT_EQ(parse_obstacles(farm, "sea", Metric::great_circle).front().called, "features[2]");
    constexpr std::string_view plane =
        R"({"type": "Polygon", "coordinates": [[[0, 500], [900, 500], [900, 900], [0, 500]]]})";
    EXPECT_EQ(parse_obstacles(plane, "sea", Metric::euclidean).front().rings.front().size(), 4U);
    const auto complaint = [](std::string_view text, Metric metric) -> std::string {
        try {
            static_cast<void>(parse_obstacles(text, "sea", metric));
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_NE(complaint(plane, Metric::great_circle).find("latitude 500 is outside"), std::string::npos);
    EXPECT_NE(complaint(R"({"type": "Point", "coordinates": [1, 2]})", Metric::euclidean).find("holds no areas"),
              std::string::npos);
    EXPECT_NE(complaint("x,y\n1,2\n", Metric::euclidean).find("ogr2ogr -f GeoJSON"), std::string::npos);
}

TEST(Obstacles, OfAJsonFileReadBackAsTheyAreWritten) {
    const std::string text =
        R"({"points": [[0, 0], [4, 0], [2, 3]], "obstacles": [[[[1, -1], [3, -1], [3, 2], [1, 2]]]]})";
    const Instance instance = read_one(text);
    EXPECT_DOUBLE_EQ(instance.weights(0, 1), 2 * std::sqrt(2.0) + 2);
    const Instance again = read_one(formats::instance_to_json(instance));
    EXPECT_EQ(again.weights.edges(), instance.weights.edges());
    EXPECT_FALSE(again.map->is_on_earth);
    EXPECT_FALSE(again.map->has_streets);
    EXPECT_EQ(again.map->points, instance.map->points);
    EXPECT_EQ(again.map->areas, instance.map->areas);
    EXPECT_NE(refusal(R"({"n": 2, "edges": [[0, 1, 1]], "obstacles": [[[[0, 0], [1, 0], [1, 1]]]]})")
                  .find("this is a graph with edges of its own"),
              std::string::npos);
}

}  // namespace
}  // namespace neuroprim
