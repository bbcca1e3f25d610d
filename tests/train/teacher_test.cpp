#include "train/teacher.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "train/costs.hpp"
#include "train/instances.hpp"

namespace neuroprim::train {
namespace {

struct Lesson {
    Graphs graphs;
    at::Tensor starts;
    Trajectories trees;
};

Lesson lesson_of(const Rules& rules, int threads = 1) {
    InstanceOptions instances;
    instances.n_min = instances.n_max = 12;
    instances.terminals_min = 3;
    instances.terminals_max = 6;
    const BatchPart part{5, 1, 0, 4};
    Lesson lesson;
    lesson.graphs = draw_graphs(instances, rules.terminals_only, part);
    lesson.starts = draw_starts(lesson.graphs, rules, 3, true, part);
    lesson.trees = teach(lesson.graphs, rules, lesson.starts, {20, 9, 0, threads});
    return lesson;
}

std::vector<Rules> all_rules() {
    Rules path;
    path.degree_limit = 2;
    Rules routing;
    routing.cost = Rules::Cost::routing_cost;
    Rules steiner;
    steiner.terminals_only = true;
    Rules hops;
    hops.hop_limit = 3;
    hops.one_start = true;
    return {path, routing, steiner, hops};
}

TEST(Teacher, TellsEveryTrajectoryAsOpenEdgesOnly) {
    for (const Rules& rules : all_rules()) {
        const auto [graphs, starts, trees] = lesson_of(rules);
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

TEST(Teacher, TellsTheSameTreeFromEveryStartAndHoldsAllThatIsRequired) {
    for (const Rules& rules : all_rules()) {
        const auto [graphs, starts, trees] = lesson_of(rules);
        const auto costs = trees.costs.view({graphs.size(), -1});
        EXPECT_TRUE(at::allclose(costs, costs.narrow(1, 0, 1).expand_as(costs), 1e-5, 1e-6));
        const auto required = rules.terminals_only ? graphs.terminals : at::ones_like(graphs.terminals);
        const auto left_out = (trees.enter == never) & required.repeat_interleave(3, 0);
        EXPECT_FALSE(left_out.any().item<bool>());
    }
}

TEST(Teacher, DoesNotDependOnThreads) {
    for (const Rules& rules : all_rules()) {
        EXPECT_TRUE(at::equal(lesson_of(rules, 1).trees.targets, lesson_of(rules, 3).trees.targets));
    }
}

TEST(TreeCosts, OfASteinerTreeGrowWithTheShareOfWhatIsPruned) {
    Rules rules;
    rules.terminals_only = true;
    Graphs graphs{at::tensor({0.f, 0.f, 1.f, 0.f, 0.f, 1.f}).view({1, 3, 2}),
                  at::tensor({true, true, false}).view({1, 3})};
    Trajectories trees;
    trees.start = at::zeros({1}, at::kLong);
    trees.sources = at::zeros({1, 2}, at::kLong);
    trees.targets = at::tensor({std::int64_t{2}, std::int64_t{1}}).view({1, 2});
    trees.lengths = at::full({1}, 2, at::kInt);
    trees.enter = at::tensor({0, 2, 1}, at::kInt).view({1, 3});
    trees.close = at::full({1, 3}, never, at::kInt);
    for (const double waste : {0.0, 0.25, 1.0}) {
        rules.waste = waste;
        EXPECT_NEAR(tree_costs(trees, graphs, rules).item<double>(), 1 + waste, 1e-6);
    }
}

}  // namespace
}  // namespace neuroprim::train
