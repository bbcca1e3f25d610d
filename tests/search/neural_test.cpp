#include "neuroprim/neural.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;

const Policy& small_policy() {
    static const Policy policy = [] {
        PolicyConfig config;
        config.d_v = 32;
        config.d_f = 48;
        config.encoder_layers = 2;
        return Policy::random(config, 1);
    }();
    return policy;
}

NeuralOptions sampling(std::size_t samples, std::uint64_t seed = 0, int threads = 1) {
    NeuralOptions options;
    options.mode = DecodeMode::sample;
    options.samples = samples;
    options.seed = seed;
    options.threads = threads;
    return options;
}

TEST(SolveNeurally, GivesAValidTreeForEveryProblemAndInput) {
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        const Instance instance =
            generate({.shape = shape, .n = 14, .terminals = 5, .average_degree = 6, .requirements = true, .seed = 4});
        for (const char* name : {"mst", "dcmst", "mrcst", "ocst", "stp", "hmst"}) {
            const auto problem = testing::classic_problem(name, instance, {.degree = 4, .root = 0, .hops = 9});
            for (const auto& options : {NeuralOptions{}, sampling(40)}) {
                const NeuralAnswer answer = solve_neurally(small_policy(), *problem, options);
                EXPECT_EQ(problem->violation(answer.tree), std::nullopt) << name;
                EXPECT_DOUBLE_EQ(problem->cost(answer.tree), answer.cost) << name;
            }
        }
    }
}

TEST(SolveNeurally, SaysWhenAPolicyWasTrainedForAnotherProblem) {
    const Instance instance = generate({.n = 20, .seed = 2});
    PolicyConfig config = small_policy().config();
    config.problem = "dcmst";
    const Policy policy = Policy::random(config, 1);
    EXPECT_EQ(mismatch(policy, *make_problem("dcmst", instance, {.degree = 2})), std::nullopt);
    EXPECT_EQ(mismatch(small_policy(), *make_problem("mrcst", instance)), std::nullopt);
    const auto other = make_problem("mrcst", instance);
    EXPECT_EQ(mismatch(policy, *other), "the policy was trained for dcmst, not for mrcst: expect poor trees");

    PolicyConfig shared = small_policy().config();
    shared.problem = "tree";
    const Policy told = Policy::random(shared, 1);
    EXPECT_EQ(mismatch(told, *make_problem("hmst", instance, {.root = 0, .hops = 3})), std::nullopt);
    EXPECT_EQ(mismatch(told, *other), std::nullopt);
    EXPECT_EQ(mismatch(told, *make_problem("tree", instance, {.root = 0, .hops = 4, .excluded_edges = {{0, 1}}})),
              "the policy was not trained for such a problem (it names edges): expect poor trees");
    SolveOptions options;
    options.policy = std::make_shared<const Policy>(policy);
    options.max_iterations = 1;
    options.initial = Initial::both;
    for (const char* method : {"greedy", "search"}) {
        options.method = method;
        EXPECT_EQ(solve(*other, options).warnings.size(), 1u) << method;
    }
}

TEST(SolveNeurally, GreedyIsTheBestOverAllStarts) {
    const Instance instance = generate({.n = 20, .seed = 2});
    const auto problem = make_problem("mrcst", instance);
    const Encoded encoded(small_policy(), *problem);
    double best = Weights::infinity;
    double sum = 0;
    for (const Start start : all_starts(*problem)) {
        const Rollout rollout = decode(encoded, *problem, std::vector{start}).front();
        best = std::min(best, problem->cost(rollout.tree));
        sum += problem->cost(rollout.tree);
    }
    const NeuralAnswer answer = solve_neurally(small_policy(), *problem, {});
    EXPECT_DOUBLE_EQ(answer.cost, best);
    EXPECT_EQ(answer.statistics.trees, 20U);
    EXPECT_NEAR(answer.statistics.mean, sum / 20, 1e-9 * sum);
}

TEST(SolveNeurally, ABeamOfOneIsGreedyAndAWiderOneIsNoWorse) {
    for (const char* name : {"dcmst", "mrcst", "stp"}) {
        const Instance instance = generate({.n = 16, .terminals = 6, .seed = 12});
        const auto problem = testing::classic_problem(name, instance, {.degree = 3});
        const NeuralAnswer greedy = solve_neurally(small_policy(), *problem, {});
        NeuralOptions options;
        options.beam = 1;
        EXPECT_EQ(solve_neurally(small_policy(), *problem, options).tree, greedy.tree) << name;
        options.beam = 3;
        const NeuralAnswer wide = solve_neurally(small_policy(), *problem, options);
        EXPECT_LT(wide.cost, greedy.cost) << name << ", random weights: some other edge is better";
        EXPECT_EQ(problem->violation(wide.tree), std::nullopt) << name;
        options.threads = 3;
        EXPECT_EQ(solve_neurally(small_policy(), *problem, options).tree, wide.tree) << name;
    }
}

TEST(SolveNeurally, SamplesTwentyTreesPerStartUnlessTold) {
    Instance instance = generate({.n = 12, .terminals = 4, .seed = 2});
    const auto stp = make_problem("stp", instance);
    EXPECT_EQ(solve_neurally(small_policy(), *stp, sampling(0)).statistics.trees, 80U);
    EXPECT_EQ(solve_neurally(small_policy(), *stp, sampling(33)).statistics.trees, 33U);
}

TEST(SolveNeurally, TheSeedDecidesAndTheThreadsDoNot) {
    const Instance instance = generate({.n = 25, .seed = 6});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    const NeuralAnswer one = solve_neurally(small_policy(), *problem, sampling(300, 5, 1));
    for (const int threads : {2, 3}) {
        const NeuralAnswer more = solve_neurally(small_policy(), *problem, sampling(300, 5, threads));
        EXPECT_EQ(more.tree, one.tree);
        EXPECT_EQ(more.statistics.mean, one.statistics.mean);
    }
    EXPECT_NE(solve_neurally(small_policy(), *problem, sampling(300, 6)).statistics.mean, one.statistics.mean);
}

TEST(SolveNeurally, MoreSidesAndMoreStartsNeverHurt) {
    const Instance instance = generate({.n = 18, .seed = 8});
    const auto problem = make_problem("mrcst", instance);
    NeuralOptions options;
    options.starts = 3;
    const NeuralAnswer few = solve_neurally(small_policy(), *problem, options);
    EXPECT_EQ(few.statistics.trees, 3U);
    options.starts = 0;
    const NeuralAnswer all = solve_neurally(small_policy(), *problem, options);
    options.augmentations = 8;
    const NeuralAnswer augmented = solve_neurally(small_policy(), *problem, options);
    EXPECT_EQ(augmented.statistics.trees, 8 * all.statistics.trees);
    EXPECT_LE(all.cost, few.cost);
    EXPECT_LT(augmented.cost, all.cost) << "random weights: eight views of it differ";
    options.augmentations = 64;
    EXPECT_LT(solve_neurally(small_policy(), *problem, options).cost, augmented.cost);
}

TEST(SolveNeurally, SpreadStartsAreDecodedFromAFewOfTheSides) {
    const Instance instance = generate({.n = 18, .seed = 8});
    const auto problem = make_problem("mrcst", instance);
    NeuralOptions options;
    const double upright = solve_neurally(small_policy(), *problem, options).cost;
    for (const auto& [sides, each, trees] :
         {std::tuple{8, 1, 18U}, {8, 3, 54U}, {64, 1, 18U}, {64, 8, 144U}, {4, 9, 72U}}) {
        options.augmentations = sides;
        options.augmentations_per_start = each;
        const NeuralAnswer answer = solve_neurally(small_policy(), *problem, options);
        EXPECT_EQ(answer.statistics.trees, trees) << sides << " sides, " << each << " each";
        EXPECT_NE(answer.cost, upright);
        options.augmentations_per_start = 0;
        EXPECT_LE(solve_neurally(small_policy(), *problem, options).cost, answer.cost);
    }
}

TEST(SolveNeurally, InRoundsTheBestQuarterOfTheSidesGoesOn) {
    const Instance instance = generate({.n = 18, .seed = 8});
    const auto problem = make_problem("mrcst", instance);
    NeuralOptions options = sampling(160);
    options.augmentations = 16;
    options.augmentations_per_start = 1;
    const auto solved = [&](int rounds, std::size_t samples) {
        options.rounds = rounds;
        options.samples = samples;
        return solve_neurally(small_policy(), *problem, options);
    };
    // The first of two rounds of 160 is the one round of 80; then four sides are asked for as many trees.
    const NeuralAnswer once = solved(1, 80);
    const NeuralAnswer twice = solved(2, 160);
    EXPECT_EQ(twice.statistics.trees, 160U);
    EXPECT_LE(twice.cost, once.cost);
    EXPECT_NE(twice.statistics.mean, solved(1, 160).statistics.mean);
    EXPECT_EQ(solved(7, 160).statistics.trees, 160U) << "one side is left long before the last round";

    options.threads = 3;
    EXPECT_EQ(solved(2, 160).cost, twice.cost);
}

TEST(SolveNeurally, RoundsSearchTheBetterSides) {
    // Twelve samples from each of four sides, then all others from the one that had the cheapest tree: the mean cost
    // of those must be the mean of that side, whose samples are known from asking it alone.
    const Instance instance = generate({.n = 18, .seed = 8});
    const auto problem = make_problem("mrcst", instance);
    const Policy policy = small_policy();
    NeuralOptions options = sampling(96);
    options.augmentations = 4;
    options.augmentations_per_start = 1;
    options.rounds = 2;
    const NeuralAnswer answer = solve_neurally(policy, *problem, options);

    std::vector<Start> starts;
    const std::vector<Vertex> allowed = problem->starts();
    for (std::size_t k = 0; k < 96; ++k) starts.push_back({allowed[k % allowed.size()], k});
    double sum = 0;
    double cheapest = std::numeric_limits<double>::infinity();
    double sum_of_best = 0;
    for (int side = 0; side < 4; ++side) {
        const Encoded encoded(policy, *problem, {.symmetry = side, .threads = 1});
        DecodeOptions decoding;
        decoding.mode = DecodeMode::sample;
        decoding.seed = options.seed + static_cast<std::uint64_t>(side) * 0x9e3779b97f4a7c15ULL;
        const auto rollouts = decode(encoded, *problem, starts, decoding);
        double last_half = 0;
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < 96; ++k) {
            const double cost = problem->cost(problem->pruned(rollouts[k].tree));
            if (k >= 48) last_half += cost;
            if (k >= 48 || k % 4 != static_cast<std::size_t>(side)) continue;
            sum += cost;
            best = std::min(best, cost);
        }
        if (best < cheapest) sum_of_best = last_half;
        cheapest = std::min(cheapest, best);
    }
    EXPECT_NEAR(answer.statistics.mean, (sum + sum_of_best) / 96, 1e-9 * sum);
}

TEST(SolveNeurally, ATemperatureNearZeroIsGreedy) {
    const Instance instance = generate({.n = 15, .seed = 3});
    const auto problem = make_problem("mst", instance);
    NeuralOptions cold = sampling(15);
    cold.temperature = 1e-4;
    EXPECT_DOUBLE_EQ(solve_neurally(small_policy(), *problem, cold).cost,
                     solve_neurally(small_policy(), *problem, {}).cost);
}

TEST(SolveNeurally, DeadEndsAreReportedNeverReturned) {
    const Instance star = testing::of_edges(5, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}});
    const auto problem = make_problem("dcmst", star, {.degree = 3});
    EXPECT_THROW((void)solve_neurally(small_policy(), *problem, {}), Infeasible);

    // A path of four with a pendant: from some starts it completes, from others not.
    const Instance spider = testing::of_edges(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {1, 3, 1}});
    const auto path = make_problem("dcmst", spider, {.degree = 2});
    const NeuralAnswer answer = solve_neurally(small_policy(), *path, sampling(200));
    EXPECT_EQ(path->violation(answer.tree), std::nullopt);
    EXPECT_GT(answer.statistics.dead_ends, 0U);
    EXPECT_EQ(answer.statistics.dead_ends + answer.statistics.trees, 200U);
}

TEST(SolveNeurally, StopsWhenAsked) {
    const Instance instance = generate({.n = 20, .seed = 1});
    const auto problem = make_problem("mst", instance);
    NeuralOptions options = sampling(100000);
    int asked = 0;
    options.interrupted = [&] { return ++asked > 5000; };
    const NeuralAnswer answer = solve_neurally(small_policy(), *problem, options);
    EXPECT_LT(answer.statistics.trees, 100000U);
    EXPECT_EQ(answer.statistics.dead_ends, 0U);  // those that were cut short are none
    EXPECT_EQ(problem->violation(answer.tree), std::nullopt);
}

TEST(SolveNeurally, StoppedBeforeTheFirstTreeSaysSo) {
    const Instance instance = generate({.n = 20, .seed = 1});
    const auto problem = make_problem("mst", instance);
    NeuralOptions greedy;
    NeuralOptions beam;
    beam.beam = 3;
    for (NeuralOptions options : {greedy, beam, sampling(50)}) {
        options.interrupted = [] { return true; };
        EXPECT_THROW((void)solve_neurally(small_policy(), *problem, options), Interrupted);
    }
}

TEST(SolveNeurally, RefusesOptionsThatMeanNothing) {
    const Instance instance = generate({.n = 5});
    const auto problem = make_problem("mst", instance);
    NeuralOptions options;
    options.augmentations = 65;
    EXPECT_THROW((void)solve_neurally(small_policy(), *problem, options), InputError);
    options.augmentations = 1;
    options.augmentations_per_start = -1;
    EXPECT_THROW((void)solve_neurally(small_policy(), *problem, options), InputError);
    options.augmentations_per_start = 0;
    options.rounds = 0;
    EXPECT_THROW((void)solve_neurally(small_policy(), *problem, options), InputError);
    options.rounds = 1;
    options.temperature = 0;
    EXPECT_THROW((void)solve_neurally(small_policy(), *problem, options), InputError);
}

TEST(SolveNeurally, OneVertexIsATree) {
    const Instance instance = generate({.n = 1});
    const auto problem = make_problem("mst", instance);
    EXPECT_TRUE(solve_neurally(small_policy(), *problem, {}).tree.edges.empty());
}

TEST(SolveByMethod, APolicyThatIsLoadedIsTheOneThatIsAsked) {
    const Instance instance = generate({.n = 15, .seed = 8});
    const auto problem = make_problem("hmst", instance, {.hops = 3});  // no pretrained policy would do for it
    SolveOptions options{.method = "greedy"};
    options.policy = std::make_shared<const Policy>(small_policy());
    EXPECT_EQ(solve(*problem, options).cost, solve_neurally(small_policy(), *problem, {}).cost);
}

/// Stopped after its first trees, which are many fewer than were asked for.
Solution stopped_sampling(const Problem& problem, std::size_t samples) {
    std::atomic<int> asked = 0;
    SolveOptions options;
    options.method = "sample";
    options.policy = std::make_shared<const Policy>(small_policy());
    options.samples = samples;
    options.interrupted = [&] { return ++asked > 5000; };
    return solve(problem, options);
}

TEST(SolveByMethod, LargeGraphsHaveTenStartsUnlessTold) {
    const auto policy = std::make_shared<const Policy>(small_policy());
    const auto trees = [&](Vertex n, const char* method, std::size_t starts, std::size_t samples) {
        const Instance instance = generate({.shape = Shape::matrix, .n = n, .seed = 3});
        const auto problem = make_problem("dcmst", instance, {.degree = 2});
        SolveOptions options{.method = method};
        options.policy = policy;
        options.starts = starts;
        options.samples = samples;
        return solve(*problem, options).statistics->trees;
    };
    EXPECT_EQ(trees(150, "greedy", 0, 0), 150U);
    EXPECT_EQ(trees(151, "greedy", 0, 0), 10U);
    EXPECT_EQ(trees(151, "greedy", 13, 0), 13U);
    EXPECT_EQ(trees(151, "sample", 0, 0), 200U);
    EXPECT_EQ(trees(151, "sample", 0, 7), 7U);

    const Instance instance = generate({.shape = Shape::matrix, .n = 151, .seed = 3});
    const auto rooted = make_problem("hmst", instance, {.root = 0, .hops = 150});
    SolveOptions options{.method = "sample"};
    options.policy = policy;
    EXPECT_EQ(solve(*rooted, options).statistics->trees, 20U) << "there is one start";
}

TEST(SolveNeurally, TheNumberOfSamplesTakesNoMemory) {
    const Instance instance = generate({.n = 12, .seed = 5});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    const std::size_t samples = std::numeric_limits<std::size_t>::max() / 2;
    const Solution solution = stopped_sampling(*problem, samples);
    EXPECT_EQ(problem->violation(solution.tree), std::nullopt);
    EXPECT_LT(solution.statistics->trees, samples);
}

TEST(SolveNeurally, WhoStopsItWaitsForNoBound) {
    const Instance instance = generate({.n = 12, .seed = 5});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    EXPECT_EQ(stopped_sampling(*problem, 1'000'000).bound, std::nullopt);
    SolveOptions options;
    options.method = "greedy";
    options.policy = std::make_shared<const Policy>(small_policy());
    EXPECT_NE(solve(*problem, options).bound, std::nullopt);
}

}  // namespace
}  // namespace neuroprim
