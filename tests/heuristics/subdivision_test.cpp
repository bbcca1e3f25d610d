#include <gtest/gtest.h>

#include <atomic>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"

namespace neuroprim {
namespace {

TEST(Subdivision, KeepsSeveralLimitsAtOnce) {
    for (const Vertex n : {2, 3, 10, 100, 5000}) {
        const Instance instance = generate({.n = n, .seed = 5});
        std::vector<double> demands(index(n));
        for (Vertex v = 0; v < n; ++v) demands[index(v)] = 1 + v % 3;
        const std::vector<TreeSpec> specs = {
            {.root = 0, .hops = 3},
            {.root = 0,
             .degrees = std::vector<int>(index(n), 4),
             .hops = 10,
             .capacity = 1.2 * n,
             .demands = demands},
            {.root = 0, .degrees = std::vector<int>(index(n), 5), .hops = 20, .length = 2.5},
            {.root = 0, .hops = 4, .length = 1.6, .capacity = 9, .demands = demands},
            {.degrees = std::vector<int>(index(n), 6), .diameter = 16},
            {.coverage = Coverage::terminals, .root = 0, .hops = 2, .terminals = {0, n - 1}},
        };
        for (std::size_t k = 0; k < specs.size(); ++k) {
            const Problem problem(instance, specs[k]);
            const Tree tree = method_named("subdivision").construct(problem, {});
            const auto violation = problem.violation(tree);
            EXPECT_FALSE(violation) << "n = " << n << ", specification " << k << ": " << *violation;
        }
    }
}

TEST(Subdivision, DoesNotDependOnThreads) {
    const Instance instance = generate({.n = 3000, .seed = 8});
    const std::vector<TreeSpec> specs = {
        {.root = 0, .degrees = std::vector<int>(3000, 3), .hops = 30, .length = 2.5},
        {.root = 0, .hops = 6, .capacity = 70},
        {.root = 0, .degrees = std::vector<int>(3000, 2), .hops = 2000},
    };
    for (const TreeSpec& spec : specs) {
        const Problem problem(instance, spec);
        const Tree one = method_named("subdivision").construct(problem, {.threads = 1});
        EXPECT_FALSE(problem.violation(one));
        EXPECT_EQ(method_named("subdivision").construct(problem, {.threads = 5}), one);
    }
}

TEST(Subdivision, StopsWhenItIsTold) {
    const Instance instance = generate({.n = 3000, .seed = 8});
    const Problem problem(instance, TreeSpec{.root = 0, .hops = 12, .length = 2});
    for (int allowed : {0, 1, 5, 50}) {
        std::atomic<int> questions = allowed;
        const auto interrupted = [&] { return --questions < 0; };
        EXPECT_THROW(static_cast<void>(method_named("subdivision").construct(problem, {no_vertex, 2, interrupted})),
                     Interrupted);
    }
}

TEST(Subdivision, LeavesEachVertexItsOwnDegree) {
    const Instance instance = generate({.n = 60, .seed = 6});
    std::vector<int> degrees(60, 2);
    for (std::size_t v = 0; v < 60; v += 3) degrees[v] = 5;
    const Problem problem(instance, TreeSpec{.root = 0, .degrees = degrees, .hops = 12});
    EXPECT_FALSE(problem.violation(method_named("subdivision").construct(problem, {})));
}

TEST(Subdivision, SaysWhereItFindsNone) {
    const Instance instance = generate({.n = 60, .seed = 7});
    const Problem narrow(instance, TreeSpec{.root = 0, .degrees = std::vector<int>(60, 2), .hops = 29});
    EXPECT_THROW(static_cast<void>(method_named("subdivision").construct(narrow, {})), Infeasible);
    const Problem fixed(instance, TreeSpec{.included_edges = {{0, 1}}});
    EXPECT_THROW(static_cast<void>(method_named("subdivision").construct(fixed, {})), InputError);
}

TEST(Subdivision, HasOneVertexOfEachGroup) {
    const Instance instance = generate({.n = 90, .seed = 8});
    std::vector<int> groups(90);
    for (std::size_t v = 0; v < groups.size(); ++v) groups[v] = static_cast<int>(v % 20) - 1;
    for (const Vertex root : {1, 20, 0}) {  // in a group, and twice in none
        TreeSpec spec{.coverage = Coverage::groups, .root = root, .hops = 6, .terminals = {2, 5}, .groups = groups};
        if (root != 20) spec.terminals.push_back(60);
        const Problem problem(instance, spec);
        const Tree tree = method_named("subdivision").construct(problem, {});
        EXPECT_EQ(problem.violation(tree), std::nullopt) << root;
    }
}

}  // namespace
}  // namespace neuroprim
