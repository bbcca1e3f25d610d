#include "train/replay.hpp"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "train/differentiate.hpp"
#include "train/encoder.hpp"
#include "train/instances.hpp"
#include "train/rollout.hpp"
#include "train_support.hpp"

namespace neuroprim::train {
namespace {

struct Fixture {
    PolicyModule policy = nullptr;
    PolicyParts parts;
    Graphs graphs;
    Trajectories trees;
    at::Tensor weights;  // (B)
    Rules rules;
};

/// Tiny and in doubles. n = 9 so that for degree 2 only the open rows are gathered.
Fixture make_fixture(const TrainableCase& what) {
    torch::manual_seed(11);
    PolicyConfig config;
    config.d_v = 4;
    config.d_e = 4;
    config.d_f = 6;
    config.heads = 2;
    config.encoder_layers = 1;
    config.decoder_layers = 2;
    config.features = {"specification"};
    PolicyModule policy(config);
    policy->to(torch::kFloat64);
    {
        const torch::NoGradGuard no_gradients;
        for (auto& tensor :
             {policy->specification->weight, policy->row_contract->weight, policy->row_contract->bias}) {
            tensor.uniform_(-0.5, 0.5);
        }
    }
    InstanceOptions options;
    options.n_min = options.n_max = 9;
    const BatchPart part{3, 1, 0, 3};
    Graphs graphs = draw_case(what, options, part);
    graphs.points = graphs.points.to(torch::kFloat64);
    PolicyParts parts = parts_of(*policy);
    const Tables tables = encode(parts, graphs, alone(), what.rules());
    const Trajectories trees = roll_out(parts, tables, graphs, what.rules(),
                                        draw_starts(graphs, what.rules(), 2, false, part), {false, 5, 0});
    return {policy, parts, graphs, trees, torch::randn({6}, torch::kFloat64), what.rules()};
}

at::Tensor loss_of(Fixture& f) {
    const Tables tables = encode(f.parts, f.graphs, alone(), f.rules);
    const Likelihood likelihood =
        log_probabilities(f.parts, tables, f.trees, true, step_resources(f.trees, f.graphs, f.rules, true));
    return (f.weights * likelihood.log_probabilities).sum() + 0.3 * likelihood.entropies.sum();
}

TEST(Replay, HasTheGradientsThatFiniteDifferencesHave) {
    for (const TrainableCase& what : trainable_cases()) {
        Fixture f = make_fixture(what);
        loss_of(f).backward();
        const torch::NoGradGuard no_gradients;
        constexpr double step = 1e-6;
        for (const auto& item : f.policy->named_parameters()) {
            auto values = item.value().view(-1);
            const auto gradient =
                item.value().grad().defined() ? item.value().grad().reshape(-1) : torch::zeros_like(values);
            // A few entries of the long ones: the whole test must stay short.
            const std::int64_t stride = std::max<std::int64_t>(1, values.numel() / 6);
            for (std::int64_t k = 0; k < values.numel(); k += stride) {
                const double before = values[k].item<double>();
                values[k] = before + step;
                const double above = loss_of(f).item<double>();
                values[k] = before - step;
                const double below = loss_of(f).item<double>();
                values[k] = before;
                const double expected = (above - below) / (2 * step);
                ASSERT_NEAR(gradient[k].item<double>(), expected, 2e-6 * (1 + std::abs(expected)))
                    << what.problem << " " << item.key() << "[" << k << "]";
            }
        }
    }
}

TEST(Replay, InPiecesHasTheGradientsOfTheWhole) {
    for (const TrainableCase& what : trainable_cases()) {
        std::vector<std::vector<at::Tensor>> gradients;
        for (const std::int64_t piece : {3, 2, 1}) {
            Fixture f = make_fixture(what);
            const Tables tables = encode(f.parts, f.graphs, alone(), f.rules);
            const auto loss = [&](const Tables& some, std::int64_t first, std::int64_t count) -> WeightedSum {
                const auto part = [&](const at::Tensor& x) { return x.narrow(0, 2 * first, 2 * count); };
                const Trajectories trees = f.trees.changed(part);
                const Graphs graphs =
                    f.graphs.changed([&](const at::Tensor& x) { return x.narrow(0, first, count); });
                const auto resources = step_resources(trees, graphs, f.rules, true);
                const auto likelihood = log_probabilities(f.parts, some, trees, false, resources);
                if (piece == 2) return {(part(f.weights) * likelihood.log_probabilities).sum()};
                return {likelihood.log_probabilities, part(f.weights)};
            };
            differentiate(tables, piece, loss);
            gradients.emplace_back();
            for (const auto& parameter : f.policy->parameters()) gradients.back().push_back(parameter.grad());
        }
        for (std::size_t run = 1; run < gradients.size(); ++run) {
            for (std::size_t k = 0; k < gradients[0].size(); ++k) {
                if (!gradients[0][k].defined()) continue;
                EXPECT_TRUE(torch::allclose(gradients[0][k], gradients[run][k], 1e-9, 1e-11)) << what.problem;
            }
        }
    }
}

}  // namespace
}  // namespace neuroprim::train
