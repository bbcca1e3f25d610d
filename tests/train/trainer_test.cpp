#include <gtest/gtest.h>
#include <torch/torch.h>

#include "neuroprim/error.hpp"
#include "neuroprim/policy.hpp"
#include "policy/model.hpp"
#include "policy/safetensors.hpp"
#include "train/encoder.hpp"
#include "train/instances.hpp"
#include "train/metrics.hpp"
#include "train/optimiser.hpp"
#include "train/reinforce.hpp"
#include "train/rollout.hpp"
#include "train/run.hpp"
#include "train_support.hpp"

namespace neuroprim::train {
namespace {

Configuration small_configuration(const TrainableCase& what) {
    Configuration c;
    c.problem = what.problem;
    c.degree = {what.degree, what.degree};
    c.hops = {what.hops, what.hops};
    c.diameter = {what.diameter, what.diameter};
    c.capacity = {what.capacity, what.capacity};
    c.demands = what.demands;
    c.length = {what.length, what.length};
    c.d_v = 32;
    c.d_e = 8;
    c.d_f = 32;
    c.heads = 4;
    c.encoder_layers = 2;
    c.n = 8;
    c.graphs = 8;
    c.trajectories = 8;
    c.learning_rate = 1e-3;
    c.updates = 100;
    c.validation_graphs = 50;
    if (what.weights == InstanceOptions::EdgeWeights::mixed) {
        c.weights = "mixed";
        c.features = "distance,weights";
    }
    return c;
}

TEST(Trainer, LearnsSomethingForEveryProblem) {
    for (const TrainableCase& what : trainable_cases()) {
        Trainer trainer(small_configuration(what), c10::kCPU, alone());
        const double before = trainer.validate().cost;
        for (int k = 0; k < 40; ++k) trainer.update();
        // Of prizes much is lost whatever one does.
        const double share = what.problem == "pcst" ? 0.95 : 0.9;
        EXPECT_LT(trainer.validate().cost, share * before) << what.problem << " " << before;
    }
}

/// A policy with decided opinions, in a file.
std::string policy_to_imitate(const TemporaryFolder& folder, const std::string& problem) {
    PolicyConfig config = small_configuration({"dcmst", 2, 0}).policy();
    config.problem = problem;
    Policy::random(config, 8).save(folder / "teacher.safetensors");
    return (folder / "teacher.safetensors").string();
}

/// Runs of every kind: sampled, with growing sizes, with a teacher whose trees are used again, with a policy to
/// imitate.
std::vector<Configuration> runs_to_interrupt(const TemporaryFolder& folder) {
    Configuration growing = small_configuration({"mrcst", 0, 0});
    growing.n_max = 12;
    growing.grow = 5;
    Configuration taught = small_configuration({"hmst", 0, 3});
    taught.teacher = 2;
    taught.teacher_uses = 3;
    taught.teacher_order = "random";
    Configuration weighted = small_configuration({"stp", 0, 0});
    weighted.teacher = 2;
    weighted.weights = "mixed";
    weighted.features = "distance,weights";
    Configuration imitating = small_configuration({"mrcst", 0, 0});
    imitating.imitates = policy_to_imitate(folder, "mrcst");
    return {small_configuration({"dcmst", 2, 0}),
            small_configuration({"stp", 0, 0}),
            growing,
            taught,
            weighted,
            imitating};
}

TEST(Trainer, GoesOnFromACheckpointBitForBit) {
    const TemporaryFolder models;
    for (Configuration configuration : runs_to_interrupt(models)) {
        configuration.schedule = "cosine";
        configuration.warmup = 3;
        Trainer straight(configuration, c10::kCPU, alone());
        for (int k = 0; k < 6; ++k) straight.update();

        Trainer first(configuration, c10::kCPU, alone());
        for (int k = 0; k < 4; ++k) first.update();
        const TemporaryFolder folder;
        write_checkpoint(folder / "c.safetensors", first.checkpoint());
        Trainer second(configuration, c10::kCPU, alone());
        second.restore(read_checkpoint(folder / "c.safetensors"));
        EXPECT_EQ(second.step(), 4);
        (void)second.validate();  // looking must not change anything
        for (int k = 0; k < 2; ++k) second.update();

        EXPECT_EQ(second.checkpoint().model, straight.checkpoint().model);
        EXPECT_EQ(second.checkpoint().optimiser, straight.checkpoint().optimiser);
    }
}

TEST(Trainer, RefusesACheckpointOfAnotherShape) {
    Configuration configuration = small_configuration({"mst", 0, 0});
    const Trainer small(configuration, c10::kCPU, alone());
    configuration.d_v = 16;
    Trainer other(configuration, c10::kCPU, alone());
    EXPECT_THROW(other.restore(small.checkpoint()), InputError);
}

/// The solver's engine grows the trees that the trainer's policy grows greedily in evaluation mode.
TEST(Export, GivesTheSolverTheSamePolicy) {
    const TemporaryFolder folder;
    for (const TrainableCase& what : trainable_cases()) {
        const Configuration configuration = small_configuration(what);
        Trainer trainer(configuration, c10::kCPU, alone());
        for (int k = 0; k < 5; ++k) trainer.update();
        write_checkpoint(folder / "c.safetensors", trainer.checkpoint());
        testing::internal::CaptureStdout();
        export_policy({folder / "c.safetensors", folder / "model.safetensors"});
        export_policy({folder / "c.safetensors", folder / "half.safetensors", true});
        testing::internal::GetCapturedStdout();
        EXPECT_EQ(Policy::load(folder / "half.safetensors").config().problem, what.problem);
        const Policy policy = Policy::load(folder / "model.safetensors");
        EXPECT_EQ(policy.config().problem, what.problem);
        EXPECT_EQ(policy.config().facts.at("updates"), "5");
        EXPECT_EQ(neuroprim::policy::sees_weights(policy.config()), configuration.weights == "mixed");

        PolicyModule module(policy.config());
        copy_weights(policy, module);
        module->eval();
        PolicyParts parts = parts_of(*module);
        InstanceOptions options;
        options.n_min = options.n_max = 15;
        const BatchPart part{77, 0, 0, 6};
        const Graphs graphs = draw_case(what, options, part);
        const auto starts = draw_starts(graphs, what.rules(), 2, false, part);
        const torch::NoGradGuard no_gradients;
        const Trajectories trees =
            roll_out(parts, encode(parts, graphs, alone()), graphs, what.rules(), starts, {true, 0, 0});
        for (std::int64_t b = 0; b < trees.size(); ++b) {
            const Tree expected = tree_of(trees, b);
            const auto library = library_problem(what.rules(), graphs, b / 2, expected.start);
            const std::vector<Start> start = {{expected.start, 0}};
            EXPECT_EQ(decode(encode(policy, *library.problem), *library.problem, start)[0].tree, expected)
                << what.problem << " " << b;
        }
    }
}

TEST(Init, BeginsWithThePolicyThatWasExported) {
    const TemporaryFolder folder;
    Configuration configuration = small_configuration({"mrcst", 0, 0});
    Trainer trainer(configuration, c10::kCPU, alone());
    trainer.update();
    write_checkpoint(folder / "c.safetensors", trainer.checkpoint());
    testing::internal::CaptureStdout();
    export_policy({folder / "c.safetensors", folder / "model.safetensors"});
    testing::internal::GetCapturedStdout();
    configuration.init = (folder / "model.safetensors").string();
    const Trainer tuned(configuration, c10::kCPU, alone());
    EXPECT_EQ(tuned.checkpoint().model, trainer.checkpoint().model);
    EXPECT_EQ(tuned.step(), 0);
    configuration.features = "distance,weights";
    configuration.weights = "mixed";
    const Checkpoint seeing = Trainer(configuration, c10::kCPU, alone()).checkpoint();
    for (const auto& [name, tensor] : trainer.checkpoint().model) EXPECT_EQ(seeing.model.at(name), tensor) << name;
    configuration.heads = 2;
    EXPECT_THROW(Trainer(configuration, c10::kCPU, alone()), InputError);
}

TEST(Init, WidensAPolicyOfHalfTheVertexFeatures) {
    const TemporaryFolder folder;
    Configuration configuration = small_configuration({"mrcst", 0, 0});
    configuration.features = "layer_norms";
    Policy::random(configuration.policy(), 4).save(folder / "narrow.safetensors");
    configuration.init = (folder / "narrow.safetensors").string();
    const double narrow = Trainer(configuration, c10::kCPU, alone()).validate().cost;
    configuration.d_v *= 2;
    EXPECT_NEAR(Trainer(configuration, c10::kCPU, alone()).validate().cost, narrow, 1e-3 * narrow);
    configuration.d_v *= 2;
    EXPECT_THROW(Trainer(configuration, c10::kCPU, alone()), InputError);
}

/// The nats by which it is surprised at each step of the trees that an update is made of.
double surprise(Trainer& trainer, int updates) {
    for (int k = 0; k < updates; ++k) trainer.update();
    const Trainer::Sums sums = trainer.take_sums();
    return -sums.log_probability / sums.steps;
}

TEST(Imitation, OfAPolicyLearnsItsTrees) {
    const TemporaryFolder folder;
    Configuration configuration = small_configuration({"dcmst", 2, 0});
    configuration.imitates = policy_to_imitate(folder, "dcmst");
    configuration.graphs = 16;
    configuration.learning_rate = 3e-3;
    Trainer student(configuration, c10::kCPU, alone());
    const double before = surprise(student, 2);
    for (int k = 0; k < 60; ++k) student.update();
    (void)student.take_sums();
    EXPECT_LT(surprise(student, 5), 0.85 * before);
}

TEST(Imitation, HasTheCostsOfThePolicyThatGrowsTheTrees) {
    const TemporaryFolder folder;
    Configuration configuration = small_configuration({"dcmst", 2, 0});
    configuration.imitates = policy_to_imitate(folder, "dcmst");
    configuration.learning_rate = 1e-9;
    std::vector<double> costs;
    for (const std::int64_t d_v : {32, 64}) {  // another student, the same teacher
        configuration.d_v = d_v;
        Trainer student(configuration, c10::kCPU, alone());
        for (int k = 0; k < 3; ++k) student.update();
        costs.push_back(student.take_sums().cost);
    }
    EXPECT_EQ(costs[0], costs[1]);
}

TEST(Imitation, RefusesPoliciesForOtherProblems) {
    const TemporaryFolder folder;
    Configuration configuration = small_configuration({"dcmst", 2, 0});
    configuration.imitates = policy_to_imitate(folder, "mrcst");
    EXPECT_THROW(Trainer(configuration, c10::kCPU, alone()), InputError);
    configuration.imitates = policy_to_imitate(folder, "tree");
    EXPECT_NO_THROW(Trainer(configuration, c10::kCPU, alone()));
    configuration.imitates = (folder / "nowhere.safetensors").string();
    EXPECT_THROW(Trainer(configuration, c10::kCPU, alone()), InputError);
    configuration.imitates.clear();
    const std::string paths = policy_to_imitate(folder, "dcmst");
    configuration.mix = "dcmst degree=2 imitates=" + paths + "; mrcst imitates=" + paths;
    EXPECT_THROW(Trainer(configuration, c10::kCPU, alone()), InputError) << "each kind is asked, not each file";
}

/// A kind that is learned in two ways is validated once, whoever grows the trees, and others sample beside it.
TEST(Imitation, IsOnePartOfAMix) {
    const TemporaryFolder folder;
    Configuration configuration = small_configuration({"mst", 0, 0});
    configuration.mix = "dcmst degree=2 imitates=" + policy_to_imitate(folder, "dcmst") + "; dcmst degree=2; mrcst";
    configuration.features = "specification,layer_norms";
    Trainer trainer(configuration, c10::kCPU, alone());
    for (int k = 0; k < 8; ++k) trainer.update();
    const Trainer::Validation validation = trainer.validate();
    ASSERT_EQ(validation.kinds.size(), 2U);
    EXPECT_EQ(validation.kinds[0].first, "dcmst degree=2");
    EXPECT_EQ(validation.kinds[1].first, "mrcst");
    EXPECT_DOUBLE_EQ(validation.cost, (validation.kinds[0].second + validation.kinds[1].second) / 2);
}

TEST(Adam, IsTheOneOfTorch) {
    torch::manual_seed(1);
    auto parameter = torch::randn({50}).requires_grad_(true);
    auto values = parameter.detach().clone();
    torch::optim::Adam expected({parameter}, torch::optim::AdamOptions(0.01));
    Adam adam(values);
    for (int k = 0; k < 10; ++k) {
        const auto gradient = torch::randn({50});
        parameter.mutable_grad() = gradient.clone();
        expected.step();
        ++adam.steps;
        const auto factors = adam.factors(0.01);
        adam.update(values, gradient, torch::tensor({factors[0], factors[1], factors[2]}));
    }
    EXPECT_TRUE(torch::allclose(values, parameter.detach(), 1e-5, 1e-6));
}

TEST(FlatParameters, AreWhatTheModelComputesWith) {
    torch::nn::Linear model(3, 2);
    FlatParameters flat(model->parameters());
    EXPECT_EQ(flat.values.numel(), 8);
    flat.values.fill_(1);
    const auto y = model(torch::ones({1, 3}));
    EXPECT_TRUE(torch::equal(y, torch::full({1, 2}, 4.0)));
    for (int pass = 0; pass < 2; ++pass) {  // what an update before left behind is not added
        flat.forget_gradients();
        model(torch::ones({1, 3})).sum().backward();
        flat.collect_gradients();
        EXPECT_TRUE(torch::equal(flat.gradients, torch::ones({8})));
    }
}

TEST(ClipGradient, ShortensLongOnesOnly) {
    auto gradient = torch::tensor({3.0f, 4.0f});
    EXPECT_FLOAT_EQ(clip_gradient(gradient, 10).item<float>(), 5);
    EXPECT_TRUE(torch::allclose(gradient, torch::tensor({3.0f, 4.0f})));
    EXPECT_FLOAT_EQ(clip_gradient(gradient, 1).item<float>(), 5);
    EXPECT_NEAR(gradient.norm().item<float>(), 1, 1e-5);
    EXPECT_NEAR(clip_gradient(gradient, 0).item<float>(), 1, 1e-5);
}

TEST(Schedule, WarmsUpAndFollowsHalfACosine) {
    const Schedule schedule{2, true, 10, 110};
    EXPECT_DOUBLE_EQ(schedule.at(0), 0.2);
    EXPECT_DOUBLE_EQ(schedule.at(9), 2);
    EXPECT_DOUBLE_EQ(schedule.at(10), 2);
    EXPECT_NEAR(schedule.at(60), 1, 1e-12);
    EXPECT_NEAR(schedule.at(110), 0, 1e-12);
    const Schedule constant{2, false, 0, 10};
    EXPECT_DOUBLE_EQ(constant.at(9), 2);
}

TEST(Share, OfAllProcessesIsEveryGraphOnce) {
    for (const int size : {1, 2, 3, 7}) {
        std::int64_t next = 0;
        for (int rank = 0; rank < size; ++rank) {
            const Share share = share_of(10, rank, size);
            EXPECT_EQ(share.first, next);
            EXPECT_GE(share.count, 10 / size);
            next += share.count;
        }
        EXPECT_EQ(next, 10);
    }
}

TEST(EventFile, HasTheChecksumsOfCastagnoli) {
    EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
    EXPECT_EQ(crc32c(""), 0U);
}

TEST(ReadableDuration, IsMinutesOrHours) {
    EXPECT_EQ(readable_duration(65), "1:05");
    EXPECT_EQ(readable_duration(3725), "1:02:05");
}

}  // namespace
}  // namespace neuroprim::train
