#include "search/routing/communication_search.hpp"

#include <gtest/gtest.h>

#include <array>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "search/routing/communication_tree.hpp"
#include "search/routing/perturbation.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

using routing::CommunicationTree;
using routing::Lengths;
using routing::Traffic;
using Shape = GenerateOptions::Shape;
using testing::construct;

constexpr std::array communication_shapes = {Shape::uniform, Shape::clustered, Shape::matrix, Shape::sparse};

TEST(CommunicationTree, FindsTheBestOfAllEdgesAndKnowsItsGain) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Instance instance = generate(
            {.shape = communication_shapes[seed], .n = 14, .average_degree = 5, .requirements = true, .seed = seed});
        const auto problem = make_problem("ocst", instance);
        const Lengths lengths(instance.weights);
        const Traffic traffic(14, instance.requirements);
        CommunicationTree tree(lengths, traffic);
        tree.load(construct("prim", *problem));
        Random random(seed);
        for (int k = 0; k < 10; ++k) {
            tree.reshape([&](routing::RoutingTree& shape) { routing::perturb(shape, lengths, random); });
            ASSERT_NEAR(tree.cost(), problem->cost(tree.shape().tree()), 1e-9 * tree.cost());
            const auto& shape = tree.shape();
            for (const Vertex lower : shape.order().subspan(1)) {
                const auto move = tree.best_move(lower);
                double least = tree.cost();
                for (const Vertex inside : shape.below(lower)) {
                    for (const Vertex outside : shape.order()) {
                        if (shape.is_above(lower, outside) || !instance.weights.has_edge(inside, outside)) continue;
                        routing::RoutingTree copy = shape;
                        copy.regraft(lower, inside, outside);
                        least = std::min(least, problem->cost(copy.tree()));
                    }
                }
                ASSERT_NEAR(tree.cost() - move.gain, least, 1e-9 * least) << "seed " << seed << " lower " << lower;
            }
        }
    }
}

TEST(CommunicationTree, GainsExactlyWhatItSaysInRandomMoves) {
    const Instance instance = generate({.n = 25, .requirements = true, .seed = 4});
    const auto problem = make_problem("ocst", instance);
    const Lengths lengths(instance.weights);
    const Traffic traffic(25, instance.requirements);
    CommunicationTree tree(lengths, traffic);
    tree.load(construct("kruskal", *problem));
    Random random(9);
    int moves = 0;
    while (moves < 100000) {
        tree.reshape([&](routing::RoutingTree& shape) { routing::perturb(shape, lengths, random); });
        const auto move = tree.best_move(tree.shape().order()[1 + random.below(24)]);
        ++moves;
        if (move.inside == no_vertex) continue;
        const double before = tree.cost();
        tree.apply(move);
        ASSERT_NEAR(tree.cost(), before - move.gain, 1e-9 * before);
        if (moves % 20 == 0) {
            ASSERT_NEAR(tree.cost(), problem->cost(tree.shape().tree()), 1e-9 * before);
        }
    }
}

TEST(CommunicationSearch, FindsTheOptimumOfSmallInstances) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const Vertex n = seed < 4 ? 7 : 6;
        const Instance instance = generate({.shape = communication_shapes[seed % 4],
                                            .n = n,
                                            .average_degree = 4,
                                            .requirements = true,
                                            .seed = seed});
        const auto problem = make_problem("ocst", instance);
        double least = Weights::infinity;
        std::vector<Vertex> all;
        for (Vertex v = 0; v < n; ++v) all.push_back(v);
        testing::for_each_tree(all, [&](const Tree& tree) { least = std::min(least, problem->cost(tree)); });
        const auto search = prepare_communication(*problem, 1, StopToken());
        const auto worker = search->worker(seed, 0);
        worker->adopt(construct("prim", *problem));
        worker->run(200, StopToken());
        EXPECT_NEAR(worker->cost(), least, 1e-9 * least) << "seed " << seed;
        EXPECT_NEAR(problem->cost(worker->tree()), worker->cost(), 1e-9 * least);
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
    }
}

TEST(CommunicationSearch, IsMeantForTrafficTablesThatFit) {
    const Instance instance = generate({.n = 10, .requirements = true});
    EXPECT_TRUE(suits_communication(*make_problem("ocst", instance)));
    EXPECT_FALSE(suits_communication(*make_problem("mrcst", instance)));
    EXPECT_EQ(local_search_for(*make_problem("ocst", instance)).name, "communication");
    EXPECT_EQ(local_search_for(*make_problem("mrcst", instance)).name, "routing");
    EXPECT_EQ(local_search_for(*make_problem("hmst", instance, {.root = 0, .hops = 3})).name, "levels");
    const auto hops = make_problem("ocst", instance, {.root = 0, .hops = 3});
    EXPECT_EQ(local_search_for(*hops).name, "swaps");
}

}  // namespace
}  // namespace neuroprim
