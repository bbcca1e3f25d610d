#include "train/batch_decoder.hpp"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <cmath>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/neural.hpp"
#include "train/problem_batch.hpp"
#include "train_support.hpp"

namespace neuroprim::train {
namespace {

Policy policy_told_the_specification(std::uint64_t seed,
                                     const std::vector<std::string>& features = {"specification"}) {
    PolicyConfig config;
    config.d_v = 16;
    config.d_e = 8;
    config.d_f = 24;
    config.heads = 4;
    config.encoder_layers = 2;
    config.features = features;
    return Policy::random(config, seed);
}

std::vector<const Problem*> views(const std::vector<LibraryProblem>& problems) {
    std::vector<const Problem*> result;
    for (const LibraryProblem& problem : problems) result.push_back(problem.problem.get());
    return result;
}

/// Graphs of two sizes, so that there are several batches.
std::vector<LibraryProblem> problems_of(const TrainableCase& what, std::uint64_t seed) {
    std::vector<LibraryProblem> problems;
    for (const std::int64_t n : {11, 14, 11}) {
        InstanceOptions options;
        options.n_min = options.n_max = n;
        const BatchPart part{seed, problems.size(), 0, 2};
        const Graphs graphs = draw_case(what, options, part);
        const auto roots = draw_starts(graphs, what.rules(), 1, false, part);
        for (std::int64_t g = 0; g < graphs.size(); ++g) {
            problems.push_back(
                library_problem(what.rules(), graphs, g, static_cast<Vertex>(roots[g].item<std::int64_t>())));
        }
    }
    return problems;
}

/// A start with one edge makes degree limits differ, which batches do not know.
std::vector<TrainableCase> cases_in_batches() {
    std::vector<TrainableCase> cases = trainable_cases();
    std::erase_if(cases, [](const TrainableCase& what) { return what.leaf_start; });
    return cases;
}

/// Greedy from all starts; first edges of a root are not tried in batches.
double cost_of_engine(const Policy& policy, const Problem& problem) {
    NeuralOptions options;
    options.starts = problem.spec().root ? 1 : 0;
    return solve_neurally(policy, problem, options).cost;
}

TEST(BatchDecoder, GrowsTheTreesOfTheEngine) {
    const Policy policy = policy_told_the_specification(5, {"distance", "weights", "specification"});
    BatchDecoder decoder(policy, c10::kCPU);
    int compared = 0;
    for (const TrainableCase& what : cases_in_batches()) {
        const std::vector<LibraryProblem> problems = problems_of(what, 3);
        const std::vector<DecodedTree> answers = decoder.decode(views(problems), {});
        BatchDecoding all_symmetries;
        all_symmetries.augmentations = 8;
        const std::vector<DecodedTree> mirrored = decoder.decode(views(problems), all_symmetries);
        for (std::size_t k = 0; k < problems.size(); ++k) {
            const Problem& problem = *problems[k].problem;
            double expected = 0;
            try {
                expected = cost_of_engine(policy, problem);
            } catch (const Infeasible&) {
                EXPECT_FALSE(answers[k].is_feasible) << what.problem;
                continue;
            }
            ASSERT_TRUE(answers[k].is_feasible) << what.problem;
            EXPECT_FALSE(problem.violation(answers[k].tree)) << *problem.violation(answers[k].tree);
            EXPECT_DOUBLE_EQ(answers[k].cost, problem.cost(answers[k].tree));
            EXPECT_NEAR(answers[k].cost, expected, 1e-5 * expected) << what.problem << " " << k;
            EXPECT_FALSE(problem.violation(mirrored[k].tree)) << *problem.violation(mirrored[k].tree);
            EXPECT_LE(mirrored[k].cost, answers[k].cost);
            EXPECT_EQ(mirrored[k].grown, 8 * answers[k].grown);
            ++compared;
        }
    }
    EXPECT_GT(compared, 60);
}

/// Through the fused kernels, whose sums have another order: a tie within rounding may fall the other way.
TEST(BatchDecoder, GrowsTheTreesOfTheEngineOnAGpu) {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
    PolicyConfig config;
    config.d_v = 32;
    config.d_e = 16;
    config.d_f = 64;
    config.encoder_layers = 2;
    config.features = {"distance", "weights", "specification", "layer_norms"};
    const Policy policy = Policy::random(config, 7);
    BatchDecoder decoder(policy, c10::kCUDA);
    int compared = 0;
    int differ = 0;
    for (const TrainableCase& what : cases_in_batches()) {
        const std::vector<LibraryProblem> problems = problems_of(what, 3);
        const std::vector<DecodedTree> answers = decoder.decode(views(problems), {});
        for (std::size_t k = 0; k < problems.size(); ++k) {
            if (!answers[k].is_feasible) continue;
            const Problem& problem = *problems[k].problem;
            EXPECT_FALSE(problem.violation(answers[k].tree)) << *problem.violation(answers[k].tree);
            const double expected = cost_of_engine(policy, problem);
            ++compared;
            if (std::abs(answers[k].cost - expected) > 1e-5 * expected) ++differ;
        }
    }
    EXPECT_GT(compared, 60);
    EXPECT_LE(differ, compared / 20);
}

TEST(BatchDecoder, GrowsTheTreesOfTheEngineOnMatricesWithoutCoordinates) {
    const Policy policy = policy_told_the_specification(8, {"distance", "weights", "specification"});
    BatchDecoder decoder(policy, c10::kCPU);
    for (const char* preset : {"mst", "mrcst"}) {
        GenerateOptions options;
        options.n = 12;
        options.shape = GenerateOptions::Shape::matrix;
        options.seed = 3;
        const Instance instance = generate(options);
        const auto problem = make_problem(preset, instance, {});
        const Problem* problems[] = {problem.get()};
        const DecodedTree answer = decoder.decode(problems, {}).front();
        const double expected = solve_neurally(policy, *problem, {}).cost;
        EXPECT_NEAR(answer.cost, expected, 1e-9 * expected) << preset;
    }
}

TEST(BatchDecoder, SamplesTheSameTreesHoweverProblemsAreSplit) {
    const Policy policy = policy_told_the_specification(6);
    BatchDecoder decoder(policy, c10::kCPU);
    const std::vector<LibraryProblem> problems = problems_of(trainable_cases().front(), 4);
    BatchDecoding options;
    options.samples = 5;
    options.seed = 9;
    const auto first = decoder.decode(views(problems), options);
    const auto second = decoder.decode(views(problems), options);
    options.seed = 10;
    const auto other = decoder.decode(views(problems), options);
    bool differs = false;
    for (std::size_t k = 0; k < problems.size(); ++k) {
        EXPECT_EQ(first[k].tree.edges, second[k].tree.edges);
        EXPECT_EQ(first[k].grown, 5);
        differs = differs || first[k].tree.edges != other[k].tree.edges;
    }
    EXPECT_TRUE(differs);
}

TEST(BatchDecoder, SaysWhatCannotGrowInBatches) {
    Instance matrix;
    matrix.name = "three";
    matrix.weights = Weights::from_edges(3, {{0, 1, 1.0}, {1, 2, 2.0}, {0, 2, 5.0}});
    const Problem of_matrix(matrix);
    const Policy policy = policy_told_the_specification(7);
    EXPECT_EQ(reason_against_batches(of_matrix, policy.config()),
              "its weights are not the straight distances between points");
    const Policy seeing = policy_told_the_specification(7, {"distance", "weights"});
    EXPECT_EQ(reason_against_batches(of_matrix, seeing.config()), std::nullopt);
    Instance path;
    path.weights = Weights::from_edges(3, {{0, 1, 1.0}, {1, 2, 2.0}});
    EXPECT_EQ(reason_against_batches(Problem(path), seeing.config()), "its graph is not complete");

    Instance points;
    points.weights = Weights::from_points({{0, 0}, {1, 0}, {0, 1}});
    TreeSpec leaf;
    leaf.degrees = {2, 1, 2};
    EXPECT_TRUE(reason_against_batches(Problem(points, leaf), policy.config()).has_value());
    EXPECT_FALSE(reason_against_batches(Problem(points), policy.config()).has_value());

    BatchDecoder decoder(policy, c10::kCPU);
    const Problem* problems[] = {&of_matrix};
    try {
        (void)decoder.decode(problems, {});
        FAIL() << "a matrix grew";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("three: its weights"), std::string::npos) << error.what();
    }
}

TEST(ProblemBatch, SpreadsStartsEvenly) {
    Instance points;
    points.weights = Weights::from_points({{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    const Problem problem(points);
    const Problem* problems[] = {&problem};
    const auto few = starts_of(problems, 2, true);
    EXPECT_EQ(few[0].item<std::int64_t>(), 0);
    EXPECT_EQ(few[1].item<std::int64_t>(), 2);
    const auto many = starts_of(problems, 6, true);
    EXPECT_EQ(many[5].item<std::int64_t>(), 1);
}

}  // namespace
}  // namespace neuroprim::train
