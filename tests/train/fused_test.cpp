#include "train/fused.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "neuroprim/construction.hpp"
#include "neuroprim/problem.hpp"
#include "policy/specification.hpp"
#include "train/captured_work.hpp"
#include "train/distributed.hpp"
#include "train/encoder.hpp"
#include "train/fused_encoder.hpp"
#include "train/fused_input.hpp"
#include "train/fused_layers.hpp"
#include "train/instances.hpp"
#include "train/optimiser.hpp"
#include "train/policy_module.hpp"
#include "train/replay.hpp"
#include "train/resources.hpp"
#include "train/rollout.hpp"
#include "train/side_work.hpp"
#include "train/teacher.hpp"

namespace neuroprim::train {

namespace {

struct Case {
    const char* name;
    const char* problem;
    int degree = 0;
    int hops = 0;
    std::int64_t n = 50;
    int d_e = 16;
    int heads = 8;
    std::int64_t graphs = 2;
    std::int64_t per_graph = 6;
    int d_v = 64;
    bool told = false;  // the specification
    int diameter = 0;
    int capacity = 0;
    int length = 0;  // percent
    Range demands = {};
    bool weighted = false;  // weights that are not straight distances, and a policy that sees them
    bool leaf_start = false;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

ProblemOptions options_of(const Case& c) {
    ProblemOptions options;
    if (c.degree > 0) options.degree = c.degree;
    if (c.hops > 0) options.hops = c.hops;
    if (c.diameter > 0) options.diameter = c.diameter;
    if (c.capacity > 0) options.capacity = c.capacity;
    if (c.length > 0) options.length = c.length;
    return options;
}

Rules rules_of(const Case& c) {
    const Rules rules = make_rules(c.problem, options_of(c));
    return c.leaf_start ? from_a_leaf(rules) : rules;
}

/// A random policy whose choices are far from uniform, and random graphs, in the given type on the GPU.
struct World {
    World(const Case& c, at::ScalarType type, std::uint64_t seed = 7)
        : rules(rules_of(c)), group(Place{}, true), policy(config_of(c)) {
        torch::manual_seed(seed);
        policy = PolicyModule(config_of(c));
        const torch::NoGradGuard no_gradients;
        for (auto& item : policy->named_parameters()) {
            const bool decides = item.key().find("decoder") == 0 || item.key().find("action") == 0;
            if (decides && item.value().dim() == 2) item.value().mul_(2.5);
            for (const char* name : {"distance", "specification", "row"}) {
                if (item.key().find(name) != std::string::npos) item.value().uniform_(-0.5, 0.5);
            }
        }
        policy->to(at::Device(at::kCUDA), type);
        policy->train();
        parts.emplace(parts_of(*policy));
        InstanceOptions instances;
        instances.n_min = instances.n_max = c.n;
        if (c.weighted) instances.weights = InstanceOptions::EdgeWeights::mixed;
        const BatchPart part{seed, 3, 0, c.graphs};
        drawn = draw_graphs(instances, rules, part, c.demands);
        starts = draw_starts(drawn, rules, c.per_graph, false, part).to(at::kCUDA);
        graphs = drawn.changed([&](const at::Tensor& x) {
            const auto there = x.to(at::kCUDA);
            return x.is_floating_point() ? there.to(type) : there;
        });
    }

    static PolicyConfig config_of(const Case& c) {
        PolicyConfig config;
        config.d_v = c.d_v;
        config.d_e = c.d_e;
        config.d_f = 2 * c.d_v;
        config.heads = c.heads;
        config.encoder_layers = 2;
        if (c.n == 33) config.features = {"distance"};
        if (c.weighted) config.features = {"distance", "weights"};
        if (c.told) config.features.emplace_back("specification");
        return config;
    }

    Tables tables(const std::shared_ptr<SideWork>& side = nullptr) {
        return encode(*parts, graphs, group, rules, side);
    }

    Rules rules;
    ProcessGroup group;
    PolicyModule policy;
    std::optional<PolicyParts> parts;
    Graphs drawn;  // on the CPU
    Graphs graphs;
    at::Tensor starts;
};

Tables detached(const Tables& tables) {
    Tables result;
    result.graph = tables.graph.detach();
    result.edges = tables.edges.detach();
    for (const auto& layer : tables.layers) result.layers.push_back({layer.keys.detach(), layer.values.detach()});
    result.action_keys = tables.action_keys.detach();
    return result;
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

double relative_error(const at::Tensor& value, const at::Tensor& reference) {
    const auto exact = reference.to(at::kDouble);
    return ((value.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
}

class Fused : public testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
        const Case& c = GetParam();
        if (!fused::supports(World::config_of(c), at::Device(at::kCUDA, 0), c.n))
            GTEST_SKIP() << "built without CUDA";
    }
};

class FusedOnGpu : public testing::Test {
protected:
    void SetUp() override {
        if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
        if (!fused::supports(PolicyConfig{}, at::Device(at::kCUDA, 0), 50)) GTEST_SKIP() << "built without CUDA";
    }
};

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

/// (B, T, n) bool: rows that are open at their step. No other row is read or written.
at::Tensor open_rows(const Trajectories& t) {
    const auto step = at::arange(t.sources.size(1), t.enter.options()).view({1, -1, 1});
    return (t.enter.unsqueeze(1) <= step) & (step < t.close.unsqueeze(1)) & (step < t.lengths.view({-1, 1, 1}));
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

TEST_F(FusedOnGpu, EdgeFeaturesAndTheirGradientsAgreeWithPlainOnes) {
    for (const std::int64_t n : {7, 33, 50, 120, 250}) {  // the last two need just about 48 KB of shared memory
        for (const std::int64_t d_e : {16, 32, 64}) {
            torch::nn::Linear edge(2 * 96, d_e);
            edge->to(at::kCUDA);
            torch::nn::Linear exact(2 * 96, d_e);
            exact->to(at::Device(at::kCUDA), at::kDouble);
            const auto cuda = at::TensorOptions().device(at::kCUDA);
            {
                const torch::NoGradGuard no_gradients;
                exact->weight.copy_(edge->weight);
                exact->bias.copy_(edge->bias);
            }
            const auto vertices = at::randn({3, n, 96}, cuda).requires_grad_(true);
            const auto doubles = vertices.detach().to(at::kDouble).requires_grad_(true);
            ASSERT_TRUE(fused::supports_edge_features(edge, vertices));
            const auto fast = fused::edge_features(edge, vertices);
            const auto from = doubles.unsqueeze(2);
            const auto to = doubles.unsqueeze(1);
            const auto plain =
                exact(at::cat({(from - to).expand({3, n, n, 96}), at::maximum(from, to).expand({3, n, n, 96})}, 3));
            EXPECT_LE(relative_error(fast, plain.detach()), 1e-6);
            const auto weights = at::randn({3, n, n, d_e}, cuda);
            (fast * weights).sum().backward();
            (plain * weights.to(at::kDouble)).sum().backward();
            EXPECT_LE(relative_error(vertices.grad(), doubles.grad()), 1e-5);
            EXPECT_LE(relative_error(edge->weight.grad(), exact->weight.grad()), 1e-5);
            EXPECT_LE(relative_error(edge->bias.grad(), exact->bias.grad()), 1e-5);
        }
    }
}

TEST_F(FusedOnGpu, InputsOfTheEncoderAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const std::int64_t n : {1, 7, 50, 100}) {
        PolicyModule policy(PolicyConfig{});
        PolicyModule exact(PolicyConfig{});
        policy->to(at::kCUDA);
        exact->to(at::Device(at::kCUDA), at::kDouble);
        torch::NoGradGuard no_gradients;
        const auto parameters = exact->named_parameters();
        for (auto& item : policy->named_parameters()) parameters[item.key()].copy_(item.value());
        const torch::AutoGradMode with_gradients(true);
        PolicyParts parts = parts_of(*policy);
        Graphs graphs;
        graphs.points = at::rand({5, n, 2}, cuda) * 3 + 1;
        graphs.points[0].fill_(2);  // all in one place
        graphs.terminals = at::rand({5, n}, cuda) < 0.4;
        ASSERT_TRUE(fused::supports_vertex_input(parts, graphs));
        const fused::VertexInput fast = fused::vertex_input(parts, graphs);
        const auto coordinates = in_unit_square(graphs.points.to(at::kDouble));
        const auto plain = at::where(graphs.terminals.unsqueeze(2), exact->terminal_input(coordinates),
                                     exact->other_input(coordinates));
        EXPECT_LE(largest_difference(fast.coordinates, coordinates), 1e-6);
        EXPECT_LE(relative_error(fast.x.detach(), plain.detach()), 1e-6);
        const auto slopes = at::randn_like(fast.x);
        fast.x.backward(slopes);
        plain.backward(slopes.to(at::kDouble));
        for (const char* name : {"input.terminal.weight", "input.terminal.bias", "input.other.weight"}) {
            EXPECT_LE(largest_difference(policy->named_parameters()[name].grad(), parameters[name].grad()), 1e-4)
                << name << ", n " << n;
        }
        EXPECT_LE(largest_difference(policy->other_input->bias.grad(), exact->other_input->bias.grad()), 1e-4);
    }
}

struct EncoderCase {
    std::int64_t n;
    int d_v;
    int heads;
    std::int64_t graphs;
    std::vector<std::string> features;
};

TEST_F(FusedOnGpu, EncodersTheirGradientsAndStatisticsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    constexpr double sharpness = 1.3;
    for (const EncoderCase& c :
         {EncoderCase{7, 64, 8, 3, {}}, EncoderCase{50, 256, 8, 10, {}}, EncoderCase{50, 128, 4, 2, {"distance"}},
          EncoderCase{100, 256, 8, 3, {"distance"}}, EncoderCase{100, 128, 8, 20, {}},
          EncoderCase{7, 128, 8, 2, {"layer_norms"}}, EncoderCase{50, 256, 8, 10, {"distance", "layer_norms"}}}) {
        SCOPED_TRACE(fmt::format("n {}, d_v {}, {} heads, {} graphs, {} features", c.n, c.d_v, c.heads, c.graphs,
                                 c.features.size()));
        PolicyConfig config;
        config.d_v = c.d_v;
        config.d_f = 2 * c.d_v;
        config.heads = c.heads;
        config.encoder_layers = 2;
        config.features = c.features;
        PolicyModule policy(config);
        PolicyModule exact(config);
        {
            const torch::NoGradGuard no_gradients;
            const auto parameters = exact->named_parameters();
            for (auto& item : policy->named_parameters()) {
                for (const char* name : {"norm", "distance"}) {
                    if (item.key().find(name) != std::string::npos) item.value().uniform_(-1, 1);
                }
                // Half of the hidden numbers pass the relu and half do not: none is so near to zero that rounding
                // decides.
                if (item.key().find("expand.bias") != std::string::npos) {
                    item.value().fill_(6).narrow(0, 0, item.value().size(0) / 2).fill_(-6);
                }
                parameters[item.key()].copy_(item.value());
            }
        }
        policy->to(at::kCUDA);
        exact->to(at::Device(at::kCUDA), at::kDouble);
        PolicyParts parts = parts_of(*policy);
        const auto x = at::randn({c.graphs, c.n, c.d_v}, cuda).requires_grad_(true);
        const auto doubles = x.detach().to(at::kDouble).requires_grad_(true);
        at::Tensor lengths;
        at::Tensor exact_lengths;
        if (parts.encoder[0].attention.distance.defined()) {
            lengths = at::rand({c.graphs, c.n, c.n}, cuda);
            exact_lengths = lengths.to(at::kDouble);
        }
        ASSERT_TRUE(fused::supports_encoder(parts, x));
        const auto fast = fused::encode_vertices(parts, x, sharpness, lengths);
        at::Tensor plain = doubles;
        for (const auto& layer : *exact->encoder) {
            plain = layer->as<EncoderLayerImpl>()->forward(plain, sharpness, exact_lengths);
        }
        if (!exact->encoder_norm.is_empty()) plain = exact->encoder_norm->forward(plain);
        EXPECT_LE(relative_error(fast.detach(), plain.detach()), 1e-5);
        const auto slopes = at::randn_like(x);
        fast.backward(slopes);
        plain.backward(slopes.to(at::kDouble));
        EXPECT_LE(relative_error(x.grad(), doubles.grad()), 1e-4);
        double all = 0;
        for (const auto& parameter : exact->parameters()) {
            if (parameter.grad().defined()) all += parameter.grad().square().sum().item<double>();
        }
        const auto expected = exact->named_parameters();
        for (const auto& item : policy->named_parameters()) {
            const auto reference = expected[item.key()].grad();
            ASSERT_EQ(item.value().grad().defined(), reference.defined()) << item.key();
            if (!reference.defined()) continue;
            const double error = (item.value().grad().to(at::kDouble) - reference).norm().item<double>();
            // A batch norm takes away what a bias before it adds: there only rounding remains.
            EXPECT_LE(error, 1e-4 * reference.norm().item<double>() + 1e-6 * std::sqrt(all)) << item.key();
        }
        const auto statistics = exact->named_buffers();
        for (const auto& item : policy->named_buffers()) {
            EXPECT_LE(relative_error(item.value(), statistics[item.key()]), 1e-5) << item.key();
        }
    }
}

TEST_F(FusedOnGpu, EncodersLeaveToPlainOnesWhatTheyCannotDo) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    PolicyModule policy(PolicyConfig{});
    policy->to(at::kCUDA);
    PolicyParts parts = parts_of(*policy);
    const std::int64_t d_v = policy->config().d_v;
    EXPECT_TRUE(fused::supports_encoder(parts, at::zeros({10, 50, d_v}, cuda)));
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({10, 50, d_v}, cuda.dtype(at::kDouble))));
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({10, 50, d_v})));
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({328, 50, d_v}, cuda)));  // the large updates
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({1, 400, d_v}, cuda)));   // beyond shared memory
    policy->eval();
    EXPECT_FALSE(fused::supports_encoder(parts, at::zeros({10, 50, d_v}, cuda)));  // running statistics
}

TEST_F(FusedOnGpu, LinearLayersAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const auto& [inputs, outputs] : {std::pair{16, 16}, {16, 48}, {32, 32}, {32, 96}, {64, 192}, {96, 40}}) {
        for (const std::int64_t rows : {1, 7, 1000, 70001}) {
            const auto x = at::randn({rows, inputs}, cuda).requires_grad_(true);
            const auto weight = at::randn({outputs, inputs}, cuda).requires_grad_(true);
            const auto bias = at::randn({outputs}, cuda).requires_grad_(true);
            const auto exactly = [](const at::Tensor& t) { return t.detach().to(at::kDouble).requires_grad_(true); };
            const auto exact_x = exactly(x);
            const auto exact_weight = exactly(weight);
            const auto exact_bias = exactly(bias);
            const auto d_y = at::randn({rows, outputs}, cuda);
            const auto y = fused::linear(x, weight, bias);
            y.backward(d_y);
            const auto plain = at::linear(exact_x, exact_weight, exact_bias);
            plain.backward(d_y.to(at::kDouble));
            EXPECT_LE(relative_error(y.detach(), plain.detach()), 1e-5);
            EXPECT_LE(relative_error(x.grad(), exact_x.grad()), 1e-5);
            EXPECT_LE(relative_error(weight.grad(), exact_weight.grad()), 1e-5) << inputs << " × " << outputs;
            EXPECT_LE(relative_error(bias.grad(), exact_bias.grad()), 1e-5) << inputs << " × " << outputs;
        }
    }
}

#ifdef NEUROPRIM_WITH_CUDA
/// Trajectories of which only the times make sense: vertices enter in any order, some close soon, some trees end
/// early.
Trajectories random_times(std::int64_t count, std::int64_t n) {
    const auto ints = at::TensorOptions().device(at::kCUDA).dtype(at::kInt);
    Trajectories t;
    t.sources = at::zeros({count, n - 1}, ints.dtype(at::kLong));
    t.start = at::zeros({count}, ints.dtype(at::kLong));
    t.lengths = at::randint(1, n, {count}, ints);
    const auto order = at::rand({count, n}, ints.dtype(at::kFloat)).argsort(std::int64_t{1}).to(at::kInt);
    t.enter = at::where(order <= t.lengths.unsqueeze(1), order, at::full_like(order, never));
    const auto closes = (at::rand({count, n}, ints.dtype(at::kFloat)) < 0.5) & (t.enter < never);
    t.close = at::where(closes, t.enter + at::randint(1, 5, {count, n}, ints), at::full_like(order, never));
    return t;
}

TEST_F(FusedOnGpu, RowTermsAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const std::int64_t heads : {4, 8}) {
        for (const auto& [count, n] : {std::pair{1, 2}, {3, 7}, {20, 33}, {700, 40}, {2, 150}}) {
            torch::nn::Linear expand(policy::row_facts, policy::row_width);
            torch::nn::Linear contract(policy::row_width, heads + 1);
            torch::nn::Linear exact_expand(policy::row_facts, policy::row_width);
            torch::nn::Linear exact_contract(policy::row_width, heads + 1);
            const auto copy = [](torch::nn::Linear& to, torch::nn::Linear& from) {
                const torch::NoGradGuard no_gradients;
                from->to(at::kCUDA);
                to->to(at::Device(at::kCUDA), at::kDouble);
                to->weight.copy_(from->weight);
                to->bias.copy_(from->bias);
            };
            copy(exact_expand, expand);
            copy(exact_contract, contract);
            const Trajectories times = random_times(count, n);
            const auto is_closed = open_rows(times).logical_not().unsqueeze(3);
            const auto facts = at::randn({count, n - 1, n, policy::row_facts}, cuda);
            const auto slopes = at::randn({count, n - 1, n, heads + 1}, cuda);
            const double unread = std::numeric_limits<double>::quiet_NaN();
            const fused::RowTerms terms =
                fused::row_terms(facts.masked_fill(is_closed, unread), expand, contract, times);
            const auto y = at::cat({terms.of_heads, terms.of_action.unsqueeze(3)}, 3);
            y.backward(slopes.masked_fill(is_closed, unread));
            const auto plain = exact_contract(at::relu(exact_expand(facts.to(at::kDouble))));
            plain.backward(slopes.masked_fill(is_closed, 0).to(at::kDouble));
            EXPECT_LE(relative_error(y.detach().masked_fill(is_closed, 0), plain.detach().masked_fill(is_closed, 0)),
                      1e-5);
            const auto expect_equal = [&](const torch::nn::Linear& fast, const torch::nn::Linear& exact) {
                EXPECT_LE(relative_error(fast->weight.grad(), exact->weight.grad()), 1e-4) << heads << ", " << n;
                EXPECT_LE(relative_error(fast->bias.grad(), exact->bias.grad()), 1e-4) << heads << ", " << n;
            };
            expect_equal(expand, exact_expand);
            expect_equal(contract, exact_contract);
        }
    }
}
#endif

TEST_F(FusedOnGpu, NormsOfSumsAndTheirGradientsAgreeWithPlainOnes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    for (const std::int64_t width : {16, 24, 32, 64}) {
        for (const std::int64_t rows : {1, 7, 1000, 70001}) {
            torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({width}));
            torch::nn::LayerNorm exact(torch::nn::LayerNormOptions({width}));
            norm->to(at::kCUDA);
            {
                const torch::NoGradGuard no_gradients;
                norm->weight.normal_();
                norm->bias.normal_();
                exact->to(at::Device(at::kCUDA), at::kDouble);
                exact->weight.copy_(norm->weight);
                exact->bias.copy_(norm->bias);
            }
            const auto x = at::randn({rows, width}, cuda).requires_grad_(true);
            const auto update = at::randn({rows, width}, cuda).requires_grad_(true);
            const auto exact_x = x.detach().to(at::kDouble).requires_grad_(true);
            const auto exact_update = update.detach().to(at::kDouble);
            const auto d_y = at::randn({rows, width}, cuda);
            const auto y = fused::norm_of_sum(norm, x, update);
            y.backward(d_y);
            const auto plain = exact(exact_x + exact_update);
            plain.backward(d_y.to(at::kDouble));
            EXPECT_LE(relative_error(y.detach(), plain.detach()), 1e-5);
            EXPECT_LE(relative_error(x.grad(), exact_x.grad()), 1e-5);
            EXPECT_TRUE(at::equal(x.grad(), update.grad()));
            EXPECT_LE(relative_error(norm->weight.grad(), exact->weight.grad()), 1e-5) << width;
            EXPECT_LE(relative_error(norm->bias.grad(), exact->bias.grad()), 1e-5) << width;
        }
    }
}

TEST_F(FusedOnGpu, AdamMovesParametersAsThePlainOneDoes) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    auto values = at::randn({100003}, cuda);
    auto same = values.clone();
    Adam plain(values);
    auto first = at::zeros_like(same);
    auto second = at::zeros_like(same);
    for (int step = 1; step <= 3; ++step) {
        auto gradients = at::randn({100003}, cuda) * (step == 2 ? 1e-5 : 1.0);
        const auto factors =
            at::tensor({1e-3, 1 - std::pow(0.9, step), 1 - std::pow(0.999, step)}, at::kFloat).cuda();
        const auto norm = fused::adam_update(same, gradients, first, second, factors, 1.0);
        EXPECT_LE(relative_error(norm, gradients.to(at::kDouble).norm()), 1e-5);
        clip_gradient(gradients, 1.0);
        plain.update(values, gradients, factors);
        EXPECT_LE(relative_error(same, values), 1e-6);
    }
}

TEST_F(FusedOnGpu, CapturedWorkRepeatsItsBodyOnNewNumbers) {
    const auto cuda = at::TensorOptions().device(at::kCUDA);
    const auto input = at::zeros({1000}, cuda);
    const auto output = at::zeros({1000}, cuda);
    CapturedWork work([&] { output.copy_((input * 2 + 1).sqrt()); }, 2);
    for (int run = 0; run < 6; ++run) {
        input.fill_(run);
        work.run();
        EXPECT_NEAR(output.mean().item<double>(), std::sqrt(2.0 * run + 1), 1e-5) << "run " << run;
    }
}

}  // namespace

}  // namespace neuroprim::train
