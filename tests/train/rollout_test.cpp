#include "train/rollout.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <map>

#include "neuroprim/construction.hpp"
#include "policy/specification.hpp"
#include "train/encoder.hpp"
#include "train/instances.hpp"
#include "train/replay.hpp"
#include "train/resources.hpp"
#include "train_support.hpp"

namespace neuroprim::train {
namespace {

constexpr std::int64_t graph_count = 3;
constexpr std::int64_t per_graph = 4;

struct Rolled {
    Graphs graphs;
    Tables tables;
    Trajectories trees;
    at::Tensor log_probabilities;
};

Rolled rolled(const TrainableCase& what, PolicyModule& policy, std::int64_t n, std::uint64_t seed, bool greedy) {
    InstanceOptions options;
    options.n_min = options.n_max = n;
    const BatchPart part{seed, 0, 0, graph_count};
    Rolled result;
    result.graphs = draw_case(what, options, part);
    const auto starts = draw_starts(result.graphs, what.rules(), per_graph, false, part);
    PolicyParts parts = parts_of(*policy);
    result.tables = encode(parts, result.graphs, alone(), what.rules());
    result.trees = roll_out(parts, result.tables, result.graphs, what.rules(), starts, {greedy, seed, 0},
                            &result.log_probabilities);
    return result;
}

bool is_open(const Rolled& run, const StepResources& resources, std::int64_t b, std::int64_t t, std::int64_t u,
             std::int64_t v) {
    const std::int64_t n = run.trees.vertices();
    const std::int32_t* enter = run.trees.enter.data_ptr<std::int32_t>() + b * n;
    const std::int32_t* close = run.trees.close.data_ptr<std::int32_t>() + b * n;
    if (enter[u] > t || t >= close[u] || enter[v] <= t) return false;
    const std::int64_t g = b / per_graph;
    const auto left = [&](const at::Tensor& x) { return x[b][t][u].item<float>(); };
    if (resources.leave.defined() && resources.leave[b][v].item<int>() <= t) return false;
    if (resources.load_left.defined() && resources.demands[g][v].item<float>() > left(resources.load_left))
        return false;
    return !resources.length_left.defined() ||
           resources.weights[g][u][v].item<float>() <= left(resources.length_left);
}

TEST(RollOut, OpensExactlyTheEdgesThatTheConstructionAllows) {
    for (const TrainableCase& what : trainable_cases()) {
        for (const std::int64_t n : {2, 3, 7, 12}) {
            PolicyModule policy = small_policy(1);
            const Rolled run = rolled(what, policy, n, 5 + static_cast<std::uint64_t>(n), false);
            const StepResources resources = step_resources(run.trees, run.graphs, what.rules(), false);
            for (std::int64_t b = 0; b < run.trees.size(); ++b) {
                const Tree tree = tree_of(run.trees, b);
                const auto library = library_problem(what.rules(), run.graphs, b / per_graph, tree.start);
                Construction state(*library.problem, tree.start);
                for (std::size_t t = 0; t < tree.edges.size(); ++t) {
                    ASSERT_FALSE(neuroprim::policy::is_grown(state)) << what.problem << " n " << n;
                    for (Vertex u = 0; u < n; ++u) {
                        for (Vertex v = 0; v < n; ++v) {
                            ASSERT_EQ(is_open(run, resources, b, static_cast<std::int64_t>(t), u, v),
                                      state.allows(u, v))
                                << what.problem << what.degree << " n " << n << " step " << t << " edge " << u << "-"
                                << v;
                        }
                    }
                    ASSERT_TRUE(state.allows(tree.edges[t].u, tree.edges[t].v));
                    state.add(tree.edges[t].u, tree.edges[t].v);
                }
                const bool is_stuck = run.trees.missing[b].item<int>() > 0;
                EXPECT_EQ(neuroprim::policy::is_grown(state), !is_stuck) << what.problem << " n " << n;
                EXPECT_TRUE(!is_stuck || what.rules().may_end_early());
                for (Vertex u = 0; is_stuck && u < n; ++u) {
                    for (Vertex v = 0; v < n; ++v) EXPECT_FALSE(state.allows(u, v));
                }
            }
        }
    }
}

TEST(RollOut, CostsWhatTheProblemSays) {
    for (const TrainableCase& what : trainable_cases()) {
        PolicyModule policy = small_policy(2);
        const Rolled run = rolled(what, policy, 13, 9, false);
        for (std::int64_t b = 0; b < run.trees.size(); ++b) {
            const Tree tree = tree_of(run.trees, b);
            const auto library = library_problem(what.rules(), run.graphs, b / per_graph, tree.start);
            if (run.trees.missing[b].item<int>() > 0) continue;
            const Tree pruned = library.problem->pruned(tree);
            EXPECT_EQ(library.problem->violation(pruned), std::nullopt);
            const double cost = library.problem->cost(pruned);
            EXPECT_NEAR(run.trees.costs[b].item<double>(), cost, 1e-5 * cost) << what.problem;
        }
    }
}

TEST(RollOut, SaysTheLogProbabilityThatTheReplayFindsAllStepsAtOnce) {
    for (const TrainableCase& what : trainable_cases()) {
        for (const int layers : {1, 2}) {
            PolicyModule policy = small_policy(3, layers, layers == 1);
            policy->to(torch::kFloat64);
            InstanceOptions options;
            options.n_min = options.n_max = 11;
            const BatchPart part{7, 0, 0, graph_count};
            Graphs graphs = draw_case(what, options, part);
            graphs.points = graphs.points.to(torch::kFloat64);
            PolicyParts parts = parts_of(*policy);
            const Tables tables = encode(parts, graphs, alone(), what.rules());
            at::Tensor stepwise;
            const Trajectories trees =
                roll_out(parts, tables, graphs, what.rules(),
                         draw_starts(graphs, what.rules(), per_graph, false, part), {false, 3, 0}, &stepwise);
            const Likelihood replayed = log_probabilities(parts, tables, trees, true,
                                                          step_resources(trees, graphs, what.rules(), layers == 1));
            EXPECT_LT((replayed.log_probabilities - stepwise).abs().max().item<double>(), 1e-10) << what.problem;
            EXPECT_TRUE((replayed.entropies > 0).all().item<bool>());
            EXPECT_TRUE((stepwise < 0).all().item<bool>());
        }
    }
}

TEST(RollOut, AgreesWithTheModuleThatMasksEveryEdge) {
    for (const TrainableCase& what : trainable_cases()) {
        for (const bool told : {false, true}) {
            PolicyModule policy = small_policy(4, 2, told);
            policy->eval();
            const Rolled run = rolled(what, policy, 10, 21, true);
            for (std::int64_t b = 0; b < run.trees.size(); ++b) {
                const Tree tree = tree_of(run.trees, b);
                const auto library = library_problem(what.rules(), run.graphs, b / per_graph, tree.start);
                const std::vector<Start> starts = {{tree.start, 0}};
                EXPECT_EQ(decode_greedily(policy, *library.problem, starts)[0], tree) << what.problem;
                const std::vector<Tree> trees = {tree};
                EXPECT_NEAR(log_probabilities(policy, *library.problem, trees).item<double>(),
                            run.log_probabilities[b].item<double>(), 1e-3);
            }
        }
    }
}

TEST(RollOut, OfAPartIsThatOfTheWholeBatch) {
    const TrainableCase what{"mrcst", 0, 0};
    PolicyModule policy = small_policy(5);
    policy->eval();
    const Rolled whole = rolled(what, policy, 9, 2, false);
    PolicyParts parts = parts_of(*policy);
    const Graphs last = whole.graphs.changed([](const at::Tensor& x) { return x.slice(0, 2); });
    const Tables tables = encode(parts, last, alone());
    const Trajectories trees = roll_out(parts, tables, last, what.rules(), whole.trees.start.slice(0, 2 * per_graph),
                                        {false, 2, 2 * per_graph});
    EXPECT_TRUE(at::equal(trees.targets, whole.trees.targets.slice(0, 2 * per_graph)));
    EXPECT_TRUE(at::equal(trees.sources, whole.trees.sources.slice(0, 2 * per_graph)));
}

/// Chi-square of the trees drawn on one small graph against their probabilities by the replay.
TEST(RollOut, SamplesEveryTreeAsOftenAsItIsProbable) {
    const TrainableCase what{"dcmst", 2, 0};
    constexpr std::int64_t count = 20000;
    PolicyModule policy = small_policy(6);
    policy->eval();
    InstanceOptions options;
    options.n_min = options.n_max = 4;
    const Graphs graphs = draw_graphs(options, Rules{}, {1, 0, 0, 1});
    PolicyParts parts = parts_of(*policy);
    const torch::NoGradGuard no_gradients;
    const Tables tables = encode(parts, graphs, alone(), what.rules());
    const Trajectories trees =
        roll_out(parts, tables, graphs, what.rules(), at::zeros({count}, at::kLong), {false, 8, 0});
    const auto p = log_probabilities(parts, tables, trees).log_probabilities.to(at::kDouble).exp();
    std::map<std::string, std::pair<double, double>> seen;  // actions → observed, expected
    for (std::int64_t b = 0; b < count; ++b) {
        std::string key;
        for (const Edge edge : tree_of(trees, b).edges) key += std::to_string(edge.u) + std::to_string(edge.v) + " ";
        auto& [observed, expected] = seen[key];
        observed += 1;
        expected = count * p[b].item<double>();
    }
    double covered = 0;
    double chi_square = 0;
    for (const auto& [key, both] : seen) {
        covered += both.second / count;
        chi_square += (both.first - both.second) * (both.first - both.second) / both.second;
    }
    EXPECT_NEAR(covered, 1, 1e-2);
    const auto freedom = static_cast<double>(seen.size() - 1);
    EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2 * freedom));
}

}  // namespace
}  // namespace neuroprim::train
