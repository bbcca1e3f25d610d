#include "search/paths/path_search.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numeric>

#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "search/paths/lin_kernighan.hpp"
#include "search/polished.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using testing::polished;

std::unique_ptr<Problem> path_problem(const Instance& instance) {
    return make_problem("dcmst", instance, {.degree = 2});
}

/// The vertices in the order of their numbers.
Tree plain_path(Vertex n) {
    Tree path{0, {}};
    for (Vertex v = 1; v < n; ++v) path.edges.push_back({v - 1, v});
    return path;
}

double tour_length(const paths::Tour& tour, const paths::Lengths& lengths) {
    double sum = 0;
    Vertex v = 0;
    do {
        sum += lengths(v, tour.next(v));
        v = tour.next(v);
    } while (v != 0);
    return sum;
}

TEST(PathSearch, TakesPathsOfCompleteGraphsAlone) {
    const Instance points = generate({.n = 6});
    const Instance sparse = generate({.shape = GenerateOptions::Shape::sparse, .n = 20});
    EXPECT_TRUE(paths::is_path_problem(*path_problem(points)));
    EXPECT_FALSE(paths::is_path_problem(*make_problem("dcmst", points, {.degree = 3})));
    EXPECT_FALSE(paths::is_path_problem(*path_problem(sparse)));
    EXPECT_FALSE(paths::is_path_problem(*make_problem("mst", points)));
    EXPECT_EQ(local_search_for(*path_problem(points)).name, "path");
}

TEST(PathSearch, FindsTheShortestPathOfAFewVertices) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        GenerateOptions options{.n = static_cast<Vertex>(1 + seed % 7), .seed = seed};
        if (seed % 2 == 1) options.shape = GenerateOptions::Shape::matrix;
        if (seed % 5 == 0) options.scale = 10, options.integers = true;
        const Instance instance = generate(options);
        const auto problem = path_problem(instance);
        const Tree path = polished(*problem, plain_path(problem->size()), 200);
        EXPECT_EQ(problem->violation(path), std::nullopt);
        EXPECT_NEAR(problem->cost(path), testing::optimum(*problem).value(), 1e-9) << "seed " << seed;
    }
}

TEST(PathSearch, KnowsItsLengthThroughThousandsOfMoves) {
    for (const Vertex n : {4, 5, 8, 60, 600}) {
        const Instance instance = generate({.n = n, .seed = 3});
        const paths::Lengths lengths(instance.weights);
        const Neighbours near = nearest_neighbours(instance.weights, 8);
        std::vector<Vertex> order(index(n) + 1);
        std::iota(order.begin(), order.end(), 0);
        const paths::Tour start(order);
        const double before = tour_length(start, lengths);
        paths::LinKernighan search(lengths, near, start);
        ASSERT_TRUE(search.descend({}));
        Random random(4);
        double gained = search.gained();
        for (int k = 0; k < 2000; ++k) {
            ASSERT_TRUE(search.perturb(random, {}));
            ASSERT_GE(search.gained(), gained);
            gained = search.gained();
            if (k % 50 != 0) continue;
            ASSERT_NEAR(tour_length(search.tour(), lengths), before - gained, 1e-9 * before);
        }
        search.shake(random, 10);
        ASSERT_NEAR(tour_length(search.tour(), lengths), before - search.gained(), 1e-9 * before);
    }
}

TEST(PathSearch, KeepsTheEndsThatAreHeld) {
    const Vertex n = 60;
    const Instance instance = generate({.n = n, .seed = 5});
    const paths::Lengths lengths(instance.weights);
    const Neighbours near = nearest_neighbours(instance.weights, 8);
    std::vector<Vertex> order(index(n) + 1);
    std::iota(order.begin(), order.end(), 0);
    for (const bool both : {false, true}) {
        paths::LinKernighan::Options options;
        options.first = 0;
        if (both) options.last = n - 1;
        paths::LinKernighan search(lengths, near, paths::Tour(order), options);
        ASSERT_TRUE(search.descend({}));
        Random random(6);
        for (int k = 0; k < 1000; ++k) {
            ASSERT_TRUE(search.perturb_near(static_cast<Vertex>(k % n), random, {}));
            const Vertex after = search.tour().next(n);
            const Vertex before = search.tour().prev(n);
            ASSERT_TRUE(after == 0 || before == 0);
            if (both) {
                ASSERT_EQ(after + before, n - 1);
            }
        }
        EXPECT_GT(search.gained(), 0);
    }
}

TEST(PathSearch, IsTheSameForTheSameSeed) {
    const Instance instance = generate({.n = 150, .seed = 8});
    const auto problem = path_problem(instance);
    EXPECT_EQ(polished(*problem, 500, 7), polished(*problem, 500, 7));
}

TEST(PathSearch, ShortensARandomPathOfAThousandPointsToLessThanTwoPercentAboveWhatIsExpected) {
    const Instance instance = generate({.n = 1000, .seed = 9});
    const auto problem = path_problem(instance);
    const Tree path = polished(*problem, plain_path(1000), 1000);
    EXPECT_EQ(problem->violation(path), std::nullopt);
    // The shortest tour through n random points of the unit square is about 0.7124 √n (1 + 0.33 / n) long inside,
    // and some 2.6 % longer for its border at this n (Johnson and McGeoch).
    EXPECT_LT(problem->cost(path), 1.02 * 0.7313 * std::sqrt(1000.0));
}

TEST(PathSearch, ComesBackAtOnceWhenTimeIsUp) {
    const Instance instance = generate({.n = 10'000, .seed = 10});
    const auto problem = path_problem(instance);
    const auto search = local_search_for(*problem).prepare(*problem, 1, {});
    const auto worker = search->worker(1, 0);
    worker->adopt(plain_path(10'000));
    for (const int milliseconds : {0, 5, 20}) {
        const auto deadline = StopToken::Clock::now() + std::chrono::milliseconds(milliseconds);
        const double before = testing::processor_milliseconds();
        worker->run(1'000'000, StopToken(deadline, nullptr));
        EXPECT_LT(testing::processor_milliseconds() - before, milliseconds + 20);
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
        EXPECT_NEAR(problem->cost(worker->tree()), worker->cost(), 1e-6);
    }
}

TEST(PathSearch, CopesWithPointsThatCoincide) {
    const Instance instance = testing::of_points(std::vector<Point>(30, Point{1, 1}));
    const auto problem = path_problem(instance);
    const Tree path = polished(*problem, plain_path(30), 100);
    EXPECT_EQ(problem->violation(path), std::nullopt);
    EXPECT_EQ(problem->cost(path), 0);
}

}  // namespace
}  // namespace neuroprim
