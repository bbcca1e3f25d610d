#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/models.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/solve.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

TEST(Solve, EveryClassicalMethodSaysItsNameCostAndBound) {
    const Instance instance = generate({.n = 30, .seed = 1});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    const Solution solution = solve(*problem, {"degree-prim"});
    EXPECT_EQ(solution.method, "degree-prim");
    EXPECT_DOUBLE_EQ(solution.cost, problem->cost(solution.tree));
    ASSERT_TRUE(solution.bound);
    EXPECT_LE(*solution.bound, solution.cost);
    EXPECT_NEAR(*solution.gap_percent(), 100 * (solution.cost / *solution.bound - 1), 1e-9);
}

TEST(Solve, FindsTheOptimumOfSmallInstancesAndNoBoundExceedsIt) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.n = 6, .terminals = 3, .requirements = true, .seed = seed});
        for (const char* name : {"mst", "dcmst", "mrcst", "ocst", "stp", "hmst"}) {
            const auto problem = testing::classic_problem(name, instance, {.degree = 2, .root = 0, .hops = 2});
            const Solution solution = solve(*problem, {.max_iterations = 500});
            const double best = *testing::optimum(*problem);
            EXPECT_NEAR(solution.cost, best, 1e-9) << name;
            EXPECT_LE(solution.bound.value_or(0), best + 1e-9) << name;
        }
    }
}

TEST(Solve, GapIsUnknownWithoutABoundAndZeroWhenNothingCostsAnything) {
    Solution solution;
    solution.cost = 3;
    EXPECT_EQ(solution.gap_percent(), std::nullopt);
    solution.bound = 2;
    EXPECT_DOUBLE_EQ(*solution.gap_percent(), 50);
    solution.bound = 0;
    EXPECT_EQ(solution.gap_percent(), std::nullopt);
    solution.cost = 0;
    EXPECT_EQ(solution.gap_percent(), 0);
}

TEST(Solve, ATreeThatCostsNothingIsProvenOptimal) {
    Instance equal_points = generate({.n = 9, .terminals = 4, .requirements = true, .seed = 1});
    equal_points.weights = Weights::from_points(std::vector<Point>(9, {0.5, 0.5}), Metric::euclidean);
    for (const char* name : {"mst", "dcmst", "mrcst", "ocst", "stp", "hmst"}) {
        const auto problem = testing::classic_problem(name, equal_points, {.degree = 2, .root = 0, .hops = 2});
        const Solution solution = solve(*problem, {.max_iterations = 10});
        EXPECT_TRUE(solution.proven()) << name;
        EXPECT_EQ(solution.gap_percent(), 0) << name;
    }
    const auto problem = make_problem("mrcst", equal_points);
    EXPECT_TRUE(solve(*problem, {"star"}).proven());
}

TEST(Solve, ACostOfNothingProvesNothingWhereCostsMayBeNegative) {
    class Rebate : public Problem {
    public:
        using Problem::Problem;
        [[nodiscard]] std::string_view name() const override { return "rebate"; }
        [[nodiscard]] double cost(const Tree&) const override { return 0; }
        [[nodiscard]] bool cost_is_total_weight() const override { return false; }
    };
    const Instance instance = generate({.n = 5, .seed = 1});
    EXPECT_FALSE(solve(Rebate(instance), {"prim"}).proven());
}

TEST(Solve, RefusesAStartThatTheProblemDoesNotAllow) {
    const Instance instance = generate({.n = 8, .terminals = 2, .seed = 1});
    const auto problem = make_problem("hmst", instance, {.root = 3, .hops = 2});
    EXPECT_THROW((void)solve(*problem, {"prim", 4}), InputError);
    EXPECT_EQ(solve(*problem, {"prim", 3}).tree.start, 3);
}

TEST(Models, SuitTheDegreeLimitAndTheSize) {
    const auto folder = std::filesystem::temp_directory_path() / "neuroprim-degrees-test";
    std::filesystem::create_directories(folder);
    const auto touch = [&](const char* name) { std::ofstream(folder / name) << "a model"; };
    touch("dcmst.safetensors");
    setenv("NEUROPRIM_MODELS", folder.c_str(), 1);
    const Instance instance = generate({.n = 9, .seed = 1});
    const auto path = make_problem("dcmst", instance, {.degree = 2});
    const auto tree = make_problem("dcmst", instance, {.degree = 3});
    EXPECT_EQ(find_model(*tree), folder / "dcmst.safetensors") << "better than none";
    touch("dcmst-3.safetensors");
    EXPECT_EQ(find_model(*tree), folder / "dcmst-3.safetensors");
    EXPECT_EQ(find_model(*path), folder / "dcmst.safetensors");
    const Instance many = generate({.n = 151, .seed = 1});
    const auto long_path = make_problem("dcmst", many, {.degree = 2});
    EXPECT_EQ(find_model(*long_path), folder / "dcmst.safetensors");
    touch("dcmst-large.safetensors");
    EXPECT_EQ(find_model(*long_path), folder / "dcmst-large.safetensors");
    EXPECT_EQ(find_model(*path), folder / "dcmst.safetensors");
    EXPECT_FALSE(find_end_model(*long_path)) << "a user's own models come first";
    touch("dcmst-end.safetensors");
    EXPECT_EQ(find_end_model(*long_path), folder / "dcmst-end.safetensors");
    EXPECT_EQ(find_model(*long_path), folder / "dcmst-large.safetensors") << "for one look at all points";
    unsetenv("NEUROPRIM_MODELS");
    std::filesystem::remove_all(folder);
}

TEST(Models, TheSharedOneComesFirstWhereWeightsAreNoDistances) {
    const auto folder = std::filesystem::temp_directory_path() / "neuroprim-weights-test";
    std::filesystem::create_directories(folder);
    const auto touch = [&](const std::string& name) { std::ofstream(folder / (name + ".safetensors")) << "a model"; };
    for (const char* name : {"dcmst", "dcmst-3", "dcmst-end", "mrcst", "stp"}) touch(name);
    setenv("NEUROPRIM_MODELS", folder.c_str(), 1);
    const Instance points = generate({.n = 4, .terminals = 2, .seed = 1});
    Instance matrix;
    matrix.weights = Weights::from_lower_triangle(4, std::vector<double>{1, 2, 4, 3, 5, 9});
    matrix.terminals = {0, 3};
    const auto taken = [&](const Instance& instance, const char* preset, const ProblemOptions& options = {}) {
        return find_model(*make_problem(preset, instance, options))->stem().string();
    };
    EXPECT_EQ(taken(matrix, "mrcst"), "mrcst") << "better than none";
    touch("tree");
    for (const char* preset : {"mrcst", "stp"}) {
        EXPECT_EQ(taken(matrix, preset), "tree");
        EXPECT_EQ(taken(points, preset), preset);
    }
    EXPECT_EQ(taken(matrix, "dcmst", {.degree = 2}), "tree");
    EXPECT_EQ(taken(matrix, "dcmst", {.degree = 3}), "tree");
    EXPECT_EQ(taken(points, "dcmst", {.degree = 2}), "dcmst");
    EXPECT_EQ(taken(points, "dcmst", {.degree = 3}), "dcmst-3");
    const auto under = [](Metric metric, int n) {
        Instance instance;
        std::vector<Point> line;
        for (int k = 0; k < n; ++k) line.push_back({1.0 * k, 2.0 * k});
        instance.weights = Weights::from_points(std::move(line), metric);
        return instance;
    };
    EXPECT_EQ(taken(under(Metric::manhattan, 9), "mrcst"), "tree");
    EXPECT_EQ(taken(under(Metric::max_2d, 9), "dcmst", {.degree = 2}), "tree");
    EXPECT_EQ(taken(under(Metric::manhattan, 151), "mrcst"), "mrcst") << "larger than what it was trained with";
    EXPECT_EQ(taken(under(Metric::euc_2d, 9), "mrcst"), "mrcst");
    EXPECT_FALSE(find_end_model(*make_problem("dcmst", matrix, {.degree = 2})));
    EXPECT_TRUE(find_end_model(*make_problem("dcmst", points, {.degree = 2})));
    unsetenv("NEUROPRIM_MODELS");
    std::filesystem::remove_all(folder);
}

TEST(Models, TheSharedOneServesWhatItWasTrainedFor) {
    const auto folder = std::filesystem::temp_directory_path() / "neuroprim-shared-test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "tree.safetensors") << "a model";
    setenv("NEUROPRIM_MODELS", folder.c_str(), 1);
    Instance instance = generate({.n = 9, .seed = 1});
    const auto is_shared = [&](const char* preset, const ProblemOptions& options) {
        return find_model(*make_problem(preset, instance, options)) == folder / "tree.safetensors";
    };
    EXPECT_TRUE(is_shared("hmst", {.root = 0, .hops = 3}));
    EXPECT_TRUE(is_shared("cmst", {.root = 0, .capacity = 4}));
    EXPECT_TRUE(is_shared("bdmst", {.diameter = 4}));
    EXPECT_TRUE(is_shared("tree", {.degree = 3, .root = 0, .hops = 4}));
    for (const char* preset : {"lmst", "dcmst", "mrcst", "stp"}) {
        EXPECT_EQ(find_model(preset), folder / "tree.safetensors") << preset;
    }
    EXPECT_TRUE(is_shared("mrcst", {}));
    EXPECT_FALSE(is_shared("mst", {}));
    EXPECT_FALSE(is_shared("tree", {.root = 0, .hops = 4, .excluded_edges = {{0, 1}}}));
    EXPECT_FALSE(find_model("ocst"));

    const Instance with_terminals = generate({.n = 9, .terminals = 3, .seed = 1});
    EXPECT_TRUE(find_model(*make_problem("stp", with_terminals)));
    EXPECT_TRUE(find_model(*make_problem("tree", with_terminals, {.root = 0, .hops = 4})));

    instance.degree_limits = {3, 3, 3, 3, 3, 3, 3, 3, 1};
    const auto problem = make_problem("tree", instance, {.root = 0, .hops = 4});
    EXPECT_FALSE(find_model(*problem));
    try {
        (void)load_policy(*problem);
        FAIL() << "a policy for limits that it does not know";
    } catch (const InputError& error) {
        EXPECT_EQ(
            std::string(error.what()).find("no pretrained model for tree (its degree limits differ or are 1): "), 0U)
            << error.what();
    }
    unsetenv("NEUROPRIM_MODELS");
    std::filesystem::remove_all(folder);
}

TEST(Models, TheSharedOneServesSteinerTreesOfSparseGraphs) {
    const auto folder = std::filesystem::temp_directory_path() / "neuroprim-steiner-test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "stp.safetensors") << "a model";
    setenv("NEUROPRIM_MODELS", folder.c_str(), 1);
    const Instance points = generate({.n = 9, .terminals = 3, .seed = 1});
    const Instance graph = generate({.shape = GenerateOptions::Shape::sparse, .n = 9, .terminals = 3, .seed = 1});
    const auto taken = [](const Instance& instance) {
        return find_model(*make_problem("stp", instance))->stem().string();
    };
    EXPECT_EQ(taken(graph), "stp") << "better than none";
    std::ofstream(folder / "tree.safetensors") << "a model";
    EXPECT_EQ(taken(graph), "tree");
    EXPECT_EQ(taken(points), "stp");
    unsetenv("NEUROPRIM_MODELS");
    std::filesystem::remove_all(folder);
}

TEST(Models, AreFoundInTheNamedFolder) {
    const auto folder = std::filesystem::temp_directory_path() / "neuroprim-models-test";
    std::filesystem::create_directories(folder);
    PolicyConfig config;
    config.d_v = 16;
    config.d_f = 16;
    config.encoder_layers = 1;
    Policy::random(config, 1).save(folder / "hmst.safetensors");
    setenv("NEUROPRIM_MODELS", folder.c_str(), 1);
    EXPECT_EQ(find_model("hmst"), folder / "hmst.safetensors");
    EXPECT_EQ(model_file("hmst"), folder / "hmst.safetensors");
    EXPECT_EQ(model_file("./hmst"), "./hmst") << "a file, whether it is there or not";
    EXPECT_EQ(model_file("hmst-huge"), "hmst-huge") << "there is none of this name";

    const Instance instance = generate({.n = 9, .seed = 1});
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 3});
    const Solution solution = solve(*problem, {"greedy"});
    EXPECT_EQ(solution.method, "greedy");
    ASSERT_TRUE(solution.statistics);
    EXPECT_EQ(solution.statistics->trees, 9U) << "from the root, and with each of its edges first";
    EXPECT_EQ(problem->violation(solution.tree), std::nullopt);

    unsetenv("NEUROPRIM_MODELS");
    std::filesystem::remove_all(folder);
    EXPECT_THROW((void)solve(*problem, {"greedy"}), InputError);
}

}  // namespace
}  // namespace neuroprim
