#include "bounds/complete_mst.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bounds/candidate_mst.hpp"
#include "graph/disjoint_sets.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

double penalised_sum(std::span<const WeightedEdge> edges, std::span<const double> penalties) {
    double sum = 0;
    for (const auto& [u, v, weight] : edges) sum += weight + penalties[index(u)] + penalties[index(v)];
    return sum;
}

/// Kruskal over these edges, by the book.
double plain_mst(Vertex n, std::vector<WeightedEdge> edges, std::span<const double> penalties) {
    const auto cost = [&](const WeightedEdge& edge) {
        return edge.weight + penalties[index(edge.u)] + penalties[index(edge.v)];
    };
    std::sort(edges.begin(), edges.end(), [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
    DisjointSets parts(n);
    double sum = 0;
    for (const WeightedEdge& edge : edges) {
        if (parts.join(edge.u, edge.v)) sum += cost(edge);
    }
    return sum;
}

bool spans(std::span<const WeightedEdge> edges, Vertex n) {
    DisjointSets parts(n);
    return static_cast<Vertex>(edges.size()) == n - 1 &&
           std::all_of(edges.begin(), edges.end(), [&](const auto& edge) { return parts.join(edge.u, edge.v); });
}

std::vector<double> random_penalties(Vertex n, double scale, Random& random) {
    std::vector<double> penalties(index(n));
    for (double& penalty : penalties) penalty = scale * (2 * random.uniform() - 1);
    return penalties;
}

TEST(CompleteMst, IsWhatKruskalFindsAmongAllEdges) {
    Random random(1);
    std::uint64_t seed = 0;
    for (const Metric metric : all_metrics()) {
        for (const Vertex n : {2, 3, 17, 120}) {
            GenerateOptions options{.n = n, .scale = 100, .seed = ++seed};
            options.integers = seed % 2 == 0;
            if (seed % 3 == 0) options.shape = GenerateOptions::Shape::clustered;
            Instance instance = generate(options);
            instance.weights = instance.weights.with_metric(metric);
            if (!complete_mst_takes(instance.weights)) continue;
            const auto trees = make_complete_mst(instance.weights, {});
            std::vector<WeightedEdge> known;
            for (const double scale : {0.0, 1.0, 30.0, 500.0}) {
                const auto penalties = random_penalties(n, scale, random);
                trees->begin(penalties, known);
                std::int64_t looks = endless;
                ASSERT_TRUE(trees->advance(looks, {}));
                EXPECT_TRUE(spans(trees->edges(), n));
                const double expected = plain_mst(n, instance.weights.edges(), penalties);
                EXPECT_NEAR(penalised_sum(trees->edges(), penalties), expected, 1e-9 * (1 + std::abs(expected)));
                // What is known is not discovered again.
                known.insert(known.end(), trees->discovered().begin(), trees->discovered().end());
                trees->begin(penalties, known);
                looks = endless;
                ASSERT_TRUE(trees->advance(looks, {}));
                EXPECT_NEAR(penalised_sum(trees->edges(), penalties), expected, 1e-9 * (1 + std::abs(expected)));
                EXPECT_TRUE(trees->discovered().empty());
            }
        }
    }
}

TEST(CompleteMst, TakesPointsThatCoincide) {
    std::vector<Point> points(300, Point{1, 1});
    points.resize(600, Point{2, 1});
    const Weights weights = Weights::from_points(points);
    const auto trees = make_complete_mst(weights, {});
    const std::vector<double> penalties(600, 0.5);
    trees->begin(penalties, {});
    std::int64_t looks = 200'000'000;
    ASSERT_TRUE(trees->advance(looks, {}));
    EXPECT_TRUE(spans(trees->edges(), 600));
    EXPECT_NEAR(penalised_sum(trees->edges(), penalties), 599 + 1, 1e-9);
}

TEST(CompleteMst, CanBeLaidDownAndTakenUpAgain) {
    const Instance instance = generate({.n = 3000, .seed = 7});
    Random random(2);
    const auto penalties = random_penalties(3000, 0.02, random);
    const auto trees = make_complete_mst(instance.weights, {});
    trees->begin(penalties, {});
    std::int64_t looks = endless;
    ASSERT_TRUE(trees->advance(looks, {}));
    const std::vector<WeightedEdge> whole(trees->edges().begin(), trees->edges().end());
    trees->begin(penalties, {});
    int slices = 0;
    for (bool finished = false; !finished; ++slices) {
        looks = 100'000;
        finished = trees->advance(looks, {});
    }
    EXPECT_GT(slices, 3);
    EXPECT_EQ(penalised_sum(trees->edges(), penalties), penalised_sum(whole, penalties));
}

TEST(CandidateMst, IsWhatKruskalFindsUpToSinglePrecision) {
    Random random(3);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.shape = GenerateOptions::Shape::matrix, .n = 60, .seed = seed});
        CandidateMst trees(60, instance.weights.edges());
        for (const double scale : {0.0, 0.1, 5.0}) {
            const auto penalties = random_penalties(60, scale, random);
            ASSERT_TRUE(trees.build(penalties, {}));
            EXPECT_TRUE(spans(trees.edges(), 60));
            const double expected = plain_mst(60, instance.weights.edges(), penalties);
            EXPECT_NEAR(penalised_sum(trees.edges(), penalties), expected, 1e-5 * (1 + 60 * scale));
        }
    }
}

}  // namespace
}  // namespace neuroprim
