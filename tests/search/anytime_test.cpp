#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "graph/stop_token.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/solve.hpp"
#include "search/initial_solutions.hpp"
#include "search/tree_pool.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

const std::vector<const char*> all_problems = {"mst", "dcmst", "mrcst", "ocst", "stp", "hmst"};

std::unique_ptr<Problem> of_kind(const char* name, const Instance& instance) {
    return testing::classic_problem(name, instance, {.degree = 3, .root = 0, .hops = 5});
}

double seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return seconds_since(begin);
}

TEST(AnytimeSearch, IsNeverWorseThanTheClassicalMethodItBeginsWith) {
    const Instance instance = generate({.n = 40, .terminals = 12, .requirements = true, .seed = 5});
    for (const char* name : all_problems) {
        const auto problem = of_kind(name, instance);
        const double classical = solve(*problem, {std::string(default_method(*problem).name)}).cost;
        const Solution found = solve(*problem, {.max_iterations = 200});
        EXPECT_LE(found.cost, classical + 1e-9) << name;
        EXPECT_EQ(problem->violation(found.tree), std::nullopt) << name;
        EXPECT_FALSE(found.found_by.empty()) << name;
        EXPECT_LE(found.bound.value_or(0), found.cost + 1e-9) << name;
    }
}

TEST(AnytimeSearch, DoesNotDependOnTheNumberOfThreads) {
    const Instance instance = generate({.n = 40, .terminals = 12, .requirements = true, .seed = 6});
    for (const char* name : all_problems) {
        const auto problem = of_kind(name, instance);
        SolveOptions options{.seed = 3, .threads = 1, .max_iterations = 300};
        const Solution one = solve(*problem, options);
        options.threads = 3;
        const Solution three = solve(*problem, options);
        EXPECT_EQ(one.tree, three.tree) << name;
        EXPECT_EQ(one.bound, three.bound) << name;
        EXPECT_EQ(one.iterations, three.iterations) << name;
    }
}

TEST(AnytimeSearch, KeepsItsTimeLimitAndAlwaysHasATree) {
    for (const int n : {10, 2000}) {
        const Instance instance = generate({.n = n, .terminals = n / 4, .seed = 7});
        for (const char* name : {"dcmst", "mrcst", "stp", "hmst"}) {
            const auto problem = testing::classic_problem(name, instance, {.degree = 3, .root = 0, .hops = n});
            Solution solution;
            // Generous, for machines that do other things too; the promise is 0.05 s.
            EXPECT_LT(seconds_of([&] { solution = solve(*problem, {.time_limit = 0.1}); }), 0.6) << name << ' ' << n;
            EXPECT_EQ(problem->violation(solution.tree), std::nullopt) << name << ' ' << n;
        }
    }
}

TEST(AnytimeSearch, HasATreeOfSeveralLimitsInNoTime) {
    const Instance instance = generate({.n = 900, .seed = 9});
    const std::vector<TreeSpec> specs = {
        {.root = 0, .degrees = std::vector<int>(900, 5), .hops = 12, .length = 2.5},
        {.root = 0, .hops = 5, .length = 2, .capacity = 60},
    };
    for (const TreeSpec& spec : specs) {
        const Problem problem(instance, spec);
        const Solution solution = solve(problem, {.time_limit = 1e-6});
        EXPECT_FALSE(problem.violation(solution.tree));
    }
}

TEST(AnytimeSearch, EndsAtOnceWhenTheTreeIsProvenOptimal) {
    const Instance instance = generate({.n = 30, .terminals = 5, .seed = 8});
    const auto problem = make_problem("stp", instance);
    Solution solution;
    EXPECT_LT(seconds_of([&] { solution = solve(*problem, {.time_limit = 60}); }), 10);
    EXPECT_NEAR(*solution.gap_percent(), 0, 1e-6);
}

TEST(AnytimeSearch, StopsByIterationsStagnationGapAndRulesOfYourOwn) {
    const Instance instance = generate({.n = 30, .seed = 9});
    const auto problem = make_problem("mrcst", instance);
    for (const std::int64_t count : {0, 1, 2, 51, 64}) {
        EXPECT_EQ(solve(*problem, {.max_iterations = count}).iterations, count);
    }
    EXPECT_GE(solve(*problem, {.no_improvement = 50}).iterations, 50);
    const Solution close = solve(*problem, {.time_limit = 30, .target_gap = 100});
    EXPECT_LE(*close.gap_percent(), 100);
    EXPECT_LT(close.seconds, 20);

    struct AfterTwo : StoppingRule {
        [[nodiscard]] bool stop(const SearchState& state) const override { return state.iterations >= 2; }
    };
    const Solution mine = solve(*problem, {.stopping = std::make_shared<AfterTwo>()});
    EXPECT_GE(mine.iterations, 2);
}

TEST(AnytimeSearch, CountsIterationsWithoutABetterTreeToTheLast) {
    const Instance instance = generate({.n = 60, .seed = 9});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    for (const std::int64_t count : {10, 100}) {
        std::int64_t improved = 0;
        SolveOptions options{.no_improvement = count};
        options.watcher = [&, best = Weights::infinity](const SearchState& state, std::string_view) mutable {
            if (state.cost < best) improved = state.iterations;
            best = state.cost;
        };
        const Solution solution = solve(*problem, options);
        EXPECT_TRUE(solution.proven() || solution.iterations == improved + count) << solution.iterations;
    }
}

TEST(AnytimeSearch, AGapOutOfReachDoesNotKeepItGoing) {
    const Instance instance = generate({.n = 40, .seed = 9});
    const auto problem = make_problem("mrcst", instance);
    EXPECT_LT(solve(*problem, {.target_gap = 1}).seconds, 20);
}

TEST(AnytimeSearch, ATreeOfCostZeroIsProvenOptimal) {
    Instance instance;
    instance.weights = Weights::from_points(std::vector<Point>(6, Point{0.5, 0.5}));
    instance.terminals = {3};
    instance.requirements.assign(15, 1);
    for (const char* name : all_problems) {
        const auto problem = of_kind(name, instance);
        const Solution solution = solve(*problem, {.time_limit = 20});
        EXPECT_TRUE(solution.proven()) << name;
        EXPECT_LT(solution.seconds, 10) << name;
    }
}

/// Nothing that is trained, of the usual size: slow and useless.
std::shared_ptr<const Policy> useless_policy() {
    PolicyConfig config;
    config.encoder_layers = 6;
    return std::make_shared<const Policy>(Policy::random(config, 1));
}

TEST(AnytimeSearch, SearchesAndBoundsBesideASlowPolicy) {
    // All trees of this policy take minutes; the first step of the search and the first bound do not wait for them.
    struct OnceBegun : StoppingRule {
        [[nodiscard]] bool stop(const SearchState& state) const override {
            return state.iterations > 0 && state.bound;
        }
    };
    const Instance instance = generate({.n = 1000, .seed = 13});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    SolveOptions options{.policy = useless_policy(), .time_limit = 40};
    options.stopping = std::make_shared<OnceBegun>();
    options.initial = Initial::both;
    const Solution solution = solve(*problem, options);
    EXPECT_GT(solution.iterations, 0);
    EXPECT_TRUE(solution.bound);
}

TEST(AnytimeSearch, DoesNotDependOnTheNumberOfThreadsBesideAPolicyOrWithAGap) {
    const Instance instance = generate({.n = 40, .terminals = 12, .seed = 6});
    for (const char* name : {"dcmst", "mrcst", "stp", "hmst"}) {
        const auto problem = of_kind(name, instance);
        SolveOptions options{.seed = 3, .threads = 1, .policy = useless_policy(), .max_iterations = 500};
        options.initial = Initial::both;
        options.target_gap = 0.5;
        const Solution one = solve(*problem, options);
        options.threads = 3;
        const Solution three = solve(*problem, options);
        EXPECT_EQ(one.tree, three.tree) << name;
        EXPECT_EQ(one.iterations, three.iterations) << name;
    }
}

TEST(FirstTree, OfALargeSteinerProblemDoesNotLookAtAllPairs) {
    const Instance instance = generate({.n = 3000, .terminals = 700, .seed = 15});
    const auto problem = make_problem("stp", instance);
    TreePool pool(*problem);
    add_first_tree(*problem, {}, StopToken(), pool);
    ASSERT_FALSE(pool.empty());
    EXPECT_EQ(pool[0].source, "kruskal");
}

TEST(SlowTrees, OfAPolicyComeOneThenTwoThenFourAtATime) {
    const Instance instance = generate({.n = 7, .seed = 14});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    SolveOptions options{.policy = useless_policy()};
    options.initial = Initial::policy;
    SlowTrees slow(*problem, options);
    ASSERT_TRUE(slow.any());
    std::vector<double> costs;
    int asked = 0;
    const auto offer = [&](const Tree& tree, const std::string& source) {
        EXPECT_EQ(problem->violation(tree), std::nullopt);
        EXPECT_EQ(source, "greedy");
        costs.push_back(problem->cost(tree));
    };
    slow.build([&] { return ++asked == 0; }, offer);
    ASSERT_EQ(costs.size(), 7U);
    EXPECT_LE(costs[1], costs[2]);
    EXPECT_LE(costs[3], costs[6]);

    costs.clear();
    slow.build([] { return true; }, offer);
    EXPECT_TRUE(costs.empty());
}

TEST(SlowTrees, OfOneStartGrowUnderTheSymmetriesOfTheSquare) {
    const Instance instance = generate({.n = 20, .seed = 16});
    const auto problem = make_problem("hmst", instance, {.root = 3, .hops = 4});
    SolveOptions options{.policy = useless_policy()};
    options.initial = Initial::policy;
    std::vector<double> costs;
    SlowTrees(*problem, options)
        .build([] { return false; },
               [&](const Tree& tree, const std::string&) {
                   EXPECT_EQ(problem->violation(tree), std::nullopt);
                   costs.push_back(problem->cost(tree));
               });
    ASSERT_EQ(costs.size(), 8U);
    std::sort(costs.begin(), costs.end());
    EXPECT_GT(std::unique(costs.begin(), costs.end()) - costs.begin(), 4);
    NeuralOptions neural;
    neural.starts = 1;
    neural.augmentations = 8;
    EXPECT_EQ(costs.front(), solve_neurally(*options.policy, *problem, neural).cost);
}

TEST(SlowTrees, WindowsOfTheBestTreeAreRebuiltUntilThatBringsNothing) {
    const Instance instance = generate({.n = 40, .seed = 17});
    TreeSpec spec{.coverage = Coverage::terminals, .root = 0, .diameter = 8};
    for (Vertex v = 0; v < 40; v += 2) spec.terminals.push_back(v);
    const auto problem = std::make_unique<const Problem>(instance, spec);
    Tree best{0, {}};
    for (Vertex v = 1; v < 40; ++v) best.edges.push_back({0, v});
    SolveOptions options{.policy = useless_policy()};
    options.initial = Initial::both;
    double cost = problem->cost(best);
    int gains = 0;
    const auto offer = [&](const Tree& tree, const std::string& source) {
        EXPECT_EQ(problem->violation(tree), std::nullopt);
        EXPECT_EQ(source, "windows");
        EXPECT_LT(problem->cost(tree), cost);
        cost = problem->cost(tree);
        best = tree;
        ++gains;
    };
    SlowTrees(*problem, options).rebuild([] { return false; }, offer, [&] { return best; });
    EXPECT_GT(gains, 1);

    gains = 0;
    SlowTrees(*problem, options).rebuild([] { return true; }, offer, [&] { return best; });
    EXPECT_EQ(gains, 0);
    const auto flat = make_problem("hmst", instance, {.root = 0, .hops = 3});
    SlowTrees(*flat, options).rebuild([] { return false; }, offer, [&] { return best; });
    EXPECT_EQ(gains, 0);  // levels are ahead of windows
}

TEST(SlowTrees, AreNotAskedOfAPolicyThatDoesNotHelp) {
    const Instance instance = generate({.n = 30, .requirements = true, .seed = 14});
    const auto path = make_problem("dcmst", instance, {.degree = 2});
    EXPECT_FALSE(SlowTrees(*path, {.policy = useless_policy()}).any());
    // Only the search for every problem takes traffic under a hop limit.
    const auto flat = make_problem("ocst", instance, {.root = 0, .hops = 4});
    EXPECT_TRUE(SlowTrees(*flat, {.policy = useless_policy()}).any());
    // Ruin and recreate gains from a policy under degrees with hops or a diameter, and not under lengths or hops
    // alone.
    const Instance without_traffic = generate({.n = 30, .seed = 14});
    const auto thin = make_problem("tree", without_traffic, {.degree = 3, .root = 0, .hops = 6});
    EXPECT_TRUE(SlowTrees(*thin, {.policy = useless_policy()}).any());
    EXPECT_EQ(SlowTrees(*thin, {.policy = useless_policy()}).least_steps(), 250 * 30);
    const auto narrow = make_problem("tree", without_traffic, {.degree = 4, .diameter = 9});
    EXPECT_EQ(SlowTrees(*narrow, {.policy = useless_policy()}).least_steps(), 250 * 30);
    const auto loaded = make_problem("tree", without_traffic, {.degree = 4, .root = 0, .capacity = 12});
    EXPECT_FALSE(SlowTrees(*loaded, {.policy = useless_policy()}).any());
    const auto thin_ways = make_problem("tree", without_traffic, {.degree = 3, .root = 0, .length = 2});
    EXPECT_FALSE(SlowTrees(*thin_ways, {.policy = useless_policy()}).any());
    // Whoever wants it, gets it.
    EXPECT_EQ(SlowTrees(*thin, {.policy = useless_policy(), .initial = Initial::both}).least_steps(), 0);
    const Instance larger = generate({.n = 101, .seed = 14});
    const auto many = make_problem("tree", larger, {.degree = 3, .root = 0, .hops = 6});
    EXPECT_FALSE(SlowTrees(*many, {.policy = useless_policy()}).any());
    const auto short_ways = make_problem("lmst", instance, {.root = 0, .length = 2});
    EXPECT_FALSE(SlowTrees(*short_ways, {.policy = useless_policy()}).any());
    const auto low = make_problem("hmst", instance, {.root = 0, .hops = 4});
    EXPECT_FALSE(SlowTrees(*low, {.policy = useless_policy()}).any());
}

TEST(AnytimeSearch, GoesOnFromAWarmStartAndRefusesAnInfeasibleOne) {
    const Instance instance = generate({.n = 30, .seed = 10});
    const auto problem = make_problem("mrcst", instance);
    const Solution first = solve(*problem, {.max_iterations = 300});
    const Solution second = solve(*problem, {.max_iterations = 0, .warm_start = first.tree});
    EXPECT_LE(second.cost, first.cost);
    EXPECT_EQ(second.found_by, "warm start");
    EXPECT_THROW((void)solve(*problem, {.warm_start = Tree{0, {{0, 1}}}}), InputError);
}

TEST(AnytimeSearch, TellsItsWatcherOfEverFallingCostsAndRisingBounds) {
    const Instance instance = generate({.n = 40, .terminals = 15, .seed = 11});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    std::vector<SearchState> states;
    SolveOptions options{.max_iterations = 500};
    options.watcher = [&](const SearchState& state, std::string_view) {
        states.push_back(state);
        ASSERT_NE(state.tree, nullptr);
        EXPECT_NEAR(problem->cost(*state.tree), state.cost, 1e-9);
    };
    const Solution solution = solve(*problem, options);
    ASSERT_FALSE(states.empty());
    for (std::size_t k = 1; k < states.size(); ++k) {
        EXPECT_LE(states[k].cost, states[k - 1].cost);
        EXPECT_GE(states[k].bound.value_or(0), states[k - 1].bound.value_or(0));
    }
    EXPECT_NEAR(states.back().cost, solution.cost, 1e-9);
}

TEST(AnytimeSearch, GivesTheBestSoFarWhenInterrupted) {
    const Instance instance = generate({.n = 200, .seed = 12});
    const auto problem = make_problem("mrcst", instance);
    SolveOptions options{.time_limit = 60};
    const auto begin = std::chrono::steady_clock::now();
    options.interrupted = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(50); };
    Solution solution;
    EXPECT_LT(seconds_of([&] { solution = solve(*problem, options); }), 5);
    EXPECT_EQ(problem->violation(solution.tree), std::nullopt);
}

TEST(AnytimeSearch, SaysSoWhenNoTreeIsFeasible) {
    Instance path;
    path.weights = Weights::from_edges(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
    const auto problem = make_problem("hmst", path, {.root = 0, .hops = 1});
    EXPECT_THROW((void)solve(*problem), Infeasible);
}

TEST(TreePool, KeepsFeasibleTreesByCostAndEveryCostOnce) {
    const Instance instance = generate({.n = 4, .seed = 1});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    TreePool pool(*problem);
    EXPECT_TRUE(pool.offer({0, {{0, 1}, {1, 2}, {2, 3}}}, "a"));
    EXPECT_TRUE(pool.offer({3, {{3, 2}, {2, 1}, {1, 0}}}, "the same from the other end"));
    EXPECT_FALSE(pool.offer({0, {{0, 1}, {0, 2}, {0, 3}}}, "a star has a vertex of degree 3"));
    EXPECT_TRUE(pool.offer({0, {{0, 2}, {2, 1}, {1, 3}}}, "b"));
    ASSERT_EQ(pool.size(), 2U);
    EXPECT_LT(pool[0].cost, pool[1].cost);
}

}  // namespace
}  // namespace neuroprim
