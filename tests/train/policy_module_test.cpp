#include "train/policy_module.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "policy/cases.hpp"
#include "policy/model.hpp"

namespace neuroprim::train {

namespace {

using testing::policy_case;
using testing::policy_cases;
using testing::small_config;

constexpr double tolerance = 1e-4;

/// Trees of one length, as teacher forcing wants them.
std::vector<Tree> trees_of(const std::vector<Rollout>& rollouts) {
    std::vector<Tree> result;
    for (const auto& rollout : rollouts) {
        if (rollout.tree.edges.size() == rollouts[0].tree.edges.size()) result.push_back(rollout.tree);
    }
    return result;
}

TEST(PolicyModule, AgreesWithTheEngineOnEveryProblemForm) {
    for (const int layers : {1, 2}) {
        const Policy policy = Policy::random(small_config(16, 8, layers), 5);
        PolicyModule module(policy.config());
        copy_weights(policy, module);
        module->eval();
        for (const Vertex n : {2, 3, 7, 20}) {
            for (const auto& each : policy_cases(n, 3)) {
                SCOPED_TRACE(each.title + ", " + std::to_string(n) + " vertices");
                const Encoded encoded(policy, *each.problem);
                auto starts = all_starts(*each.problem);
                if (starts.size() > 3) starts.resize(3);
                const auto trees = trees_of(decode(encoded, *each.problem, starts));
                const torch::NoGradGuard no_gradients;
                const torch::Tensor expected = log_probabilities(module, *each.problem, trees);
                for (std::size_t k = 0; k < trees.size(); ++k) {
                    EXPECT_NEAR(log_probability(encoded, *each.problem, trees[k]),
                                expected[static_cast<std::int64_t>(k)].item<double>(), tolerance);
                }
            }
        }
    }
}

TEST(PolicyModule, AgreesWithTheEngineOnRandomSpecifications) {
    for (const int layers : {1, 2}) {
        const Policy policy = Policy::random(testing::told_config(16, 8, layers, layers == 1), 15);
        PolicyModule module(policy.config());
        copy_weights(policy, module);
        module->eval();
        const torch::NoGradGuard no_gradients;
        for (std::uint64_t seed = 1; seed <= 25; ++seed) {
            const auto each = testing::random_specification(3 + static_cast<Vertex>(seed % 12), seed + 100);
            SCOPED_TRACE(each.title);
            const Encoded encoded(policy, *each.problem);
            auto starts = all_starts(*each.problem);
            if (starts.size() > 2) starts.resize(2);
            const auto rollouts = decode(encoded, *each.problem, starts);
            const auto trees = trees_of(rollouts);
            const torch::Tensor expected = log_probabilities(module, *each.problem, trees);
            for (std::size_t k = 0; k < trees.size(); ++k) {
                EXPECT_NEAR(log_probability(encoded, *each.problem, trees[k]),
                            expected[static_cast<std::int64_t>(k)].item<double>(), tolerance);
            }
            EXPECT_EQ(decode_greedily(module, *each.problem, starts)[0], rollouts[0].tree);
        }
    }
}

TEST(PolicyModule, AgreesWithTheEngineOnTrueWeights) {
    const Policy policy = Policy::random(testing::with_weights(testing::told_config()), 16);
    PolicyModule module(policy.config());
    copy_weights(policy, module);
    module->eval();
    const torch::NoGradGuard no_gradients;
    for (const Vertex n : {2, 3, 7, 20}) {
        for (const auto& each : policy_cases(n, 4)) {
            SCOPED_TRACE(each.title + ", " + std::to_string(n) + " vertices");
            const Encoded encoded(policy, *each.problem);
            auto starts = all_starts(*each.problem);
            if (starts.size() > 3) starts.resize(3);
            const auto trees = trees_of(decode(encoded, *each.problem, starts));
            const torch::Tensor expected = log_probabilities(module, *each.problem, trees);
            for (std::size_t k = 0; k < trees.size(); ++k) {
                EXPECT_NEAR(log_probability(encoded, *each.problem, trees[k]),
                            expected[static_cast<std::int64_t>(k)].item<double>(), tolerance);
            }
        }
    }
}

TEST(PolicyModule, DecodesTheSameGreedyTreesAsTheEngine) {
    const Policy policy = Policy::random(small_config(), 6);
    PolicyModule module(policy.config());
    copy_weights(policy, module);
    for (const char* name : {"mst", "dcmst", "stp"}) {
        const auto each = policy_case(name, 15, 4, std::string(name) == "dcmst" ? 2 : 0);
        const auto starts = all_starts(*each.problem);
        const auto rollouts = decode(encode(policy, *each.problem), *each.problem, starts);
        const auto trees = decode_greedily(module, *each.problem, starts);
        for (std::size_t k = 0; k < trees.size(); ++k) EXPECT_EQ(trees[k], rollouts[k].tree) << name << " " << k;
    }
}

TEST(PolicyModule, IsWrittenAsAFileThatTheEngineLoads) {
    torch::manual_seed(1);
    PolicyConfig config = small_config(32, 8, 2);
    config.facts["epochs"] = "3";
    PolicyModule module(config);
    const auto path = std::filesystem::path(::testing::TempDir()) / "neuroprim_module.safetensors";
    save_weights(module, path);
    const Policy policy = Policy::load(path);
    EXPECT_EQ(policy.config(), config);
    EXPECT_EQ(policy.model().tensors().size(), policy::expected_tensors(config).size());
    module->eval();
    const auto each = policy_case("mrcst", 10, 1);
    const Encoded encoded(policy, *each.problem);
    const auto trees = trees_of(decode(encoded, *each.problem, all_starts(*each.problem)));
    const torch::NoGradGuard no_gradients;
    const torch::Tensor expected = log_probabilities(module, *each.problem, trees);
    for (std::size_t k = 0; k < trees.size(); ++k) {
        EXPECT_NEAR(log_probability(encoded, *each.problem, trees[k]),
                    expected[static_cast<std::int64_t>(k)].item<double>(), tolerance);
    }
    std::filesystem::remove(path);
}

TEST(PolicyModule, PassesGradientsToEveryParameter) {
    const Policy policy = Policy::random(testing::told_config(), 6);
    PolicyModule module(policy.config());
    copy_weights(policy, module);
    module->train();
    const auto each = policy_case("stp", 9, 2);
    const auto trees = trees_of(decode(encode(policy, *each.problem), *each.problem, all_starts(*each.problem)));
    log_probabilities(module, *each.problem, trees).sum().backward();
    for (const auto& parameter : module->named_parameters()) {
        ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
        EXPECT_TRUE(parameter.value().grad().isfinite().all().item<bool>()) << parameter.key();
    }
}

}  // namespace

}  // namespace neuroprim::train
