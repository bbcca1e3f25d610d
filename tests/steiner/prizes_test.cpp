#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bounds/steiner_bound.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "search/steiner_search.hpp"
#include "steiner/dual_ascent.hpp"
#include "steiner/reductions.hpp"
#include "steiner/region.hpp"
#include "steiner/search_graph.hpp"
#include "support/benchmarks.hpp"
#include "support/steiner_oracle.hpp"

namespace neuroprim {
namespace {

using testing::small_prize_instance;
using testing::steiner_optimum;

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Every second problem has a root.
std::unique_ptr<Problem> prize_problem(const Instance& instance, std::uint64_t number) {
    ProblemOptions options;
    if (number % 2 == 1) options.root = static_cast<Vertex>(number % 3);
    return make_problem("pcst", instance, options);
}

Tree single_vertex(const Problem& problem) {
    return Tree{problem.starts().front(), {}};
}

/// Some hundred vertices with prizes of about the weight of an edge.
Instance medium_prize_instance(Vertex n, std::uint64_t seed) {
    GenerateOptions options;
    options.shape = GenerateOptions::Shape::sparse;
    options.n = n;
    options.average_degree = 5;
    options.scale = 20;
    options.integers = true;
    options.seed = seed;
    Instance instance = generate(options);
    Random random(seed, 3);
    for (Vertex v = 0; v < n; ++v) {
        instance.prizes.push_back(random.uniform() < 0.6 ? 0 : std::floor(20 * random.uniform()));
    }
    return instance;
}

TEST(PrizeReductions, KeepAnOptimum) {
    for (std::uint64_t number = 0; number < 600; ++number) {
        const Instance instance = small_prize_instance(number);
        const auto problem = prize_problem(instance, number);
        steiner::Graph graph = steiner::search_graph(*problem, StopToken())->graph;
        steiner::reduce(graph, StopToken());
        graph = graph.compacted();
        std::vector<WeightedEdge> edges;
        for (int e = 0; e < graph.edge_slots(); ++e) {
            if (graph.has(e)) edges.push_back({graph.link(e).u, graph.link(e).v, graph.link(e).weight});
        }
        std::vector<bool> is_terminal;
        std::vector<double> prizes;
        for (Vertex v = 0; v < graph.size(); ++v) {
            is_terminal.push_back(graph.is_terminal(v));
            prizes.push_back(graph.prize(v));
        }
        const double optimum = steiner_optimum(*problem);
        const double reduced = graph.size() == 0 ? 0 : steiner_optimum(graph.size(), edges, is_terminal, prizes);
        EXPECT_NEAR(graph.fixed_cost() + reduced, optimum, 1e-9 * (1 + optimum)) << "instance " << number;
    }
}

TEST(PrizeDualAscent, IsABoundWithARootAndWithoutOne) {
    double sum = 0;
    double optima = 0;
    for (std::uint64_t number = 0; number < 300; ++number) {
        const Instance instance = small_prize_instance(number);
        const auto problem = prize_problem(instance, number);
        const steiner::Graph graph = steiner::search_graph(*problem, StopToken())->graph;
        const double optimum = steiner_optimum(*problem);
        const double prizes = graph.all_prizes();
        if (prizes == 0) continue;
        const steiner::PrizeModel model{.detour = 1 + prizes, .tree_price = std::max(0.0, prizes - optimum)};
        const steiner::FlatGraph flat(graph, model);
        const auto ascent = steiner::dual_ascent(flat, flat.anchor(), StopToken());
        EXPECT_LE(ascent.bound - flat.surplus(), optimum + 1e-9 * (1 + prizes)) << "instance " << number;
        sum += ascent.bound - flat.surplus();
        optima += optimum;
    }
    EXPECT_GT(sum, 0.9 * optima);
}

TEST(PrizeBound, MeetsTheOptimumAndNeverPassesIt) {
    for (std::uint64_t number = 0; number < 600; ++number) {
        const Instance instance = small_prize_instance(number);
        const auto problem = prize_problem(instance, number);
        const double optimum = steiner_optimum(*problem);
        const double slack = 1e-9 * (1 + optimum);
        const auto bound = make_bound_process(*problem);
        ASSERT_NE(bound, nullptr);
        const double known = number % 3 == 0 ? unknown : problem->cost(single_vertex(*problem));
        while (bound->advance(known, StopToken())) EXPECT_LE(bound->value(), optimum + slack);
        EXPECT_NEAR(bound->value(), optimum, slack) << "instance " << number;
        if (known <= optimum) continue;
        ASSERT_TRUE(bound->tree().has_value()) << "instance " << number;
        EXPECT_EQ(problem->violation(*bound->tree()), std::nullopt);
        EXPECT_NEAR(problem->cost(*bound->tree()), optimum, slack) << "instance " << number;
    }
}

TEST(PrizeBound, HoldsUnderLimits) {
    for (std::uint64_t number = 0; number < 40; ++number) {
        const Instance instance = small_prize_instance(number);
        TreeSpec spec;
        spec.coverage = Coverage::optional;
        spec.prizes = instance.prizes;
        const Problem free(instance, spec);
        spec.diameter = 2;
        const Problem limited(instance, spec);
        ASSERT_TRUE(steiner_bound_suits(limited));
        const auto bound = make_steiner_bound(limited);
        while (bound->advance(unknown, StopToken())) {
        }
        EXPECT_NEAR(bound->value(), steiner_optimum(free), 1e-9 * (1 + bound->value()));
    }
}

TEST(PrizeSearch, FindsTheOptimumOfSmallGraphs) {
    int found = 0;
    int sought = 0;
    for (std::uint64_t number = 0; number < 300; ++number) {
        const Instance instance = small_prize_instance(number);
        const auto problem = prize_problem(instance, number);
        EXPECT_EQ(local_search_for(*problem).name, "steiner");
        const auto search = prepare_steiner(*problem, 1, StopToken());
        const auto worker = search->worker(1, 0);
        worker->adopt(single_vertex(*problem));
        worker->run(40, StopToken());
        const double optimum = steiner_optimum(*problem);
        EXPECT_EQ(problem->violation(worker->tree()), std::nullopt);
        EXPECT_NEAR(problem->cost(worker->tree()), worker->cost(), 1e-9 * (1 + optimum));
        EXPECT_GE(worker->cost(), optimum - 1e-9 * (1 + optimum));
        ++sought;
        found += worker->cost() <= optimum + 1e-9 * (1 + optimum) ? 1 : 0;
    }
    // From a vertex that is in no optimum the search may end beside it.
    EXPECT_GE(found, sought * 9 / 10);
}

TEST(PrizeSearch, SolvesSmallGraphsToTheEnd) {
    for (std::uint64_t number = 0; number < 60; ++number) {
        const Instance instance = small_prize_instance(number);
        const auto problem = prize_problem(instance, number);
        SolveOptions options;
        options.max_iterations = 2000;
        const Solution solution = solve(*problem, options);
        const double optimum = steiner_optimum(*problem);
        EXPECT_NEAR(solution.cost, optimum, 1e-9 * (1 + optimum)) << "instance " << number;
        ASSERT_TRUE(solution.bound.has_value() || optimum == 0);
        EXPECT_NEAR(solution.bound.value_or(0), optimum, 1e-9 * (1 + optimum));
    }
}

TEST(PrizeSearch, SearchesAWholeRegionToItsOptimum) {
    for (std::uint64_t number = 1; number < 200; number += 2) {
        const Instance instance = small_prize_instance(number);
        const auto problem = prize_problem(instance, number);
        const auto search = steiner::search_graph(*problem, StopToken());
        const double prizes = search->graph.all_prizes();
        if (prizes == 0) continue;
        const steiner::FlatGraph flat(search->graph, {.detour = 1000 * (1 + prizes)});
        auto tree = *steiner::shortest_path_tree(flat, flat.anchor(), flat.weights());
        const double optimum = steiner_optimum(*problem);
        static_cast<void>(steiner::improve_region(flat, tree, {0, 100, 1000}, search->whole_weights, StopToken()));
        EXPECT_NEAR(tree.cost - flat.surplus(), optimum, 1e-6 * (1 + optimum)) << "instance " << number;
    }
}

TEST(PrizeSearch, ClosesMediumGraphsAndItsBoundNeverFalls) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Instance instance = medium_prize_instance(150, seed);
        const auto problem = prize_problem(instance, seed);
        const auto bound = make_steiner_bound(*problem);
        double last = 0;
        while (bound->advance(unknown, StopToken())) {
            EXPECT_GE(bound->value(), last);
            last = bound->value();
        }
        ASSERT_TRUE(bound->tree().has_value());
        EXPECT_EQ(bound->value(), problem->cost(*bound->tree()));
    }
}

TEST(PrizeSearch, DoesTheSameForTheSameSeedHoweverItIsSliced) {
    const Instance instance = medium_prize_instance(300, 9);
    const auto problem = prize_problem(instance, 0);
    const auto search = prepare_steiner(*problem, 2, StopToken());
    const auto whole = search->worker(4, 1);
    const auto sliced = search->worker(4, 1);
    whole->adopt(single_vertex(*problem));
    sliced->adopt(single_vertex(*problem));
    whole->run(12, StopToken());
    for (int k = 0; k < 6; ++k) sliced->run(2, StopToken());
    EXPECT_EQ(whole->tree(), sliced->tree());
    EXPECT_EQ(whole->cost(), sliced->cost());
}

TEST(PrizeBound, ProvesOptimaOfTheLiterature) {
    const auto folder = testing::benchmarks();
    if (!folder) GTEST_SKIP() << "no literature instances: set NEUROPRIM_BENCHMARKS";
    for (const auto& [file, optimum] :
         {std::pair{"C01-A.stp", 18.0}, {"C03-A.stp", 414.0}, {"K100.1.stp", 124108.0}, {"cc3-4nu.stp", 10.0}}) {
        const auto instances = read_instances((*folder / "pcst" / file).string());
        const auto problem = make_problem("pcst", instances.front());
        const auto bound = make_bound_process(*problem);
        while (bound->advance(unknown, StopToken())) {
        }
        EXPECT_NEAR(bound->value(), optimum, 1e-6) << file;
        ASSERT_TRUE(bound->tree().has_value()) << file;
        EXPECT_NEAR(problem->cost(*bound->tree()), optimum, 1e-6) << file;
    }
}

}  // namespace
}  // namespace neuroprim
