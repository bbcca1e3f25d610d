#include "search/windows/window_rebuilding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/solve.hpp"
#include "search/initial_solutions.hpp"
#include "search/spare_tree.hpp"
#include "search/windows/windowed_greedy.hpp"
#include "support/untrained_policy.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;

const Policy& untrained() {
    static const Policy policy = testing::untrained_policy();
    return policy;
}

struct Case {
    const char* what;
    std::function<void(Instance&, TreeSpec&)> ask;
};

double longest_way(const Instance& instance) {
    const RootedTree tree = hang(minimum_spanning_tree(instance.weights), 0, instance.size());
    std::vector<double> way(index(instance.size()), 0);
    double longest = 0;
    for (const Vertex v : tree.order) {
        if (const Vertex u = tree.parent[index(v)]; u != no_vertex)
            way[index(v)] = way[index(u)] + instance.weights(u, v);
        longest = std::max(longest, way[index(v)]);
    }
    return longest;
}

void number_thirds(Instance& instance, TreeSpec& spec) {
    spec.groups.resize(index(instance.size()));
    for (std::size_t v = 0; v < spec.groups.size(); ++v) {
        spec.groups[v] = v % 7 == 6 ? -1 : static_cast<int>(v / 3);
    }
    // Numbers without gaps.
    std::vector<int> number(spec.groups.size(), -1);
    int count = 0;
    for (int& group : spec.groups) {
        if (group < 0) continue;
        int& named = number[static_cast<std::size_t>(group)];
        if (named < 0) named = count++;
        group = named;
    }
    spec.coverage = Coverage::groups;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"degree", [](Instance& i, TreeSpec& s) { s.degrees.assign(index(i.size()), 3); }},
        {"path", [](Instance& i, TreeSpec& s) { s.degrees.assign(index(i.size()), 2); }},
        {"hops", [](Instance&, TreeSpec& s) { s.root = 0, s.hops = 7; }},
        {"length", [](Instance& i, TreeSpec& s) { s.root = 0, s.length = 0.9 * longest_way(i); }},
        {"capacity", [](Instance&, TreeSpec& s) { s.root = 0, s.capacity = 9; }},
        {"even diameter", [](Instance&, TreeSpec& s) { s.diameter = 10; }},
        {"odd diameter", [](Instance&, TreeSpec& s) { s.diameter = 9; }},
        {"diameter and root", [](Instance&, TreeSpec& s) { s.root = 0, s.hops = 7, s.diameter = 12; }},
        {"diameter and far root", [](Instance&, TreeSpec& s) { s.root = 0, s.diameter = 9; }},
        {"degree and hops",
         [](Instance& i, TreeSpec& s) { s.root = 0, s.hops = 9, s.degrees.assign(index(i.size()), 4); }},
        {"degree and capacity",
         [](Instance& i, TreeSpec& s) { s.root = 0, s.capacity = 30, s.degrees.assign(index(i.size()), 4); }},
        {"cables",
         [](Instance&, TreeSpec& s) {
             s.objective = Objective::cables, s.root = 0, s.cables = {{4, 1}, {90, 2}};
         }},
        {"routing",
         [](Instance& i, TreeSpec& s) {
             s.objective = Objective::routing_cost;
             for (Vertex v = 0; v < i.size(); ++v) s.masses.push_back(1 + v % 4);
         }},
        {"terminals",
         [](Instance& i, TreeSpec& s) {
             s.coverage = Coverage::terminals;
             for (Vertex v = 0; v < i.size(); v += 3) s.terminals.push_back(v);
         }},
        {"prizes",
         [](Instance& i, TreeSpec& s) {
             s.coverage = Coverage::optional;
             s.root = 1;
             for (Vertex v = 0; v < i.size(); ++v) s.prizes.push_back(v % 5 * 0.4 * i.weights(0, i.size() - 1) / 6);
         }},
        {"groups", number_thirds},
    };
    return all;
}

Tree first_tree(const Problem& problem) {
    TreePool pool(problem);
    add_first_tree(problem, {}, {}, pool);
    return pool[0].tree;
}

TEST(WindowRebuilding, KeepsTheLimitsAndGainsWhatItSays) {
    for (const Shape shape : {Shape::uniform, Shape::matrix}) {
        for (const Case& one : cases()) {
            Instance instance = generate({.shape = shape, .n = 90, .seed = 11});
            TreeSpec spec;
            one.ask(instance, spec);
            const Problem problem(instance, spec);
            ASSERT_TRUE(has_windows(problem));
            const Tree first = first_tree(problem);
            double cost = problem.cost(first);
            WindowRebuilding rebuilding(untrained(), problem, first, {.size = 24, .threads = 2}, {});
            for (int pass = 0; pass < 12; ++pass) {
                const double gain = rebuilding.pass({});
                EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt) << one.what;
                const double now = problem.cost(rebuilding.tree());
                EXPECT_NEAR(cost - now, gain, 1e-9 * cost) << one.what;
                EXPECT_GE(gain, 0) << one.what;
                cost = now;
            }
        }
    }
}

TEST(WindowRebuilding, ARootMayHaveAsManyEdgesAsItsLimitAllows) {
    Instance instance;
    instance.weights = Weights::from_points({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {-1, 0}});
    TreeSpec spec;
    spec.root = 0;
    spec.capacity = 4;
    spec.degrees.assign(5, 2);
    const Problem problem(instance, spec);
    const HangingTree tree(problem, {0, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}});
    TreeWindow window{.top = 0, .members = {1, 2, 3, 4}};
    for (const bool is_first : {false, true}) {
        window.has_spare_degree = is_first;
        const BelowWindows below(problem, tree, std::span(&window, 1));
        const WindowProblem part(problem, tree, below, window, {});
        EXPECT_EQ(part.problem().spec().degrees, (std::vector<int>{is_first ? 2 : 1, 2, 2, 2, 2}));
    }
}

/// A tree that is poor on purpose, so that even a policy that was never trained finds something better.
Tree star_of(Vertex n) {
    Tree star{0, {}};
    for (Vertex v = 1; v < n; ++v) star.edges.push_back({0, v});
    return star;
}

/// Six chains of six vertices meet in a centre, vertex 36; vertex 0 ends one of them.
Tree six_chains() {
    const Vertex centre = 36;
    Tree star{0, {}};
    for (Vertex v = 0; v < centre; ++v) star.edges.push_back({v, v % 6 == 5 ? centre : v + 1});
    return star;
}

TEST(HangingTree, HangsFromTheCentreOfABoundedDiameterWhereTheRootIsFarFromIt) {
    const Instance instance = generate({.n = 37, .seed = 3});
    TreeSpec spec;
    spec.root = 0;
    spec.hops = 13;
    spec.diameter = 12;
    const HangingTree far(Problem(instance, spec), six_chains());
    EXPECT_EQ(far.roots, std::vector<Vertex>{36});
    EXPECT_EQ(far.hops, 6);
    EXPECT_EQ(far.chain, 0);

    spec.root = 4;  // two edges from the centre
    spec.hops = 9;
    const HangingTree near(Problem(instance, spec), six_chains());
    EXPECT_EQ(near.roots, std::vector<Vertex>{36});
    EXPECT_EQ(near.hops, 6);
    EXPECT_EQ(near.chain, 3);
    EXPECT_EQ(near.height[4], 4);  // what hangs there; the chain is shorter
    spec.hops = 8;
    EXPECT_EQ(HangingTree(Problem(instance, spec), six_chains()).roots, std::vector<Vertex>{36});
    spec.length = 50;  // is counted from the root
    EXPECT_EQ(HangingTree(Problem(instance, spec), six_chains()).roots, std::vector<Vertex>{4});
}

TEST(WindowRebuilding, KeepsHopsFromARootThatIsFarFromTheCentre) {
    for (const Vertex root : {4, 5, 10, 36}) {
        for (const int diameter : {12, 13}) {
            const Instance instance = generate({.n = 37, .seed = 3});
            TreeSpec spec;
            spec.root = root;
            spec.hops = 8;
            spec.diameter = diameter;
            const Problem problem(instance, spec);
            Tree tree = grown_from(six_chains(), root, 37);
            ASSERT_EQ(problem.violation(tree), std::nullopt);
            const double before = problem.cost(tree);
            WindowRebuilding rebuilding(untrained(), problem, tree, {.size = 16, .samples = 16, .threads = 2}, {});
            double gain = 0;
            for (int pass = 0; pass < 4; ++pass) {
                gain += rebuilding.pass({});
                EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt) << root;
            }
            EXPECT_GT(gain, 0) << root;
            EXPECT_NEAR(before - gain, problem.cost(rebuilding.tree()), 1e-9) << root;
        }
    }
}

TEST(WindowRebuilding, LooksAtAllVerticesWhereALimitIsCountedFromARootThatIsFarFromTheCentre) {
    const Instance instance = generate({.n = 37, .seed = 3});
    TreeSpec spec;
    spec.root = 0;
    spec.diameter = 12;
    spec.capacity = 36;
    const Problem problem(instance, spec);
    const Tree star = six_chains();
    ASSERT_EQ(problem.violation(star), std::nullopt);
    WindowRebuilding rebuilding(untrained(), problem, star, {.size = 24, .samples = 16, .threads = 2}, {});
    const double gain = rebuilding.pass({});
    EXPECT_GT(gain, 0);
    EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt);
    EXPECT_NEAR(problem.cost(star) - gain, problem.cost(rebuilding.tree()), 1e-9);
}

TEST(WindowRebuilding, DoesNotDependOnThreads) {
    const Instance instance = generate({.n = 120, .seed = 4});
    TreeSpec spec;
    spec.root = 0;
    spec.hops = 6;
    const Problem problem(instance, spec);
    std::vector<Tree> trees;
    for (const int threads : {1, 3}) {
        WindowRebuilding rebuilding(untrained(), problem, star_of(120), {.size = 30, .threads = threads}, {});
        double gain = 0;
        for (int pass = 0; pass < 3; ++pass) gain += rebuilding.pass({});
        EXPECT_GT(gain, 0);
        trees.push_back(rebuilding.tree());
    }
    EXPECT_EQ(trees[0], trees[1]);
}

TEST(WindowRebuilding, FindsTheSpanningTreeWhereAWindowHasNoLimit) {
    const Instance instance = generate({.n = 60, .seed = 9});
    const Problem problem(instance);
    WindowRebuilding rebuilding(untrained(), problem, star_of(60), {.size = 60}, {});
    rebuilding.pass({});
    EXPECT_NEAR(problem.cost(rebuilding.tree()),
                total_weight(minimum_spanning_tree(instance.weights), instance.weights), 1e-9);
}

TEST(WindowRebuilding, StopsWhenAsked) {
    const Instance instance = generate({.n = 200, .seed = 9});
    TreeSpec spec;
    spec.root = 0;
    spec.hops = 5;
    const Problem problem(instance, spec);
    const StopToken at_once(std::nullopt, [] { return true; });
    WindowRebuilding rebuilding(untrained(), problem, star_of(200), {.size = 50}, {});
    EXPECT_EQ(rebuilding.pass(at_once), 0);
    EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt);
}

TEST(WindowRebuilding, CrossesNothingWhereNothingMayCross) {
    const Instance instance = generate({.n = 80, .seed = 5});
    TreeSpec spec;
    spec.root = 0;
    spec.hops = 8;
    spec.no_crossings = true;
    const Problem problem(instance, spec);
    WindowRebuilding rebuilding(untrained(), problem, star_of(80), {.size = 20}, {});
    double gain = 0;
    for (int pass = 0; pass < 4; ++pass) gain += rebuilding.pass({});
    EXPECT_GT(gain, 0);
    EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt);
}

TEST(WindowRebuilding, KeepsIncludedEdgesAndLeavesExcludedOnesOut) {
    const Instance instance = generate({.n = 80, .seed = 6});
    TreeSpec spec;
    spec.root = 0;
    spec.hops = 8;
    for (Vertex v = 1; v < 80; v += 7) spec.included_edges.push_back({0, v});
    for (Vertex v = 2; v < 79; v += 7) spec.excluded_edges.push_back({v, v + 1});
    const Problem problem(instance, spec);
    WindowRebuilding rebuilding(untrained(), problem, star_of(80), {.size = 20}, {});
    double gain = 0;
    for (int pass = 0; pass < 4; ++pass) gain += rebuilding.pass({});
    EXPECT_GT(gain, 0);
    EXPECT_EQ(problem.violation(rebuilding.tree()), std::nullopt);
}

TEST(WindowRebuilding, LeavesRulesAsCodeAndTrafficAlone) {
    struct Ruled : Problem {
        using Problem::Problem;
    };
    const Instance instance = generate({.n = 8, .requirements = true, .seed = 1});
    EXPECT_FALSE(has_windows(Ruled(instance)));
    EXPECT_FALSE(has_windows(*make_problem("ocst", instance)));
}

TEST(SolveGreedily, RebuildsWindowsOfGraphsThatAreTooLargeForOneLook) {
    const Vertex n = most_whole_vertices + 1;
    const Instance instance = generate({.n = n, .seed = 2});
    SolveOptions options;
    options.method = "greedy";
    options.policy = std::make_shared<const Policy>(untrained());
    options.threads = 2;
    options.starts = 1;
    for (const auto& problem : {make_problem("dcmst", instance, {.degree = 2}),
                                make_problem("cmst", instance, {.root = 0, .capacity = 20})}) {
        const Solution solution = solve(*problem, options);
        EXPECT_EQ(problem->violation(solution.tree), std::nullopt);
        EXPECT_TRUE(solution.found_by.starts_with("windows from ")) << solution.found_by;
        EXPECT_FALSE(solution.statistics);
    }
}

TEST(SolveGreedily, RebuildsWindowsOfAllTreesAtHandWhereGraphsAreLargerThanPoliciesKnow) {
    Instance instance = generate({.n = most_trained + 1, .seed = 2});
    TreeSpec groups;
    number_thirds(instance, groups);
    SolveOptions options;
    options.method = "greedy";
    options.policy = std::make_shared<const Policy>(untrained());
    options.starts = 1;
    for (const auto& problem :
         {make_problem("hmst", instance, {.root = 0, .hops = 12}), make_problem("dcmst", instance, {.degree = 3}),
          std::make_unique<Problem>(instance, groups)}) {
        const Solution solution = solve(*problem, options);
        EXPECT_EQ(problem->violation(solution.tree), std::nullopt);
        EXPECT_TRUE(solution.found_by.starts_with("windows from ")) << solution.found_by;
        EXPECT_LE(solution.cost, constructed_tree(*problem, options, {}).cost);
        SolveOptions on_two_threads = options;
        on_two_threads.threads = 2;
        EXPECT_EQ(solve(*problem, on_two_threads).tree.edges, solution.tree.edges);
    }
}

TEST(SolveGreedily, SeesAllAtOnceWhereAStartIsAskedForAndWherePoliciesKnowTheSize) {
    SolveOptions options;
    const Instance small = generate({.n = most_trained, .seed = 2});
    const Instance large = generate({.n = most_trained + 1, .seed = 2});
    EXPECT_FALSE(grows_in_windows(*make_problem("dcmst", small, {.degree = 3}), options));
    EXPECT_TRUE(grows_in_windows(*make_problem("dcmst", large, {.degree = 3}), options));
    EXPECT_FALSE(grows_in_windows(*make_problem("dcmst", large, {.degree = 2}), options));
    options.start = 5;
    const auto problem = make_problem("dcmst", large, {.degree = 3});
    EXPECT_FALSE(grows_in_windows(*problem, options));
    options.method = "greedy";
    options.policy = std::make_shared<const Policy>(untrained());
    const Solution solution = solve(*problem, options);
    EXPECT_EQ(solution.tree.start, 5);
    ASSERT_TRUE(solution.statistics);
    EXPECT_EQ(solution.statistics->trees, 1U);
}

SolveOptions rebuilding(std::int64_t passes, int threads) {
    SolveOptions options;
    options.method = "rebuild";
    options.policy = std::make_shared<const Policy>(untrained());
    options.max_iterations = passes;
    options.starts = 1;
    options.threads = threads;
    return options;
}

TEST(SolveByRebuilding, ImprovesTheGreedyTreeWhateverTheThreads) {
    const Instance instance = generate({.n = 60, .seed = 5});
    for (const auto& problem :
         {make_problem("dcmst", instance, {.degree = 2}), make_problem("hmst", instance, {.root = 0, .hops = 5}),
          make_problem("cmst", instance, {.root = 0, .capacity = 9}), make_problem("mrcst", instance)}) {
        SolveOptions greedy = rebuilding(0, 1);
        greedy.method = "greedy";
        greedy.max_iterations.reset();
        const double first = solve(*problem, rebuilding(0, 1)).cost;
        EXPECT_EQ(first, solve(*problem, greedy).cost) << problem->name();
        const Solution rebuilt = solve(*problem, rebuilding(6, 1));
        EXPECT_LT(rebuilt.cost, first) << problem->name();
        EXPECT_EQ(problem->violation(rebuilt.tree), std::nullopt);
        EXPECT_EQ(rebuilt.tree.edges, solve(*problem, rebuilding(6, 2)).tree.edges) << problem->name();
    }
}

TEST(SolveByRebuilding, EndsAfterPassesThatBringNothing) {
    const Instance instance = generate({.n = 12, .seed = 1});
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 3});
    SolveOptions options = rebuilding(0, 1);
    options.max_iterations.reset();
    EXPECT_EQ(problem->violation(solve(*problem, options).tree), std::nullopt);
    options.no_improvement = 1;
    EXPECT_GE(solve(*problem, options).cost, solve(*problem, rebuilding(200, 1)).cost);
}

TEST(SolveByRebuilding, HasATreeWhenThereIsNoTimeForAGreedyOne) {
    const Instance instance = generate({.n = 300, .seed = 1});
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 5});
    SolveOptions options = rebuilding(1, 1);
    options.time_limit = 1e-6;
    EXPECT_EQ(problem->violation(solve(*problem, options).tree), std::nullopt);
}

TEST(SolveByRebuilding, AnswersUnderATimeLimitWithAConstructionThatIsCheaper) {
    const Instance instance = generate({.shape = Shape::matrix, .n = 160, .seed = 1});
    const auto problem = make_problem("dcmst", instance, {.degree = 2});
    SolveOptions options = rebuilding(0, 1);
    const double own = solve(*problem, options).cost;
    const Candidate construction = constructed_tree(*problem, options, {});
    ASSERT_LT(construction.cost, own);
    options.time_limit = 1000;
    const Solution answer = solve(*problem, options);
    EXPECT_DOUBLE_EQ(answer.cost, construction.cost);
    EXPECT_EQ(answer.found_by, construction.source);
}

TEST(SolveByRebuilding, SaysThatTrafficHasNoWindows) {
    const Instance instance = generate({.n = 8, .requirements = true, .seed = 1});
    EXPECT_THROW((void)solve(*make_problem("ocst", instance), rebuilding(1, 1)), InputError);
}

}  // namespace
}  // namespace neuroprim
