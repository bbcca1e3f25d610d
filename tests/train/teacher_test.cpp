#include "train/teacher.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "train/costs.hpp"
#include "train/instances.hpp"

namespace neuroprim::train {
namespace {

struct Imitated {
    Graphs graphs;
    at::Tensor starts;
    Trajectories trees;
};

using EdgeWeights = InstanceOptions::EdgeWeights;

Imitated imitated_by(const Rules& rules, Order order = Order::cheapest, int threads = 1,
                     EdgeWeights weights = EdgeWeights::straight) {
    InstanceOptions instances;
    instances.weights = weights;
    instances.n_min = instances.n_max = 12;
    instances.terminals_min = 3;
    instances.terminals_max = 6;
    const BatchPart part{5, 1, 0, 4};
    Imitated imitated;
    imitated.graphs = draw_graphs(instances, rules, part);
    imitated.starts = draw_starts(imitated.graphs, rules, 3, true, part);
    const auto roots = draw_starts(imitated.graphs, rules, 1, true, part);
    const SolvedGraphs solved = solve_graphs(imitated.graphs, rules, roots, {20, 9, 0, threads});
    imitated.trees = tell(solved, imitated.starts, order, 4, threads);
    return imitated;
}

std::vector<Rules> all_rules() {
    Rules path;
    path.degree_limit = 2;
    Rules routing;
    routing.cost = Rules::Cost::routing_cost;
    Rules steiner;
    steiner.coverage = Coverage::terminals;
    Rules hops;
    hops.hop_limit = 3;
    hops.one_start = true;
    return {path, routing, steiner, hops};
}

class EitherOrder : public testing::TestWithParam<Order> {};

TEST_P(EitherOrder, TellsEveryTrajectoryAsOpenEdgesOnly) {
    for (const Rules& rules : all_rules()) {
        const auto [graphs, starts, trees] = imitated_by(rules, GetParam());
        for (std::int64_t b = 0; b < trees.size(); ++b) {
            const int length = trees.lengths[b].item<int>();
            ASSERT_GT(length, 0);
            EXPECT_EQ(trees.enter[b][starts[b].item<std::int64_t>()].item<int>(), 0);
            for (int t = 0; t < length; ++t) {
                const auto u = trees.sources[b][t].item<std::int64_t>();
                const auto v = trees.targets[b][t].item<std::int64_t>();
                EXPECT_LE(trees.enter[b][u].item<int>(), t);
                EXPECT_GT(trees.close[b][u].item<int>(), t);
                EXPECT_EQ(trees.enter[b][v].item<int>(), t + 1);
            }
        }
    }
}

TEST_P(EitherOrder, TellsTheSameTreeFromEveryStartAndHoldsAllThatIsRequired) {
    for (const Rules& rules : all_rules()) {
        const auto [graphs, starts, trees] = imitated_by(rules, GetParam());
        EXPECT_TRUE(at::allclose(trees.costs, tree_costs(trees, graphs, rules), 1e-5, 1e-6));
        const auto required = rules.terminals_only() ? graphs.terminals : at::ones_like(graphs.terminals);
        const auto left_out = (trees.enter == never) & required.repeat_interleave(3, 0);
        EXPECT_FALSE(left_out.any().item<bool>());
    }
}

INSTANTIATE_TEST_SUITE_P(Teacher, EitherOrder, testing::Values(Order::cheapest, Order::random));

TEST(Teacher, DoesNotDependOnThreads) {
    for (const Rules& rules : all_rules()) {
        const auto alone = imitated_by(rules, Order::cheapest, 1);
        EXPECT_TRUE(at::equal(alone.trees.targets, imitated_by(rules, Order::cheapest, 3).trees.targets));
    }
}

TEST(Teacher, PricesAndOrdersByTrueWeights) {
    for (const Rules& rules : all_rules()) {
        const auto [graphs, starts, trees] = imitated_by(rules, Order::cheapest, 1, EdgeWeights::mixed);
        EXPECT_TRUE(at::allclose(trees.costs, tree_costs(trees, graphs, rules), 1e-5, 1e-6));
        Graphs blind = graphs;
        blind.weights = at::Tensor();
        EXPECT_FALSE(at::allclose(trees.costs, tree_costs(trees, blind, rules), 1e-2, 1e-2));
        for (std::int64_t b = 0; b < trees.size(); ++b) {
            const auto weights = graphs.weights[b / 3][starts[b].item<std::int64_t>()];
            const auto at_start = trees.sources[b].narrow(0, 0, trees.lengths[b].item<int>()) == starts[b];
            const auto there = weights.gather(0, trees.targets[b].narrow(0, 0, at_start.size(0)));
            EXPECT_EQ(there.masked_select(at_start).min().item<float>(), there[0].item<float>());
        }
    }
}

TEST(Teacher, TakesTheCheapestEdgeNextOrAnyOther) {
    Rules steiner;
    steiner.coverage = Coverage::terminals;
    const auto cheapest = imitated_by(steiner, Order::cheapest);
    const auto random = imitated_by(steiner, Order::random);
    EXPECT_TRUE(at::equal(cheapest.trees.lengths, random.trees.lengths));
    EXPECT_TRUE(at::allclose(cheapest.trees.costs, random.trees.costs));
    EXPECT_FALSE(at::equal(cheapest.trees.targets, random.trees.targets));
    // From one vertex on, the first edge is the shortest of the tree's edges there.
    const auto& points = cheapest.graphs.points;
    const auto length = [&](std::int64_t g, std::int64_t u, std::int64_t v) {
        return (points[g][u] - points[g][v]).norm().item<float>();
    };
    for (std::int64_t b = 0; b < cheapest.trees.size(); ++b) {
        const auto start = cheapest.starts[b].item<std::int64_t>();
        const float first = length(b / 3, start, cheapest.trees.targets[b][0].item<std::int64_t>());
        for (int t = 0; t < cheapest.trees.lengths[b].item<int>(); ++t) {
            const auto u = cheapest.trees.sources[b][t].item<std::int64_t>();
            const auto v = cheapest.trees.targets[b][t].item<std::int64_t>();
            if (u == start) {
                EXPECT_GE(length(b / 3, u, v), first);
            }
        }
    }
}

at::Tensor distances(const at::Tensor& points) {
    return (points.unsqueeze(1) - points.unsqueeze(2)).norm(2, 3);
}

TEST(Mirrored, GraphsAreEightAndKeepTheirDistances) {
    const Graphs graphs = draw_graphs({}, Rules{}, {3, 0, 0, 2});
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
        const Graphs image = mirrored(graphs, symmetry);
        EXPECT_TRUE(at::allclose(distances(image.points), distances(graphs.points), 1e-4, 1e-5));
        for (int other = 0; other < symmetry; ++other) {
            EXPECT_FALSE(at::allclose(image.points, mirrored(graphs, other).points));
        }
    }
}

TEST(TreeCosts, OfASteinerTreeGrowWithTheShareOfWhatIsPruned) {
    Rules rules;
    rules.coverage = Coverage::terminals;
    Graphs graphs;
    graphs.points = at::tensor({0.f, 0.f, 1.f, 0.f, 0.f, 1.f}).view({1, 3, 2});
    graphs.terminals = at::tensor({1, 1, 0}, at::kInt).to(at::kBool).view({1, 3});
    Trajectories trees;
    trees.start = at::zeros({1}, at::kLong);
    trees.sources = at::zeros({1, 2}, at::kLong);
    trees.targets = at::tensor({std::int64_t{2}, std::int64_t{1}}).view({1, 2});
    trees.lengths = at::full({1}, 2, at::kInt);
    trees.enter = at::tensor({0, 2, 1}, at::kInt).view({1, 3});
    trees.close = at::full({1, 3}, never, at::kInt);
    for (const double pruned_edge_penalty : {0.0, 0.25, 1.0}) {
        rules.pruned_edge_penalty = pruned_edge_penalty;
        EXPECT_NEAR(tree_costs(trees, graphs, rules).item<double>(), 1 + pruned_edge_penalty, 1e-6);
    }
}

}  // namespace
}  // namespace neuroprim::train
