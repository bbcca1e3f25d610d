#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/positions.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/problem.hpp"
#include "search/levels/level_search.hpp"
#include "search/levels/level_worker.hpp"
#include "search/levels/list_level_reach.hpp"
#include "search/levels/point_level_reach.hpp"
#include "search/levels/windowed_level_worker.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using namespace levels;

using PlaneReach = PointLevelReach<2, SquaredEuclidean>;

Tree hop_tree(std::string_view method, const Problem& problem) {
    return method_named(method).construct(problem, {});
}

/// The definition: the least weight to a vertex of a lower level.
double weight_by_levels(const Weights& weights, const LevelTree& tree, Vertex v) {
    double least = Weights::infinity;
    for (Vertex u = 0; u < tree.size(); ++u) {
        if (tree.level(u) < tree.level(v)) least = std::min(least, weights(u, v));
    }
    return least;
}

Vertex any_below_centre(const LevelTree& tree, Random& random) {
    for (;;) {
        const auto v = static_cast<Vertex>(random.below(index(tree.size())));
        if (tree.level(v) > 0) return v;
    }
}

/// Any move that the levels allow.
LevelMove random_move(const LevelTree& tree, int hops, Random& random) {
    const auto level_after = [&](int level) {
        return level + 1 + static_cast<int>(random.below(index(hops - level)));
    };
    if (random.below(4) == 0) {
        const bool moves_root = tree.twin() == no_vertex || random.below(2) == 0;
        return {moves_root ? tree.root() : tree.twin(), level_after(0), any_below_centre(tree, random), 0};
    }
    LevelMove move;
    if (random.below(3) != 0) {
        const Vertex v = any_below_centre(tree, random);
        if (tree.level(v) < hops) {
            move.down = v;
            move.down_to = level_after(tree.level(v));
        }
    }
    if (random.below(3) != 0) {
        const Vertex v = any_below_centre(tree, random);
        if (tree.level(v) > 1 && v != move.down) {
            move.up = v;
            move.up_to = 1 + static_cast<int>(random.below(index(tree.level(v) - 1)));
        }
    }
    return move;
}

/// With one vertex for the centre, or two.
template <class Reach>
void check_prices(const typename Reach::Graph& graph, std::uint64_t seed, std::size_t centre) {
    constexpr int hops = 4;
    Random random(seed);
    LevelTree tree(graph.size());
    Reach reach(graph, tree, hops);
    std::vector<std::int16_t> at_first(index(graph.size()));
    for (auto& level : at_first) level = static_cast<std::int16_t>(1 + random.below(hops));
    std::fill_n(at_first.begin(), centre, std::int16_t{0});
    hang_by_levels<Reach>(tree, reach, at_first);
    LevelMoves<Reach> moves(tree, reach);
    for (int step = 0; step < 300; ++step) {
        const double before = tree.cost();
        const double price = moves.price(random_move(tree, hops, random));
        ASSERT_EQ(tree.cost(), before);
        if (random.below(2) == 0) continue;
        moves.take();
        ASSERT_NEAR(tree.cost(), before + price, 1e-9);
        ASSERT_EQ(tree.level(tree.root()), 0);
        ASSERT_EQ(tree.parent(tree.root()), no_vertex);
        ASSERT_EQ(tree.twin() == no_vertex, centre == 1);
        double sum = 0;
        for (Vertex v = 0; v < tree.size(); ++v) {
            if (v == tree.root()) continue;
            ASSERT_EQ(tree.weight(v), graph.weights()(tree.parent(v), v));
            sum += tree.weight(v);
            if (v == tree.twin()) {
                ASSERT_EQ(tree.parent(v), tree.root());
                continue;
            }
            ASSERT_LT(tree.level(tree.parent(v)), tree.level(v));
            ASSERT_NEAR(tree.weight(v), weight_by_levels(graph.weights(), tree, v), 1e-12) << "step " << step;
        }
        ASSERT_NEAR(tree.cost(), sum, 1e-9);
    }
}

TEST(LevelMoves, CostWhatHangingEveryVertexAnewCosts) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const std::size_t centre = 1 + seed % 2;
        const Instance points = generate({.n = 60, .seed = seed});
        check_prices<ListLevelReach>(SortedGraph(points.weights), seed, centre);
        check_prices<PlaneReach>(PlacedPoints<2>(points.weights, plane_positions(points.weights.points())), seed,
                                 centre);
        const Instance matrix = generate({.shape = GenerateOptions::Shape::matrix, .n = 40, .seed = seed});
        check_prices<ListLevelReach>(SortedGraph(matrix.weights), seed, centre);
    }
}

TEST(LevelWorker, FindsTheOptimumOfSmallGraphs) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Instance instance = testing::small_instance(6, seed);
        if (!instance.weights.is_complete()) continue;
        std::vector<std::pair<TreeSpec, std::string_view>> questions;
        for (int hops = 1; hops <= 5; ++hops) questions.push_back({{.root = 2, .hops = hops}, "hop-prim"});
        for (int diameter = 2; diameter <= 5; ++diameter) questions.push_back({{.diameter = diameter}, "star"});
        for (const auto& [hops, diameter] : {std::pair{2, 3}, {3, 4}, {3, 5}, {4, 5}}) {
            questions.push_back({{.root = 2, .hops = hops, .diameter = diameter}, "star"});
        }
        for (const auto& [spec, start] : questions) {
            const Problem problem(instance, spec);
            ASSERT_TRUE(suits_levels(problem));
            const auto search = prepare_levels(problem, 1, {});
            const auto worker = search->worker(seed, 0);
            worker->adopt(hop_tree(start, problem));
            worker->run(200, {});
            const auto violation = problem.violation(worker->tree());
            EXPECT_FALSE(violation) << *violation;
            EXPECT_NEAR(worker->cost(), *testing::optimum(problem), 1e-9)
                << "seed " << seed << ", hops " << spec.hops.value_or(0) << ", diameter "
                << spec.diameter.value_or(0);
        }
    }
}

/// Points of every metric, more than are sorted and fewer than are cut into windows.
TEST(LevelWorker, ImprovesTreesOfAllMetricsAndKeepsTheLimit) {
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::maximum, Metric::euc_2d, Metric::att,
                                Metric::geo, Metric::great_circle}) {
        for (const Vertex n : {150, 1100}) {
            const Instance plane = generate({.n = n, .scale = 80, .seed = 5});
            const auto points = plane.weights.points();
            const Instance instance = testing::of_points({points.begin(), points.end()}, metric);
            const Problem problem(instance, TreeSpec{.root = 7, .hops = 4});
            const Tree start = hop_tree("hop-levels", problem);
            const auto search = prepare_levels(problem, 2, {});
            const auto worker = search->worker(1, 0);
            worker->adopt(start);
            EXPECT_LE(worker->cost(), problem.cost(start) * (1 + 1e-12));
            worker->run(std::int64_t{3} * n, {});
            const auto violation = problem.violation(worker->tree());
            ASSERT_FALSE(violation) << *violation;
            EXPECT_NEAR(problem.cost(worker->tree()), worker->cost(), 1e-9 * worker->cost());
            EXPECT_LT(worker->cost(), 0.8 * problem.cost(start));
        }
    }
}

TEST(LevelWorker, TellsTheSameTreeForTheSameSeedAndNothingForStars) {
    const Instance instance = generate({.n = 80, .seed = 6});
    const Problem problem(instance, TreeSpec{.root = 0, .hops = 3});
    const auto search = prepare_levels(problem, 1, {});
    std::vector<Tree> trees;
    for (int turn = 0; turn < 2; ++turn) {
        const auto worker = search->worker(9, 1);
        worker->adopt(hop_tree("hop-levels", problem));
        for (int round = 0; round < 3; ++round) worker->run(100, {});
        trees.push_back(worker->tree());
    }
    EXPECT_EQ(trees[0].edges, trees[1].edges);

    const Problem star(instance, TreeSpec{.root = 0, .hops = 1});
    const auto stars = prepare_levels(star, 1, {});
    const auto worker = stars->worker(0, 0);
    worker->adopt(hop_tree("hop-levels", star));
    EXPECT_EQ(worker->run(10, {}), 0);
}

TEST(WindowedLevelWorker, DoesNotDependOnTheThreadsAndKeepsTheLimit) {
    const Instance instance = generate({.n = 10'000, .seed = 7});
    for (const TreeSpec& spec : {TreeSpec{.root = 11, .hops = 4}, TreeSpec{.diameter = 8}, TreeSpec{.diameter = 9},
                                 TreeSpec{.root = 11, .hops = 6, .diameter = 9}}) {
        const Problem problem(instance, spec);
        const Problem around(instance, TreeSpec{.root = 11, .hops = 4});
        const Tree start = hop_tree("hop-levels", around);
        const auto search = prepare_levels(problem, 1, {});
        ASSERT_TRUE(search->has_parallel_rounds());
        std::vector<Tree> trees;
        for (const int threads : {1, 3}) {
            const auto worker = search->worker(4, 0);
            worker->use_threads(threads);
            worker->adopt(start);
            for (int pass = 0; pass < 2; ++pass) worker->run(1'000'000, {});
            const auto violation = problem.violation(worker->tree());
            ASSERT_FALSE(violation) << *violation;
            EXPECT_NEAR(problem.cost(worker->tree()), worker->cost(), 1e-9 * worker->cost());
            EXPECT_LT(worker->cost(), 0.75 * problem.cost(start));
            trees.push_back(worker->tree());
        }
        EXPECT_EQ(trees[0].edges, trees[1].edges);
    }
}

TEST(WindowedLevelWorker, HearsTheStopToken) {
    const Instance instance = generate({.n = 30'000, .seed = 8});
    const Problem problem(instance, TreeSpec{.root = 0, .hops = 5});
    const Tree start = hop_tree("hop-levels", problem);
    const auto search = prepare_levels(problem, 1, {});
    const auto worker = search->worker(4, 0);
    worker->adopt(start);
    int questions = 0;
    const StopToken soon({}, [&] { return ++questions > 1000; });
    worker->run(1'000'000'000, soon);
    EXPECT_LT(questions, 1200);
    EXPECT_FALSE(problem.violation(worker->tree()));
    EXPECT_LE(worker->cost(), problem.cost(start));
}

TEST(LevelSearch, IsForFewHopsOnCompleteGraphsAlone) {
    const Instance points = generate({.n = 50, .seed = 1});
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.root = 0, .hops = 5})).name, "levels");
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.root = 0, .hops = 30})).name, "rooted");
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.diameter = 9})).name, "levels");
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.diameter = 30})).name, "rooted");
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.root = 0, .hops = 5, .diameter = 9})).name, "levels");
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.root = 0, .hops = 20, .diameter = 30})).name, "rooted");
    EXPECT_FALSE(suits_levels(Problem(points, TreeSpec{.root = 0, .hops = 5, .diameter = 11})));  // it is idle
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.root = 0, .hops = 5, .length = 2})).name, "rooted");
    EXPECT_EQ(local_search_for(Problem(points, TreeSpec{.root = 0, .hops = 5, .included_edges = {{1, 2}}})).name,
              "rooted");
    const Instance sparse = generate({.shape = GenerateOptions::Shape::sparse, .n = 50, .seed = 1});
    EXPECT_EQ(local_search_for(Problem(sparse, TreeSpec{.root = 0, .hops = 9})).name, "rooted");
    const Instance matrix = generate({.shape = GenerateOptions::Shape::matrix, .n = 2100, .seed = 1});
    EXPECT_EQ(local_search_for(Problem(matrix, TreeSpec{.root = 0, .hops = 5})).name, "rooted");
}

}  // namespace
}  // namespace neuroprim
