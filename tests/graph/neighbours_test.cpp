#include "graph/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "graph/kd_tree.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

std::vector<Vertex> by_sorting(const Weights& weights, Vertex u, std::size_t count) {
    std::vector<std::pair<double, Vertex>> all;
    weights.for_each_neighbour(u, [&](Vertex v, double weight) { all.emplace_back(weight, v); });
    std::sort(all.begin(), all.end());
    std::vector<Vertex> result;
    for (std::size_t k = 0; k < std::min(count, all.size()); ++k) result.push_back(all[k].second);
    return result;
}

Weights random_points(Vertex n, Metric metric, std::uint64_t seed) {
    Random random(seed);
    std::vector<Point> points;
    for (Vertex v = 0; v < n; ++v) points.push_back({100 * random.uniform() - 50, 100 * random.uniform() - 50});
    return Weights::from_points(std::move(points), metric);
}

TEST(NearestNeighbours, EqualTheFrontOfTheSortedRow) {
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::maximum, Metric::great_circle}) {
        const Weights weights = random_points(300, metric, 7);
        const Neighbours neighbours = nearest_neighbours(weights, 9, 2);
        for (Vertex v = 0; v < 300; ++v) {
            const auto near = neighbours.of(v);
            EXPECT_EQ(std::vector(near.begin(), near.end()), by_sorting(weights, v, 9)) << to_string(metric);
        }
    }
}

TEST(NearestNeighbours, OfASparseGraphAreItsLightestEdges) {
    Random random(3);
    std::vector<WeightedEdge> edges;
    for (Vertex u = 1; u < 40; ++u) {
        edges.push_back({u, static_cast<Vertex>(random.below(static_cast<std::uint64_t>(u))), random.uniform()});
    }
    const Weights weights = Weights::from_edges(40, edges);
    const Neighbours neighbours = nearest_neighbours(weights, 3);
    for (Vertex v = 0; v < 40; ++v) {
        const auto near = neighbours.of(v);
        EXPECT_EQ(std::vector(near.begin(), near.end()), by_sorting(weights, v, 3));
    }
}

TEST(NearestNeighbours, AreAllOthersWhereThereAreFew) {
    EXPECT_EQ(nearest_neighbours(random_points(4, Metric::euclidean, 1), 10).of(2).size(), 3U);
    EXPECT_EQ(nearest_neighbours(random_points(1, Metric::euclidean, 1), 10).of(0).size(), 0U);
    EXPECT_EQ(nearest_neighbours(Weights{}, 10).size(), 0);
}

TEST(NearestNeighbours, OfCoincidingPointsAreEachOther) {
    const Weights weights = Weights::from_points(std::vector<Point>(50, Point{1, 1}));
    EXPECT_EQ(nearest_neighbours(weights, 5).of(7).size(), 5U);
}

TEST(NearestNeighbours, AskWhetherToStopWhileListsAreBuilt) {
    const Weights weights = random_points(8000, Metric::euclidean, 3);
    std::atomic<int> questions = 0;
    const StopToken stop(std::nullopt, [&] {
        ++questions;
        return false;
    });
    std::vector<Position<2>> positions;
    for (const Point& p : weights.points()) positions.push_back({p.x, p.y});
    static_cast<void>(KdTree<2>(std::move(positions), stop));
    for (const std::size_t count : {1, 14, 200}) {
        for (const int threads : {1, 3}) {
            const int of_tree = questions.exchange(0);
            static_cast<void>(nearest_neighbours(weights, count, threads, stop));
            // At least once for 20,000 entries, whatever the lists' length.
            EXPECT_GE(questions, of_tree + static_cast<int>(8000 * count / 40'000)) << count << " by " << threads;
            EXPECT_GT(questions, of_tree) << count << " by " << threads;
            questions = of_tree;
        }
    }
}

}  // namespace
}  // namespace neuroprim
