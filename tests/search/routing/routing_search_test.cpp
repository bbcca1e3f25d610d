#include "search/routing/routing_search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "search/routing/clusters.hpp"
#include "search/routing/hub_shifts.hpp"
#include "search/routing/perturbation.hpp"
#include "search/routing/quick_star.hpp"
#include "search/routing/routing_descent.hpp"
#include "search/routing/routing_tree.hpp"
#include "search/routing/subtree_moves.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using routing::HubShifts;
using routing::Lengths;
using routing::RoutingTree;
using routing::SubtreeMoves;
using Shape = GenerateOptions::Shape;
using testing::construct;

constexpr std::array shapes = {Shape::uniform, Shape::clustered, Shape::matrix, Shape::sparse};

std::vector<double> ones(Vertex n) {
    return std::vector<double>(index(n), 1.0);
}

/// Σ mass · mass · distance over pairs, by its definition.
double cost_by_definition(const RoutingTree& tree) {
    double sum = 0;
    for (Vertex u = 0; u < tree.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) sum += tree.mass(u) * tree.mass(v) * tree.distance(u, v);
    }
    return sum;
}

TEST(RoutingTree, KnowsTheRoutingCostThroughRandomChanges) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Instance instance = generate({.shape = shapes[seed], .n = 30, .average_degree = 6, .seed = seed});
        const auto problem = make_problem("mrcst", instance);
        const Lengths lengths(instance.weights);
        RoutingTree tree(lengths, ones(30));
        tree.load(construct("prim", *problem));
        Random random(seed);
        for (int k = 0; k < 500; ++k) {
            routing::perturb(tree, lengths, random);
            ASSERT_EQ(problem->violation(tree.tree()), std::nullopt);
            ASSERT_NEAR(tree.cost(), problem->cost(tree.tree()), 1e-9 * tree.cost());
        }
    }
}

TEST(RoutingTree, CountsMassesAndSumsAsTheirDefinitionsSay) {
    const Instance instance = generate({.n = 12, .seed = 7});
    const Lengths lengths(instance.weights);
    std::vector<double> masses;
    for (int k = 0; k < 12; ++k) masses.push_back(1 + k % 4);
    RoutingTree tree(lengths, masses);
    tree.load(construct("kruskal", *make_problem("mst", instance)));
    EXPECT_NEAR(tree.cost(), cost_by_definition(tree), 1e-12 * tree.cost());
    for (Vertex v = 0; v < 12; ++v) {
        double sum = 0;
        double mass_below = 0;
        for (Vertex x = 0; x < 12; ++x) sum += masses[index(x)] * tree.distance(v, x);
        for (const Vertex x : tree.below(v)) mass_below += masses[index(x)];
        EXPECT_NEAR(tree.sum(v), sum, 1e-12 * sum);
        EXPECT_EQ(tree.mass_below(v), mass_below);
    }
}

/// The cheapest way to join the subtree again, by trying every edge in full.
double best_by_trying(const RoutingTree& tree, const Lengths& lengths, Vertex lower) {
    RoutingTree copy = tree;
    double least = tree.cost();
    for (const Vertex inside : tree.below(lower)) {
        for (const Vertex outside : tree.order()) {
            if (tree.is_above(lower, outside) || lengths(inside, outside) == Weights::infinity) continue;
            copy.restore(tree.parents());
            copy.regraft(lower, inside, outside);
            least = std::min(least, copy.cost());
        }
    }
    return least;
}

TEST(SubtreeMoves, FindTheBestOfAllEdgesAndKnowItsGain) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Instance instance = generate({.shape = shapes[seed % 4], .n = 16, .average_degree = 5, .seed = seed});
        const Lengths lengths(instance.weights);
        std::vector<double> masses = ones(16);
        if (seed >= 4) masses[3] = masses[8] = 4;
        RoutingTree tree(lengths, masses);
        tree.load(construct("prim", *make_problem("mrcst", instance)));
        Random random(seed);
        SubtreeMoves moves;
        for (int k = 0; k < 10; ++k) {
            routing::perturb(tree, lengths, random);
            for (const Vertex lower : tree.order().subspan(1)) {
                const auto move = moves.best(tree, lengths, lower);
                const double least = best_by_trying(tree, lengths, lower);
                ASSERT_NEAR(tree.cost() - move.gain, least, 1e-9 * least) << "seed " << seed << " lower " << lower;
            }
        }
    }
}

TEST(RoutingMoves, GainExactlyWhatTheySayInAHundredThousandRandomMoves) {
    const Instance instance = generate({.n = 40, .seed = 11});
    const auto problem = make_problem("mrcst", instance);
    const Lengths lengths(instance.weights);
    RoutingTree tree(lengths, ones(40));
    tree.load(construct("kruskal", *problem));
    Random random(5);
    SubtreeMoves subtrees;
    HubShifts shifts;
    std::vector<Vertex> moved;
    for (int k = 0; k < 50000; ++k) {
        const double before = tree.cost();
        const Vertex hub = tree.hubs()[random.below(tree.hubs().size())];
        std::vector<Vertex> around(tree.children(hub).begin(), tree.children(hub).end());
        if (hub != tree.root()) around.push_back(tree.parent(hub));
        const Vertex to = around[random.below(around.size())];
        moved.clear();
        for (const Vertex x : around) {
            if (x != to && random.below(2) == 0) moved.push_back(x);
        }
        const double change = shifts.change(tree, lengths, hub, to, moved);
        tree.shift(hub, to, moved);
        tree.refresh();
        ASSERT_NEAR(tree.cost(), before + change, 1e-9 * tree.cost());

        const double between = tree.cost();
        const auto move = subtrees.best(tree, lengths, tree.order()[1 + random.below(39)]);
        if (move.inside == no_vertex) continue;
        tree.regraft(move.lower, move.inside, move.outside);
        ASSERT_NEAR(tree.cost(), between - move.gain, 1e-9 * tree.cost());
        ASSERT_NEAR(tree.cost(), problem->cost(tree.tree()), 1e-9 * tree.cost());
    }
}

TEST(RoutingDescent, EndsWhereNoSingleExchangeOfEdgesIsBetter) {
    for (const Shape shape : shapes) {
        const Instance instance = generate({.shape = shape, .n = 14, .average_degree = 5, .seed = 2});
        const Lengths lengths(instance.weights);
        RoutingTree tree(lengths, ones(14));
        tree.load(construct("prim", *make_problem("mrcst", instance)));
        Random random(1);
        routing::RoutingDescent descent;
        EXPECT_TRUE(descent.descend(tree, lengths, random, StopToken()));
        for (const Vertex lower : tree.order().subspan(1)) {
            EXPECT_NEAR(best_by_trying(tree, lengths, lower), tree.cost(), 1e-9 * tree.cost());
        }
    }
}

TEST(RoutingSearch, FindsTheOptimumOfSmallInstances) {
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
        const Vertex n = seed < 4 ? 7 : 6;
        const Instance instance = generate({.shape = shapes[seed % 4], .n = n, .average_degree = 4, .seed = seed});
        const auto problem = make_problem("mrcst", instance);
        const double least = [&] {
            double best = Weights::infinity;
            std::vector<Vertex> all;
            for (Vertex v = 0; v < n; ++v) all.push_back(v);
            testing::for_each_tree(all, [&](const Tree& tree) { best = std::min(best, problem->cost(tree)); });
            return best;
        }();
        const auto search = prepare_routing(*problem, 1, StopToken());
        const auto worker = search->worker(seed, 0);
        worker->adopt(construct("prim", *problem));
        worker->run(200, StopToken());
        EXPECT_NEAR(worker->cost(), least, 1e-9 * least) << "seed " << seed;
        EXPECT_NEAR(problem->cost(worker->tree()), worker->cost(), 1e-9 * least);
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
    }
}

TEST(RoutingSearch, GivesTheSameTreeForTheSameSeedHoweverTheRoundsAreCut) {
    const Instance instance = generate({.n = 80, .seed = 3});
    const auto problem = make_problem("mrcst", instance);
    const auto search = prepare_routing(*problem, 2, StopToken());
    const auto whole = search->worker(4, 1);
    const auto pieces = search->worker(4, 1);
    whole->adopt(construct("kruskal", *problem));
    pieces->adopt(construct("kruskal", *problem));
    EXPECT_EQ(whole->run(12, StopToken()), 12);
    for (int k = 0; k < 4; ++k) pieces->run(3, StopToken());
    EXPECT_EQ(whole->tree(), pieces->tree());
}

TEST(RoutingSearch, StopsSoonAfterTheStopTokenAndHoldsAFeasibleTree) {
    const Instance instance = generate({.n = 10000, .seed = 3});
    const auto problem = make_problem("mrcst", instance);
    Tree given{0, {}};
    for (Vertex v = 1; v < 10000; ++v) given.edges.push_back({0, v});
    const auto began = StopToken::Clock::now();
    const auto search = prepare_routing(*problem, 1, StopToken());
    const auto worker = search->worker(1, 0);
    worker->adopt(given);
    worker->run(1000000, StopToken(began + std::chrono::milliseconds(10), {}));
    const double seconds = std::chrono::duration<double>(StopToken::Clock::now() - began).count();
    EXPECT_LT(seconds, 0.5);  // far less on a quiet machine without sanitizers
    EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
    EXPECT_LE(worker->cost(), problem->cost(given) * (1 + 1e-12));
}

TEST(RoutingSearch, HasNothingToTryOnOneOrTwoVertices) {
    for (const Vertex n : {1, 2}) {
        const Instance instance = generate({.n = n});
        const auto problem = make_problem("mrcst", instance);
        const auto search = prepare_routing(*problem, 1, StopToken());
        const auto worker = search->worker(0, 0);
        worker->adopt(construct("kruskal", *problem));
        EXPECT_EQ(worker->run(5, StopToken()), 0);
        EXPECT_EQ(worker->tree().edges.size(), index(n) - 1);
    }
}

TEST(QuickStar, IsNearlyTheBestStar) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::matrix}) {
        for (const Vertex n : {1, 2, 5, 600}) {
            const Instance instance = generate({.shape = shape, .n = n, .seed = 2});
            const auto problem = make_problem("mrcst", instance);
            const Tree tree = quick_star(*problem);
            EXPECT_EQ(problem->violation(tree), std::nullopt);
            const double best = problem->cost(construct("star", *problem));
            EXPECT_LE(problem->cost(tree), 1.03 * best) << n;
            EXPECT_GE(problem->cost(tree), best * (1 - 1e-12));
        }
    }
}

TEST(Clusters, HoldEveryPointOnceAndHaveOneOfThemInTheirMiddle) {
    const Instance instance = generate({.shape = Shape::clustered, .n = 1000, .seed = 6});
    const auto clusters = routing::gather_clusters(instance.weights, 37);
    ASSERT_EQ(clusters.middle.size(), 37U);
    std::vector<double> counted(37, 0);
    for (const Vertex cluster : clusters.cluster) ++counted[index(cluster)];
    EXPECT_EQ(counted, clusters.mass);
    for (std::size_t k = 0; k < 37; ++k) {
        EXPECT_EQ(clusters.cluster[index(clusters.middle[k])], static_cast<Vertex>(k));
        EXPECT_NEAR(clusters.mass[k], 1000.0 / 37, 2);
    }
}

TEST(Clusters, MakeASpanningTreeThatBeatsTheBestStar) {
    const Instance instance = generate({.n = 2000, .seed = 8});
    const auto problem = make_problem("mrcst", instance);
    const Lengths lengths(instance.weights);
    RoutingTree tree(lengths, ones(2000));
    tree.restore(routing::tree_of_clusters(instance.weights, 60, 50, Random(1), StopToken()));
    EXPECT_EQ(problem->violation(tree.tree()), std::nullopt);
    Random random(2);
    routing::RoutingDescent().descend(tree, lengths, random, StopToken());
    EXPECT_LT(problem->cost(tree.tree()), 0.96 * problem->cost(construct("star", *problem)));
}

}  // namespace
}  // namespace neuroprim
