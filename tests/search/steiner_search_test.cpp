#include "search/steiner_search.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "heuristics/construct.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"
#include "support/benchmarks.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim {
namespace {

using testing::construct;
using testing::small_steiner_instance;

Tree first_tree(const Problem& problem) {
    return problem.pruned(construct("shortest-path", problem, {problem.starts().front(), 1}));
}

Instance medium(GenerateOptions::Shape shape, Vertex n, Vertex terminals, std::uint64_t seed) {
    GenerateOptions options;
    options.shape = shape;
    options.n = n;
    options.terminals = terminals;
    options.seed = seed;
    options.average_degree = 6;
    return generate(options);
}

TEST(SteinerSearch, PolishesSteinerTreesOnly) {
    Instance instance = small_steiner_instance(3);
    EXPECT_EQ(local_search_for(*make_problem("stp", instance)).name, "steiner");
    EXPECT_NE(local_search_for(*make_problem("mst", instance)).name, "steiner");
}

TEST(SteinerSearch, FindsTheOptimumOfSmallGraphs) {
    for (std::uint64_t number = 0; number < 200; ++number) {
        const Instance instance = small_steiner_instance(number);
        const auto problem = make_problem("stp", instance);
        const auto search = prepare_steiner(*problem, 1, StopToken());
        const auto worker = search->worker(1, 0);
        worker->adopt(first_tree(*problem));
        worker->run(40, StopToken());
        const double optimum = testing::steiner_optimum(*problem);
        EXPECT_NEAR(worker->cost(), optimum, 1e-9 * optimum) << "instance " << number;
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
        EXPECT_NEAR(problem->cost(worker->tree()), worker->cost(), 1e-9 * optimum);
    }
}

TEST(SteinerSearch, MakesShortestPathTreesCheaper) {
    for (const auto shape : {GenerateOptions::Shape::sparse, GenerateOptions::Shape::uniform}) {
        const Instance instance = medium(shape, 200, 40, 5);
        const auto problem = make_problem("stp", instance);
        const Tree start = first_tree(*problem);
        const auto search = prepare_steiner(*problem, 1, StopToken());
        const auto worker = search->worker(1, 0);
        worker->adopt(start);
        EXPECT_EQ(worker->run(10, StopToken()), 10);
        EXPECT_LT(worker->cost(), problem->cost(start));
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
    }
}

TEST(SteinerSearch, DoesTheSameForTheSameSeedHoweverItIsSliced) {
    const Instance instance = medium(GenerateOptions::Shape::sparse, 300, 40, 9);
    const auto problem = make_problem("stp", instance);
    const auto search = prepare_steiner(*problem, 2, StopToken());
    const auto whole = search->worker(4, 1);
    const auto sliced = search->worker(4, 1);
    whole->adopt(first_tree(*problem));
    sliced->adopt(first_tree(*problem));
    whole->run(12, StopToken());
    for (int k = 0; k < 6; ++k) sliced->run(2, StopToken());
    EXPECT_EQ(whole->tree(), sliced->tree());
    EXPECT_EQ(whole->cost(), sliced->cost());
}

TEST(SteinerSearch, KeepsTheTreeItIsGivenWhenTimeIsUp) {
    const Instance instance = medium(GenerateOptions::Shape::uniform, 300, 40, 2);
    const auto problem = make_problem("stp", instance);
    const Tree start = first_tree(*problem);
    const StopToken expired(StopToken::Clock::now(), {});
    const auto late = prepare_steiner(*problem, 1, expired);
    const auto worker = late->worker(1, 0);
    worker->adopt(start);
    EXPECT_EQ(worker->run(5, expired), 0);
    EXPECT_EQ(worker->tree(), start);
    EXPECT_EQ(worker->cost(), problem->cost(start));
}

TEST(SteinerSearch, PreparedInAHurryItStillSearches) {
    const Instance instance = medium(GenerateOptions::Shape::sparse, 2000, 300, 2);
    const auto problem = make_problem("stp", instance);
    const Tree start = first_tree(*problem);
    const StopToken short_deadline(StopToken::Clock::now() + std::chrono::milliseconds(3), {});
    const auto search = prepare_steiner(*problem, 1, short_deadline);
    const auto worker = search->worker(1, 0);
    worker->adopt(start);
    worker->run(1, StopToken());
    EXPECT_LE(worker->cost(), problem->cost(start));
    EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
}

TEST(SteinerSearch, HasNothingToTryWhenReductionsSettleIt) {
    Instance instance = small_steiner_instance(0);
    instance.terminals = {0, 1};
    const auto problem = make_problem("stp", instance);
    const auto search = prepare_steiner(*problem, 1, StopToken());
    const auto worker = search->worker(1, 0);
    worker->adopt(first_tree(*problem));
    EXPECT_LE(worker->run(100, StopToken()), 100);
    instance.terminals = {3};
    const auto lonely = make_problem("stp", instance);
    const auto alone = prepare_steiner(*lonely, 1, StopToken());
    const auto still = alone->worker(1, 0);
    still->adopt(Tree{3, {}});
    EXPECT_LE(still->run(100, StopToken()), 1);
    EXPECT_EQ(still->run(100, StopToken()), 0);
    EXPECT_EQ(still->tree(), (Tree{3, {}}));
    EXPECT_EQ(still->cost(), 0);
}

TEST(SteinerSearch, ManyPointsKeepAShortListOfEdges) {
    const Instance instance = medium(GenerateOptions::Shape::uniform, 12'500, 50, 1);
    const auto problem = make_problem("stp", instance);
    const auto search =
        prepare_steiner(*problem, 1, StopToken(StopToken::Clock::now() + std::chrono::seconds(1), {}));
    const auto worker = search->worker(1, 0);
    Tree chain{instance.terminals[0], {}};
    for (std::size_t k = 1; k < instance.terminals.size(); ++k) {
        chain.edges.push_back({instance.terminals[k - 1], instance.terminals[k]});
    }
    worker->adopt(chain);
    worker->run(1, StopToken(StopToken::Clock::now() + std::chrono::seconds(1), {}));
    EXPECT_LT(worker->cost(), problem->cost(chain));
    EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
}

TEST(SteinerSearch, ReachesTheBestKnownTreesOfTheLiterature) {
    const auto folder = testing::benchmarks();
    if (!folder) GTEST_SKIP() << "no literature instances: set NEUROPRIM_BENCHMARKS";
    for (const auto& [file, optimum] :
         {std::pair{"P4E/p464.stp", 2545.0}, {"B/b18.stp", 218.0}, {"C/c09.stp", 707.0}}) {
        const auto instances = read_instances((*folder / "steinlib" / file).string());
        const auto problem = make_problem("stp", instances.front());
        const auto search = prepare_steiner(*problem, 1, StopToken());
        const auto worker = search->worker(1, 0);
        worker->adopt(first_tree(*problem));
        worker->run(200, StopToken());
        EXPECT_EQ(worker->cost(), optimum) << file;
    }
}

}  // namespace
}  // namespace neuroprim
