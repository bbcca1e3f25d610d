#include "train/fused.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fused_support.hpp"
#include "neuroprim/construction.hpp"
#include "neuroprim/problem.hpp"
#include "policy/specification.hpp"
#include "train/replay.hpp"
#include "train/resources.hpp"
#include "train/rollout.hpp"
#include "train/teacher.hpp"

/// Rollouts, their records and replays on a GPU, beside the plain ones.
namespace neuroprim::train {

namespace {

/// Replays a trajectory through the library's own construction and compares everything it says.
void expect_follows_rules(const Case& c, const Rules& rules, const Graphs& graphs, const Trajectories& t,
                          std::int64_t b) {
    const Instance instance = instance_of(graphs, b / c.per_graph);
    const auto start = static_cast<Vertex>(t.start[b].item<std::int64_t>());
    const Problem problem(instance, specification_of(graphs, b / c.per_graph, rules, start));
    Construction state(problem, start);
    std::vector<std::int32_t> enter(static_cast<std::size_t>(c.n), never);
    std::vector<std::int32_t> close(static_cast<std::size_t>(c.n), never);
    enter[static_cast<std::size_t>(start)] = 0;
    const int length = t.lengths[b].item<int>();
    const auto sources = t.sources.accessor<std::int64_t, 2>();
    const auto targets = t.targets.accessor<std::int64_t, 2>();
    for (int k = 0; k < length; ++k) {
        const auto u = static_cast<Vertex>(sources[b][k]);
        const auto v = static_cast<Vertex>(targets[b][k]);
        ASSERT_FALSE(neuroprim::policy::is_grown(state)) << "step " << k << " after the end";
        ASSERT_TRUE(u >= 0 && u < c.n && v >= 0 && v < c.n && state.allows(u, v)) << "step " << k;
        state.add(u, v);
        enter[static_cast<std::size_t>(v)] = k + 1;
        for (Vertex w = 0; w < c.n; ++w) {
            std::int32_t& closed = close[static_cast<std::size_t>(w)];
            if (state.contains(w) && !state.is_open(w)) closed = std::min(closed, k + 1);
        }
    }
    const bool is_stuck = t.missing[b].item<int>() > 0;
    EXPECT_EQ(neuroprim::policy::is_grown(state), !is_stuck);
    for (Vertex u = 0; is_stuck && u < c.n; ++u) {
        for (Vertex v = 0; v < c.n; ++v) EXPECT_FALSE(state.allows(u, v)) << "no dead end";
    }
    for (std::int64_t v = 0; v < c.n; ++v) {
        ASSERT_EQ(t.enter[b][v].item<int>(), enter[static_cast<std::size_t>(v)]);
        ASSERT_EQ(t.close[b][v].item<int>(), close[static_cast<std::size_t>(v)]);
    }
    if (is_stuck) return;
    const double cost = problem.cost(problem.pruned(state.tree()));
    EXPECT_NEAR(t.costs[b].item<double>(), cost, 1e-5 * cost);
}

Trajectories on_cpu(const Trajectories& t) {
    return {t.start.cpu(), t.sources.cpu(), t.targets.cpu(), t.lengths.cpu(),
            t.enter.cpu(), t.close.cpu(),   t.costs.cpu(),   t.missing.cpu()};
}

TEST_P(Fused, RolloutsFollowTheRulesAndCostWhatTheLibrarySays) {
    const Case& c = GetParam();
    World world(c, at::kFloat);
    const Tables tables = detached(world.tables());
    for (const bool greedy : {false, true}) {
        const Choice choice{greedy, 11, 0};
        const Trajectories trees =
            on_cpu(fused::roll_out(*world.parts, tables, world.graphs, world.rules, world.starts, choice));
        for (std::int64_t b = 0; b < trees.size(); ++b) {
            ASSERT_NO_FATAL_FAILURE(expect_follows_rules(c, world.rules, world.drawn, trees, b))
                << "trajectory " << b;
        }
    }
}

/// (B) bool: does a step see an edge of which two neighbouring features, of which the decoder takes the larger one,
/// differ by no more than rounding does?
at::Tensor sees_tie(const Tables& tables, const Trajectories& t) {
    const std::int64_t steps = t.sources.size(1);
    const auto before = [&](const at::Tensor& vertices) {
        return at::cat({t.start.unsqueeze(1), vertices.narrow(1, 0, steps - 1)}, 1);
    };
    const auto graph = at::arange(t.size(), t.start.options()).floor_divide(t.size() / tables.graphs()).unsqueeze(1);
    const auto number = (graph * tables.vertices() + before(t.sources)) * tables.vertices() + before(t.targets);
    const auto pairs = tables.edges.detach().flatten(0, 2).index_select(0, number.flatten()).unflatten(1, {-1, 2});
    const auto close = (pairs.select(2, 0) - pairs.select(2, 1)).abs() < 1e-5;
    const auto is_step = at::arange(steps, t.lengths.options()) < t.lengths.unsqueeze(1);
    return (close.any(1).view({t.size(), steps}) & is_step).any(1);
}

/// Of a replay, or of what the rollout recorded.
void expect_agrees_with_plain(const Case& c, bool recorded) {
    World world(c, at::kFloat);
    World exact(c, at::kDouble);
    const Tables tables = world.tables();
    StepRecord record;
    fused::DeviceChoice choice;
    choice.seed = at::full({1}, 5, world.starts.options());
    const Trajectories trees =
        fused::roll_out(*world.parts, detached(tables), world.graphs, world.rules, world.starts, choice, &record);
    const auto as_drawn = record.log_probabilities;
    const StepResources resources = fused::step_resources(trees, world.graphs, world.rules, c.told);
    const Likelihood fast = recorded ? fused::log_probabilities(*world.parts, tables, trees, false, resources, record)
                                     : fused::log_probabilities(*world.parts, tables, trees, true, resources);
    const Tables doubles = exact.tables();
    const Likelihood plain = log_probabilities(*exact.parts, doubles, trees, true,
                                               step_resources(trees, exact.graphs, exact.rules, c.told));
    const double size = plain.log_probabilities.abs().max().item<double>();
    // 32-bit floats cannot tell sums of hundreds of logarithms more exactly than by two parts in a million.
    const double tolerance = std::max(1e-4, 2e-6 * size);
    EXPECT_LE(largest_difference(fast.log_probabilities, plain.log_probabilities), tolerance);
    EXPECT_LE(largest_difference(as_drawn, plain.log_probabilities), tolerance);
    if (!recorded) {
        EXPECT_LE(largest_difference(fast.entropies, plain.entropies), 2e-3);
    }

    // The larger of two equal numbers may be either, and the gradient goes to that one.
    const auto is_smooth = sees_tie(doubles, trees).logical_not();
    ASSERT_GE(is_smooth.to(at::kFloat).mean().item<double>(), 0.5);
    const auto weights = at::randn({trees.size()}, plain.log_probabilities.options()) * is_smooth;
    (fast.log_probabilities * weights.to(at::kFloat)).sum().backward();
    (plain.log_probabilities * weights).sum().backward();
    double all = 0;
    for (const auto& parameter : exact.policy->parameters()) all += parameter.grad().square().sum().item<double>();
    all = std::sqrt(all);
    const auto expected = exact.policy->named_parameters();
    double worst = 0;
    for (const auto& item : world.policy->named_parameters()) {
        const auto reference = expected[item.key()].grad();
        ASSERT_TRUE(item.value().grad().defined()) << item.key();
        const double norm = reference.norm().item<double>();
        const double error = (item.value().grad().to(at::kDouble) - reference).norm().item<double>();
        // Some gradients are zero by nature (a key's bias cannot change a softmax): there only rounding remains.
        EXPECT_LE(error, 1e-3 * norm + 1e-5 * all) << item.key() << " of norm " << norm;
        if (norm > 1e-3 * all) worst = std::max(worst, error / norm);
    }
    testing::Test::RecordProperty("worst_relative_gradient_error", fmt::format("{:.2e}", worst));
}

TEST_P(Fused, LogProbabilitiesAndEveryGradientAgreeWithPlainOnesInDoubles) {
    expect_agrees_with_plain(GetParam(), false);
}

TEST_P(Fused, RecordsOfRolloutsGiveThePlainGradientsWithoutAReplay) {
    expect_agrees_with_plain(GetParam(), true);
}

TEST_P(Fused, ResourcesOfAllStepsAreThePlainOnes) {
    const Case& c = GetParam();
    World world(c, at::kFloat);
    const Trajectories trees = fused::roll_out(*world.parts, detached(world.tables()), world.graphs, world.rules,
                                               world.starts, Choice{false, 3, 0});
    const StepResources fast = fused::step_resources(trees, world.graphs, world.rules, true);
    const StepResources plain = step_resources(trees, world.graphs, world.rules, true);
    const auto is_closed = open_rows(trees).logical_not();
    const auto difference = [&](const at::Tensor& a, const at::Tensor& b) {
        return (a - b).masked_fill(a.dim() == 4 ? is_closed.unsqueeze(3) : is_closed, 0).abs().max().item<double>();
    };
    EXPECT_LE(difference(fast.facts, plain.facts), 1e-5);
    ASSERT_EQ(fast.length_left.defined(), plain.length_left.defined());
    ASSERT_EQ(fast.load_left.defined(), plain.load_left.defined());
    ASSERT_EQ(fast.leave.defined(), plain.leave.defined());
    if (fast.length_left.defined()) {
        EXPECT_LE(difference(fast.length_left, plain.length_left), 1e-5);
    }
    if (fast.load_left.defined()) {
        EXPECT_LE(difference(fast.load_left, plain.load_left), 1e-4);
    }
}

TEST_P(Fused, GreedyTreesAreThePlainOnesExceptAtTies) {
    const Case& c = GetParam();
    World world(c, at::kFloat);
    World exact(c, at::kDouble);
    const Choice greedy{true, 0, 0};
    const Trajectories fast =
        fused::roll_out(*world.parts, detached(world.tables()), world.graphs, world.rules, world.starts, greedy);
    const Trajectories plain =
        roll_out(*exact.parts, detached(exact.tables()), exact.graphs, exact.rules, exact.starts, greedy);
    const auto same = (fast.targets == plain.targets).all(1).logical_and((fast.sources == plain.sources).all(1));
    EXPECT_GE(same.to(at::kFloat).mean().item<double>(), 0.75);
    const auto equal = same.nonzero().squeeze(1);
    EXPECT_LE(largest_difference(fast.costs.index_select(0, equal), plain.costs.index_select(0, equal)),
              1e-5 * plain.costs.max().item<double>());
}

TEST_P(Fused, SideWorkChangesNoGradient) {
    const Case& c = GetParam();
    std::vector<std::vector<at::Tensor>> gradients;
    for (const bool beside : {false, true}) {
        World world(c, at::kFloat);
        const auto side = beside ? side_work_for(1) : nullptr;
        ASSERT_EQ(side != nullptr, beside);
        const Tables tables = world.tables(side);
        const Trajectories trees = fused::roll_out(*world.parts, detached(tables), world.graphs, world.rules,
                                                   world.starts, Choice{false, 3, 0});
        const StepResources resources = fused::step_resources(trees, world.graphs, world.rules, c.told);
        fused::log_probabilities(*world.parts, tables, trees, false, resources).log_probabilities.sum().backward();
        join(side);
        gradients.emplace_back();
        for (const auto& parameter : world.policy->parameters()) gradients.back().push_back(parameter.grad());
    }
    for (std::size_t k = 0; k < gradients[0].size(); ++k)
        EXPECT_TRUE(at::equal(gradients[0][k], gradients[1][k])) << k;
}

INSTANTIATE_TEST_SUITE_P(
    Problems, Fused,
    testing::Values(Case{"path7", "dcmst", 2, 0, 7}, Case{"path33", "dcmst", 2, 0, 33},
                    Case{"path50", "dcmst", 2, 0, 50, 16, 8, 3, 10, 256}, Case{"path100", "dcmst", 2, 0, 100},
                    Case{"degree3_7", "dcmst", 3, 0, 7}, Case{"degree3_50", "dcmst", 3, 0, 50},
                    Case{"routing7", "mrcst", 0, 0, 7}, Case{"routing33", "mrcst", 0, 0, 33},
                    Case{"routing50", "mrcst", 0, 0, 50, 16, 8, 2, 6, 256},
                    Case{"routing100", "mrcst", 0, 0, 100, 16, 8, 1, 3}, Case{"steiner7", "stp", 0, 0, 7},
                    Case{"steiner33", "stp", 0, 0, 33}, Case{"steiner50", "stp", 0, 0, 50},
                    Case{"hops2_33", "hmst", 0, 2, 33}, Case{"hops4_50", "hmst", 0, 4, 50},
                    Case{"wide32_path", "dcmst", 2, 0, 33, 32, 8}, Case{"wide32_routing", "mrcst", 0, 0, 33, 32, 8},
                    Case{"wide64_path", "dcmst", 2, 0, 33, 64, 8}, Case{"wide64_routing", "mrcst", 0, 0, 33, 64, 8},
                    Case{"heads4_routing", "mrcst", 0, 0, 33, 16, 4}, Case{"heads4_wide", "stp", 0, 0, 20, 32, 4}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Limits, Fused,
    testing::Values(
        Case{.name = "leaf_start_path33", .problem = "dcmst", .degree = 2, .n = 33, .d_e = 32, .leaf_start = true},
        Case{.name = "leaf_start_degree3", .problem = "dcmst", .degree = 3, .n = 20, .leaf_start = true},
        Case{.name = "leaf_start_limited",
             .problem = "tree",
             .degree = 3,
             .hops = 5,
             .n = 30,
             .told = true,
             .leaf_start = true},
        Case{.name = "told_path7", .problem = "dcmst", .degree = 2, .n = 7, .told = true},
        Case{.name = "told_routing33", .problem = "mrcst", .n = 33, .told = true},
        Case{.name = "told_steiner50", .problem = "stp", .n = 50, .told = true},
        Case{.name = "told_routing60_wide", .problem = "mrcst", .n = 60, .d_e = 32, .per_graph = 16, .told = true},
        Case{.name = "told_path60_wide",
             .problem = "dcmst",
             .degree = 2,
             .n = 60,
             .d_e = 32,
             .per_graph = 16,
             .told = true},
        Case{.name = "told_path20_many", .problem = "dcmst", .degree = 2, .n = 20, .per_graph = 70, .told = true},
        Case{.name = "routing20_many", .problem = "mrcst", .n = 20, .d_e = 32, .per_graph = 33},
        Case{.name = "told_routing33_64", .problem = "mrcst", .n = 33, .d_e = 64, .told = true},
        Case{.name = "told_routing33_heads4", .problem = "mrcst", .n = 33, .d_e = 32, .heads = 4, .told = true},
        Case{.name = "told_path33_64", .problem = "dcmst", .degree = 2, .n = 33, .d_e = 64, .told = true},
        Case{.name = "told_hops7", .problem = "hmst", .hops = 2, .n = 7, .told = true},
        Case{.name = "told_hops50", .problem = "hmst", .hops = 4, .n = 50, .d_e = 32, .told = true},
        Case{.name = "capacity7", .problem = "cmst", .n = 7, .capacity = 3},
        Case{.name = "capacity50", .problem = "cmst", .n = 50, .told = true, .capacity = 8},
        Case{.name = "demands40", .problem = "cmst", .n = 40, .told = true, .capacity = 12, .demands = {1, 6}},
        Case{.name = "length33", .problem = "lmst", .n = 33, .told = true, .length = 115},
        Case{.name = "diameter33", .problem = "bdmst", .n = 33, .told = true, .diameter = 5},
        Case{.name = "diameter70", .problem = "bdmst", .n = 70, .d_e = 32, .told = true, .diameter = 8},
        Case{.name = "prizes40", .problem = "pcst", .n = 40, .told = true},
        Case{.name = "groups40", .problem = "gmst", .n = 40, .told = true},
        Case{.name = "groups7", .problem = "gmst", .n = 7},
        Case{.name = "degree3_hops4_40", .problem = "tree", .degree = 3, .hops = 4, .n = 40, .told = true},
        Case{.name = "capacity_hops50",
             .problem = "tree",
             .hops = 3,
             .n = 50,
             .heads = 4,
             .told = true,
             .capacity = 9,
             .demands = {1, 3}},
        Case{.name = "all_limits30",
             .problem = "tree",
             .degree = 4,
             .hops = 5,
             .n = 30,
             .d_e = 64,
             .told = true,
             .diameter = 8,
             .capacity = 10,
             .length = 140}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    TrueWeights, Fused,
    testing::Values(Case{.name = "path", .problem = "dcmst", .degree = 2, .n = 20, .graphs = 4, .weighted = true},
                    Case{.name = "routing", .problem = "mrcst", .n = 24, .graphs = 4, .weighted = true},
                    Case{.name = "steiner", .problem = "stp", .n = 40, .graphs = 4, .weighted = true},
                    Case{.name = "capacity",
                         .problem = "cmst",
                         .n = 30,
                         .graphs = 4,
                         .told = true,
                         .capacity = 8,
                         .weighted = true},
                    Case{.name = "length",
                         .problem = "lmst",
                         .n = 30,
                         .d_e = 32,
                         .graphs = 4,
                         .told = true,
                         .length = 130,
                         .weighted = true},
                    Case{.name = "prizes", .problem = "pcst", .n = 30, .graphs = 4, .told = true, .weighted = true}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// All pairs of first and second actions on six vertices from vertex 0, as trajectories of length two.
Trajectories two_steps(std::int64_t n) {
    std::vector<std::int64_t> sources;
    std::vector<std::int64_t> targets;
    std::vector<std::int32_t> enter;
    std::int64_t count = 0;
    for (std::int64_t a = 1; a < n; ++a) {
        for (const std::int64_t u : {std::int64_t{0}, a}) {
            for (std::int64_t v = 1; v < n; ++v) {
                if (v == a) continue;
                sources.insert(sources.end(), {0, u});
                targets.insert(targets.end(), {a, v});
                sources.resize(static_cast<std::size_t>((count + 1) * (n - 1)), 0);
                targets.resize(static_cast<std::size_t>((count + 1) * (n - 1)), 0);
                enter.resize(static_cast<std::size_t>((count + 1) * n), never);
                enter[static_cast<std::size_t>(count * n)] = 0;
                enter[static_cast<std::size_t>(count * n + a)] = 1;
                enter[static_cast<std::size_t>(count * n + v)] = 2;
                ++count;
            }
        }
    }
    Trajectories t;
    t.start = at::zeros({count}, at::kLong).cuda();
    t.sources = at::tensor(sources, at::kLong).view({count, n - 1}).cuda();
    t.targets = at::tensor(targets, at::kLong).view({count, n - 1}).cuda();
    t.lengths = at::full({count}, 2, at::kInt).cuda();
    t.enter = at::tensor(enter, at::kInt).view({count, n}).cuda();
    t.close = at::full({count, n}, never, at::kInt).cuda();
    t.costs = at::zeros({count}).cuda();
    t.missing = at::zeros({count}, at::kInt).cuda();
    return t;
}

TEST_F(FusedOnGpu, SamplesFirstAndSecondActionsFromThePolicy) {
    constexpr std::int64_t n = 6;
    constexpr std::int64_t samples = 400000;
    const Case c{"mst", "mst", 0, 0, n, 16, 8, 1, 1};
    World world(c, at::kFloat);
    const Tables tables = detached(world.tables());
    const Trajectories pairs = two_steps(n);
    const auto probability =
        log_probabilities(*world.parts, tables, pairs).log_probabilities.to(at::kDouble).exp().cpu();
    ASSERT_NEAR(probability.sum().item<double>(), 1.0, 1e-5);

    const auto starts = at::zeros({samples}, world.starts.options());
    const Trajectories drawn =
        fused::roll_out(*world.parts, tables, world.graphs, world.rules, starts, Choice{false, 99, 0});
    const auto code = [&](const Trajectories& t) {
        const auto edge = t.sources * n + t.targets;
        return (edge.select(1, 0) * (n * n) + edge.select(1, 1)).cpu();
    };
    const auto counts = at::bincount(code(drawn), {}, n * n * n * n).to(at::kDouble);
    const auto observed = counts.index_select(0, code(pairs));
    ASSERT_EQ(observed.sum().item<double>(), static_cast<double>(samples));
    const auto expected = probability * static_cast<double>(samples);
    // Rare pairs of actions share one cell: the statistic needs an expectation of a few in each.
    const auto rare = expected < 20;
    const auto cells = [&](const at::Tensor& all) {
        return at::cat({all.masked_select(~rare), all.masked_select(rare).sum().view({1}) + 1e-9});
    };
    const double statistic = ((cells(observed) - cells(expected)).square() / cells(expected)).sum().item<double>();
    const auto freedom = static_cast<double>(cells(expected).numel() - 1);
    ASSERT_GT(freedom, 10);
    EXPECT_LT(statistic, freedom + 5 * std::sqrt(2 * freedom));
    EXPECT_GT(statistic, freedom - 5 * std::sqrt(2 * freedom)) << "too good to be random";
}

TEST_F(FusedOnGpu, RolloutsDependOnSeedAndNumberAndNotOnTheLaunch) {
    for (const auto& c :
         {Case{"routing", "mrcst", 0, 0, 33, 16, 8, 4, 33}, Case{"path", "dcmst", 2, 0, 50, 16, 8, 4, 50}}) {
        World world(c, at::kFloat);
        const Tables tables = detached(world.tables());
        const auto draw = [&](std::int64_t seed, std::int64_t first, int warps, int warp_groups) {
            fused::DeviceChoice choice;
            choice.seed = at::full({1}, seed, world.starts.options());
            choice.first = first;
            choice.warps = warps;
            choice.warp_groups = warp_groups;
            return fused::roll_out(*world.parts, tables, world.graphs, world.rules, world.starts, choice).targets;
        };
        const auto agree = [](const at::Tensor& a, const at::Tensor& b) {
            return (a == b).all(1).to(at::kFloat).mean().item<double>();
        };
        const auto reference = draw(1, 0, 8, 1);
        EXPECT_EQ(agree(reference, draw(1, 0, 8, 1)), 1.0);
        EXPECT_LT(agree(reference, draw(2, 0, 8, 1)), 0.1);
        EXPECT_LT(agree(reference, draw(1, 1000, 8, 1)), 0.1);
        for (const auto& [warps, warp_groups] : {std::pair{1, 1}, {1, 8}, {2, 4}, {4, 1}, {4, 2}, {8, 2}}) {
            // Sums in another order may turn a choice that hangs on the last bit.
            EXPECT_GE(agree(reference, draw(1, 0, warps, warp_groups)), 0.97)
                << warps << " warps, " << warp_groups << " warp groups";
        }
    }
}

}  // namespace

}  // namespace neuroprim::train
