#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/solve.hpp"
#include "search/rooted/rooted_worker.hpp"
#include "search/sectors/sector.hpp"
#include "search/sectors/sector_worker.hpp"
#include "search/sectors/sectors.hpp"

namespace neuroprim {
namespace {

using namespace sectors;

struct SectorCase {
    std::string name;
    TreeSpec spec;
};

/// Degrees of five, but the root may have as many branches as it likes, or so many.
std::vector<int> degrees_but_root(Vertex n, Vertex root, int of_root) {
    std::vector<int> degrees(index(n), 5);
    degrees[index(root)] = of_root;
    return degrees;
}

std::vector<SectorCase> sector_cases(Vertex n) {
    std::vector<double> demands;
    for (Vertex v = 0; v < n; ++v) demands.push_back(1 + v % 3);
    return {
        {"capacity and demands", {.root = 7, .capacity = 20, .demands = demands}},
        {"capacity and hops", {.root = 7, .hops = 5, .capacity = 20}},
        {"capacity, length and included edges",
         {.root = 7, .length = 2, .capacity = 20, .included_edges = {{7, 11}, {11, 12}}}},
        {"capacity and degrees", {.root = 7, .degrees = degrees_but_root(n, 7, n / 20 + 12), .capacity = 20}},
        {"cables", {.objective = Objective::cables, .root = 7, .cables = {{3, 1}, {20, 2.5}}}},
    };
}

std::vector<Vertex> first_parents(const Problem& problem) {
    const Tree tree = solve(problem, {.time_limit = {}, .max_iterations = 1}).tree;
    return hang(tree, *problem.spec().root, problem.size()).parent;
}

Tree tree_of_parents(const std::vector<Vertex>& parent, Vertex root) {
    Tree tree{root, {}};
    for (std::size_t v = 0; v < parent.size(); ++v) {
        if (parent[v] != no_vertex) tree.edges.push_back({parent[v], static_cast<Vertex>(v)});
    }
    return grown_from(tree, root, static_cast<Vertex>(parent.size()));
}

SectorResult improve_by_ruin(const Sector& sector, const WindowEffort& effort, Random random, const StopToken& stop) {
    rooted::RootedWorker worker(sector.problem(), sector.near(), random);
    worker.adopt(sector.root(), sector.parent(), effort);
    SectorResult result;
    const double before = worker.cost();
    result.steps = worker.run(effort.steps, stop);
    result.gain = before - worker.cost();
    for (Vertex v = 0; v < sector.problem().size(); ++v) result.parent.push_back(worker.parent(v));
    return result;
}

TEST(Sectors, HoldWholeBranchesAndEveryVertexOnce) {
    const Instance instance = generate({.n = 600, .seed = 3});
    const Problem problem(instance, TreeSpec{.root = 7, .capacity = 20});
    const std::vector<Vertex> parent = first_parents(problem);
    std::set<std::vector<Vertex>> cuts;
    for (std::uint64_t pass = 0; pass < 3; ++pass) {
        const Sectors cut = cut_sectors(problem, parent, 100, Random(1, pass));
        EXPECT_GT(cut.count(), 5U);
        ASSERT_EQ(cut.vertices.size(), 599U);
        EXPECT_EQ(std::set<Vertex>(cut.vertices.begin(), cut.vertices.end()).size(), 599U);
        for (std::size_t k = 0; k < cut.count(); ++k) {
            EXPECT_LE(cut.of(k).size(), 100U);
            for (std::size_t place = 0; place < cut.of(k).size(); ++place) {
                const Vertex v = cut.of(k)[place];
                EXPECT_EQ(cut.sector[index(v)], static_cast<Vertex>(k));
                EXPECT_EQ(cut.place[index(v)], static_cast<Vertex>(place));
                const Vertex u = parent[index(v)];
                EXPECT_TRUE(u == 7 || cut.sector[index(u)] == static_cast<Vertex>(k));
            }
        }
        cuts.insert(cut.sector);
    }
    EXPECT_EQ(cuts.size(), 3U) << "each pass cuts elsewhere";
}

TEST(Sectors, ABranchThatIsTooLargeIsASectorOfItsOwn) {
    const Instance instance = generate({.n = 50, .seed = 3});
    const Problem problem(instance, TreeSpec{.root = 0, .capacity = 40});
    std::vector<Vertex> parent(50, 1);
    parent[0] = no_vertex;
    parent[1] = 0;
    for (Vertex v = 40; v < 50; ++v) parent[index(v)] = 0;
    const Sectors cut = cut_sectors(problem, parent, 10, Random(1));
    std::size_t largest = 0;
    for (std::size_t k = 0; k < cut.count(); ++k) largest = std::max(largest, cut.of(k).size());
    EXPECT_EQ(largest, 39U);
}

TEST(Sectors, AreProblemsOfTheSameKindThatCostTheTreeTogether) {
    const Instance instance = generate({.n = 400, .seed = 5});
    const auto near = nearest_neighbours(instance.weights, 14);
    for (const auto& [name, spec] : sector_cases(400)) {
        const Problem problem(instance, spec);
        ASSERT_TRUE(has_sectors(problem)) << name;
        const std::vector<Vertex> parent = first_parents(problem);
        const Sectors cut = cut_sectors(problem, parent, 80, Random(2));
        double sum = 0;
        for (std::size_t k = 0; k < cut.count(); ++k) {
            const Sector sector(problem, near, parent, cut, k, 0);
            EXPECT_EQ(sector.problem().violation(sector.tree()), std::nullopt) << name;
            EXPECT_TRUE(sector.moves_to(sector.parent()).empty()) << name;
            sum += sector.problem().cost(sector.tree());
        }
        EXPECT_NEAR(sum, problem.cost(tree_of_parents(parent, 7)), 1e-9) << name;
    }
}

TEST(Sectors, AreNotForLimitsThatJoinBranches) {
    const Instance instance = generate({.n = 30, .seed = 5});
    EXPECT_FALSE(has_sectors(Problem(instance, TreeSpec{.root = 0, .capacity = 5, .diameter = 8})));
    EXPECT_FALSE(has_sectors(Problem(instance, TreeSpec{.root = 0, .capacity = 5, .no_crossings = true})));
    EXPECT_FALSE(has_sectors(Problem(instance, TreeSpec{.objective = Objective::routing_cost})));
}

TEST(SectorWorker, KeepsTheLimitsAndSavesWhatItSays) {
    const Instance instance = generate({.n = 400, .seed = 8});
    const auto near = nearest_neighbours(instance.weights, 14);
    const SectorPlan plan{.size = 80, .steps_per_vertex = 2, .descents = 2, .last_doubling = 3};
    for (const auto& [name, spec] : sector_cases(400)) {
        const Problem problem(instance, spec);
        const Tree first = solve(problem, {.time_limit = {}, .max_iterations = 1}).tree;
        std::vector<Tree> found;
        for (const int threads : {1, 3}) {
            SectorWorker worker(problem, near, plan, improve_by_ruin, threads, Random(4));
            worker.adopt(first);
            EXPECT_NEAR(worker.cost(), problem.cost(first), 1e-9) << name;
            for (int round = 0; round < 8; ++round) {
                const double before = worker.cost();
                EXPECT_GT(worker.run(1'000'000, {}), 0) << name;
                EXPECT_LE(worker.cost(), before) << name;
                const auto violation = problem.violation(worker.tree());
                ASSERT_FALSE(violation) << name << ": " << *violation;
                EXPECT_NEAR(problem.cost(worker.tree()), worker.cost(), 1e-9) << name;
            }
            EXPECT_LT(worker.cost(), 0.999 * problem.cost(first)) << name;
            found.push_back(worker.tree());
        }
        EXPECT_EQ(found[0], found[1]) << name << ": threads do not matter";
    }
}

TEST(SectorWorker, DoesNoMoreStepsThanItIsAskedFor) {
    const Instance instance = generate({.n = 400, .seed = 8});
    const auto near = nearest_neighbours(instance.weights, 14);
    const Problem problem(instance, TreeSpec{.root = 7, .capacity = 20});
    const SectorPlan plan{.size = 80, .steps_per_vertex = 2, .descents = 2, .last_doubling = 3};
    SectorWorker worker(problem, near, plan, improve_by_ruin, 2, Random(4));
    worker.adopt(method_named("esau-williams").construct(problem, {}));
    for (const std::int64_t steps : {std::int64_t{500}, std::int64_t{100}, std::int64_t{1}}) {
        EXPECT_LE(worker.run(steps, {}), steps);
    }
}

TEST(SectorWorker, SearchesLargeTreesOfEveryKindAlikeOnAnyNumberOfThreads) {
    const Vertex n = 10'000;
    const Instance instance = generate({.n = n, .seed = 6});
    for (const auto& [name, spec] : sector_cases(n)) {
        if (!spec.included_edges.empty()) continue;  // their first tree takes long
        const Problem problem(instance, spec);
        ASSERT_TRUE(works_in_sectors(problem)) << name;
        std::vector<Tree> found;
        for (const int threads : {1, 3}) {
            const Solution solution =
                solve(problem, {.seed = 3, .threads = threads, .time_limit = {}, .max_iterations = 60'000});
            const auto violation = problem.violation(solution.tree);
            ASSERT_FALSE(violation) << name << ": " << *violation;
            EXPECT_EQ(solution.found_by.find("from"), solution.found_by.find(' ') + 1) << solution.found_by;
            found.push_back(solution.tree);
        }
        EXPECT_EQ(found[0], found[1]) << name;
    }
}

}  // namespace
}  // namespace neuroprim
