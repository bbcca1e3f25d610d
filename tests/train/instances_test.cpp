#include "train/instances.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <set>

#include "train/resources.hpp"

namespace neuroprim::train {
namespace {

const Rules some_terminals = make_rules("stp", {});

TEST(DrawGraphs, OfAPartAreThoseOfTheWhole) {
    InstanceOptions options;
    options.shape = InstanceOptions::Shape::mixed;
    options.weights = InstanceOptions::EdgeWeights::mixed;
    options.n_min = 5;
    options.n_max = 30;
    const Rules rules = make_rules("stp", {});
    const BatchPart all{1, 17, 0, 6};
    const BatchPart part{1, 17, 4, 2};
    const Graphs whole = draw_graphs(options, some_terminals, all);
    const Graphs some = draw_graphs(options, some_terminals, part);
    EXPECT_TRUE(at::equal(whole.points.slice(0, 4, 6), some.points));
    EXPECT_TRUE(at::equal(whole.terminals.slice(0, 4, 6), some.terminals));
    EXPECT_TRUE(at::equal(whole.weights.slice(0, 4, 6), some.weights));
    EXPECT_TRUE(at::equal(draw_starts(whole, rules, 7, false, all).slice(0, 28, 42),
                          draw_starts(some, rules, 7, false, part)));
    EXPECT_TRUE(at::equal(draw_uniform({false, 3, 0}, 10, 5).slice(0, 6, 10), draw_uniform({false, 3, 6}, 4, 5)));
}

TEST(DrawGraphs, LieInTheUnitSquareAndFillIt) {
    for (const auto shape : {InstanceOptions::Shape::uniform, InstanceOptions::Shape::clustered}) {
        InstanceOptions options;
        options.shape = shape;
        const Graphs graphs = draw_graphs(options, Rules{}, {0, 0, 0, 200});
        EXPECT_GE(graphs.points.min().item<float>(), 0);
        EXPECT_LE(graphs.points.max().item<float>(), 1);
        EXPECT_NEAR(graphs.points.mean().item<float>(), 0.5, 0.05);
        EXPECT_TRUE(graphs.terminals.all().item<bool>());
    }
}

TEST(DrawGraphs, OfARemainderLieAroundTheEndOfThePath) {
    InstanceOptions options;
    options.shape = InstanceOptions::Shape::remainder;
    const Rules rules = from_a_leaf(make_rules("dcmst", {.degree = 2}));
    const BatchPart part{6, 0, 0, 200};
    const Graphs graphs = draw_graphs(options, rules, part);
    EXPECT_TRUE((graphs.roots == 0).all().item<bool>());
    EXPECT_TRUE((draw_starts(graphs, rules, 3, true, part) == 0).all().item<bool>());
    const auto low = graphs.points.amin(1);
    const auto high = graphs.points.amax(1);
    EXPECT_TRUE(at::allclose(low, at::zeros_like(low)));
    EXPECT_TRUE(at::allclose(high.amax(1), at::ones({200})));
    // The end lies at the border of what is left: in a disc it would be in the middle.
    const auto apart = (graphs.points.mean(1) - graphs.points.select(1, 0)).square().sum(1).sqrt();
    EXPECT_GT(apart.mean().item<float>(), 0.2);
}

TEST(DrawGraphs, HaveStraightWeightsInHalfTheGraphsAndOthersAroundThem) {
    InstanceOptions options;
    const Graphs straight = draw_graphs(options, Rules{}, {2, 0, 0, 200});
    EXPECT_FALSE(straight.weights.defined());
    options.weights = InstanceOptions::EdgeWeights::mixed;
    const Graphs graphs = draw_graphs(options, Rules{}, {2, 0, 0, 200});
    EXPECT_TRUE(at::equal(graphs.points, straight.points));
    EXPECT_TRUE(at::equal(graphs.weights, graphs.weights.transpose(1, 2)));
    EXPECT_TRUE((graphs.weights.diagonal(0, 1, 2) == 0).all().item<bool>());
    const auto factors = graphs.weights / edge_weights(straight);
    const auto upper = at::ones({50, 50}, at::kBool).triu(1).expand({200, 50, 50});
    const auto logs = factors.log().masked_select(upper).view({200, -1});
    const auto spreads = logs.std(1);
    EXPECT_NEAR((spreads < 1e-4).sum().item<double>(), 100, 25);
    const auto other = spreads.masked_select(spreads > 1e-4);
    EXPECT_NEAR(other.mean().item<double>(), 0.5, 0.1);
    EXPECT_LT(other.max().item<double>(), 1.1);
    EXPECT_NEAR(logs.mean().item<double>(), 0, 0.01);
}

TEST(DrawGraphs, LimitLengthsByTheShortestWaysFromTheRoot) {
    InstanceOptions options;
    options.n_min = options.n_max = 12;
    options.weights = InstanceOptions::EdgeWeights::mixed;
    ProblemOptions limit;
    limit.length = 100;
    const Rules rules = make_rules("lmst", limit);
    const Graphs graphs = draw_graphs(options, rules, {4, 0, 0, 20});
    auto ways = graphs.weights.clone();
    for (int k = 0; k < 12; ++k)
        ways = at::minimum(ways, ways.select(2, k).unsqueeze(2) + ways.select(1, k).unsqueeze(1));
    const auto from_root = ways.gather(1, graphs.roots.view({-1, 1, 1}).expand({-1, 1, 12})).squeeze(1);
    EXPECT_TRUE(at::allclose(graphs.length_limits, from_root.amax(1)));
}

TEST(DrawGraphs, DrawSizesAndTerminalsAnewForEachBatch) {
    InstanceOptions options;
    options.n_min = 10;
    options.n_max = 12;
    std::set<std::int64_t> sizes;
    std::set<std::int64_t> counts;
    for (std::uint64_t number = 0; number < 200; ++number) {
        const Graphs graphs = draw_graphs(options, some_terminals, {0, number, 0, 2});
        sizes.insert(graphs.vertices());
        const auto each = graphs.terminals.sum(1);
        EXPECT_TRUE((each == each[0]).all().item<bool>());
        counts.insert(each[0].item<std::int64_t>());
    }
    EXPECT_EQ(sizes, (std::set<std::int64_t>{10, 11, 12}));
    EXPECT_EQ(*counts.begin(), 2);
    EXPECT_EQ(*counts.rbegin(), 12);
    EXPECT_EQ(counts.size(), 11U);
}

TEST(DrawStarts, AreTerminals) {
    InstanceOptions options;
    options.terminals_max = 5;
    const Graphs graphs = draw_graphs(options, some_terminals, {0, 3, 0, 8});
    for (const bool distinct : {false, true}) {
        const auto starts = draw_starts(graphs, make_rules("stp", {}), 50, distinct, {0, 3, 0, 8}).view({8, 50});
        EXPECT_TRUE(graphs.terminals.gather(1, starts).all().item<bool>());
    }
}

TEST(DrawStarts, AreEveryVertexOnceWhenDistinct) {
    InstanceOptions options;
    options.n_min = options.n_max = 9;
    const Graphs graphs = draw_graphs(options, Rules{}, {0, 0, 0, 3});
    const auto starts = draw_starts(graphs, Rules{}, 9, true, {0, 0, 0, 3}).view({3, 9});
    EXPECT_TRUE(at::equal(std::get<0>(starts.sort(1)), at::arange(9).expand({3, 9})));
    EXPECT_FALSE(at::equal(starts[0], starts[1]));
}

TEST(DrawStarts, AreOneVertexPerGraphForRootedProblems) {
    InstanceOptions options;
    const Graphs graphs = draw_graphs(options, Rules{}, {0, 0, 0, 20});
    ProblemOptions problem;
    problem.hops = 3;
    const auto starts = draw_starts(graphs, make_rules("hmst", problem), 6, false, {0, 0, 0, 20}).view({20, 6});
    EXPECT_TRUE((starts == starts.select(1, 0).unsqueeze(1)).all().item<bool>());
    EXPECT_GT(std::get<0>(at::_unique(starts)).size(0), 5);
}

TEST(InUnitSquare, KeepsTheAspect) {
    const auto points = at::tensor({2.0f, 5.0f, 6.0f, 7.0f, 4.0f, 5.0f}).view({1, 3, 2});
    const auto expected = at::tensor({0.0f, 0.0f, 1.0f, 0.5f, 0.5f, 0.0f}).view({1, 3, 2});
    EXPECT_TRUE(at::allclose(in_unit_square(points), expected));
    EXPECT_TRUE(at::equal(in_unit_square(at::ones({1, 3, 2})), at::zeros({1, 3, 2})));
}

}  // namespace
}  // namespace neuroprim::train
