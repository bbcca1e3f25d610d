#include "search/paths/windowed_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heuristics/quick_paths.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim {
namespace {

using paths::Partition;
using paths::PlacedPath;
using paths::WindowedPath;

double path_length(std::span<const Vertex> order, const Weights& weights) {
    double sum = 0;
    for (std::size_t k = 1; k < order.size(); ++k) sum += weights(order[k - 1], order[k]);
    return sum;
}

bool is_permutation_of_all(std::vector<Vertex> order) {
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (index(order[k]) != k) return false;
    }
    return true;
}

TEST(Windows, CutAPathIntoStretchesThatHoldEveryPlaceOnce) {
    for (const auto& [n, size, offset] :
         {std::array{100, 30, 30}, {100, 30, 7}, {90, 30, 30}, {5, 9, 9}, {9, 4, 1}}) {
        const Partition partition(n, size, offset);
        Vertex next = 0;
        for (Vertex window = 0; window < partition.count(); ++window) {
            EXPECT_EQ(partition.begin(window), next);
            next = partition.end(window);
            for (Vertex place = partition.begin(window); place < next; ++place) {
                EXPECT_EQ(partition.window_of(place), window);
            }
        }
        EXPECT_EQ(next, n);
    }
}

TEST(Windows, KeepTheEndsThatTheRestHangsOn) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Vertex n = 300;
        const Instance instance = generate({.n = n, .seed = seed});
        const Neighbours near = nearest_neighbours(instance.weights, 8);
        PlacedPath path{std::vector<Vertex>(index(n)), std::vector<Vertex>(index(n))};
        std::iota(path.order.begin(), path.order.end(), 0);
        std::iota(path.place.begin(), path.place.end(), 0);
        const Partition partition(n, 100, 100);
        std::vector<Vertex> order(path.order);
        double gained = 0;
        for (Vertex window = 0; window < 3; ++window) {
            const auto stretch = std::span(order).subspan(index(100 * window), 100);
            gained += paths::improve_window({&instance.weights, &near, &path, partition, nullptr}, window, 200,
                                            Random(seed), {}, stretch)
                          .gained;
            if (window > 0) {
                EXPECT_EQ(stretch.front(), 100 * window);
            }
            if (window < 2) {
                EXPECT_EQ(stretch.back(), 100 * window + 99);
            }
        }
        EXPECT_TRUE(is_permutation_of_all(order));
        EXPECT_GT(gained, 0);
        const double before = path_length(path.order, instance.weights);
        EXPECT_NEAR(path_length(order, instance.weights), before - gained, 1e-9 * before);
    }
}

TEST(WindowedPath, KnowsItsLengthWhateverTheNumberOfThreads) {
    for (const Vertex n : {1, 2, 9, 40, 700}) {
        const Instance instance = generate({.n = n, .seed = 3});
        const Neighbours near = nearest_neighbours(instance.weights, 8);
        std::vector<Vertex> order(index(n));
        std::iota(order.begin(), order.end(), 0);
        const double before = path_length(order, instance.weights);
        WindowedPath alone(instance.weights, near, order);
        WindowedPath together(instance.weights, near, order);
        for (int round = 0; round < 12; ++round) {
            alone.run_round(n / 5, 7, 1, {});
            together.run_round(n / 5, 7, 3, {});
            ASSERT_EQ(alone.order(), together.order());
            ASSERT_TRUE(is_permutation_of_all(alone.order()));
            ASSERT_NEAR(path_length(alone.order(), instance.weights), before - alone.gained(), 1e-9 * before);
        }
        EXPECT_TRUE(alone.settled());
    }
}

TEST(WindowedPath, EndsAsAPathWhenTheTimeIsUp) {
    const Instance instance = generate({.n = 2000, .seed = 4});
    const Neighbours near = nearest_neighbours(instance.weights, 8);
    std::vector<Vertex> order(2000);
    std::iota(order.begin(), order.end(), 0);
    const double before = path_length(order, instance.weights);
    for (const int asked : {0, 5, 100, 1000}) {
        WindowedPath path(instance.weights, near, order);
        int questions = asked;
        const StopToken stop(std::nullopt, [&] { return --questions < 0; });
        for (int round = 0; round < 3; ++round) path.run_round(100, 1, 1, stop);
        EXPECT_TRUE(is_permutation_of_all(path.order()));
        EXPECT_NEAR(path_length(path.order(), instance.weights), before - path.gained(), 1e-9 * before);
    }
}

TEST(WindowedPath, ShortensThirtyThousandPointsToTwoPercentAboveWhatIsExpectedInOneRound) {
    const Vertex n = 30'000;
    const Instance instance = generate({.n = n, .seed = 5});
    const Neighbours near = nearest_neighbours(instance.weights, 8, 2);
    const Tree start = greedy_cell_path(instance.weights, 2);
    WindowedPath path(instance.weights, near, hang(start, start.start, n).order);
    while (!path.settled()) path.run_round(0, 1, 2, {});
    path.run_round(n / 5, 1, 2, {});
    const double expected =
        0.7124 * (1 + 0.33 / std::sqrt(static_cast<double>(n))) * std::sqrt(static_cast<double>(n));
    EXPECT_LT(path_length(path.order(), instance.weights), 1.02 * expected);
}

TEST(WindowedPath, GivesTheSearchTheSameAnswerOnAnyNumberOfThreads) {
    const Instance instance = generate({.n = 10'000, .seed = 6});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    SolveOptions options{.seed = 3, .threads = 1, .max_iterations = 1200};
    const Solution alone = solve(*problem, options);
    options.threads = 3;
    const Solution together = solve(*problem, options);
    EXPECT_EQ(alone.tree, together.tree);
    EXPECT_EQ(alone.bound, together.bound);
    EXPECT_EQ(alone.iterations, together.iterations);
}

}  // namespace
}  // namespace neuroprim
