#include "bounds/layered_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bounds/free_centre_bound.hpp"
#include "bounds/layered_ascent.hpp"
#include "bounds/layered_graph.hpp"
#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/optimality.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

Instance layered_instance(std::uint64_t seed, Vertex most = 7) {
    return testing::small_instance(static_cast<Vertex>(2 + seed % static_cast<std::uint64_t>(most - 1)), seed);
}

/// A limit or several of them, drawn at random.
TreeSpec layered_spec(const Instance& instance, Random& random) {
    TreeSpec spec;
    spec.root = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(instance.size())));
    const std::uint64_t kind = random.below(7);
    if (kind == 0 || kind >= 4) spec.hops = static_cast<int>(1 + random.below(4));
    if (kind == 1 || kind == 4) {
        double longest = 0;
        instance.weights.for_each_neighbour(*spec.root, [&](Vertex, double w) { longest = std::max(longest, w); });
        spec.length = longest * (0.8 + 0.8 * random.uniform()) + 0.01;
    }
    if (kind == 2 || kind == 5) spec.diameter = static_cast<int>(1 + random.below(5));
    if (kind == 3 || kind == 6) {
        spec.diameter = static_cast<int>(2 + random.below(4));
        spec.degrees.assign(index(instance.size()), 3);
    }
    const std::uint64_t coverage = random.below(6);
    if (coverage < 2 && instance.size() > 3) {
        spec.coverage = Coverage::terminals;
        spec.terminals = {0, 2};
    } else if (coverage == 2 && instance.size() > 4) {
        spec.coverage = Coverage::groups;
        for (Vertex v = 0; v < instance.size(); ++v) spec.groups.push_back(v < 2 ? v : v % 3 - 1);
        spec.groups[index(*spec.root)] = -1;
    } else if (coverage == 3) {
        spec.coverage = Coverage::optional;
        for (Vertex v = 0; v < instance.size(); ++v) spec.prizes.push_back(static_cast<double>(random.below(40)) / 2);
    }
    if (random.below(4) == 0 && instance.weights.has_edge(0, 1)) {
        (random.below(2) == 0 ? spec.included_edges : spec.excluded_edges).push_back({0, 1});
    }
    return spec;
}

/// Runs to the end with the tree that the process finds itself, as the search does.
double value_at_end(BoundProcess& process, const Problem& problem, double upper, int slices = 1000) {
    double last = 0;
    for (int k = 0; k < slices; ++k) {
        const bool rises = process.advance(upper, {});
        EXPECT_GE(process.value(), last);
        last = process.value();
        if (const auto tree = process.tree(); tree && !problem.violation(*tree)) {
            upper = std::min(upper, problem.cost(*tree));
        }
        if (!rises) break;
    }
    return process.value();
}

TEST(LayeredBound, IsNeverAboveTheOptimum) {
    int compared = 0;
    int proved = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Instance instance = layered_instance(seed, 6);
        Random random(seed, 1);
        const Problem problem(instance, layered_spec(instance, random));
        const auto least = testing::optimum(problem);
        if (!least) continue;
        for (const double upper : {*least, 1.3 * *least, double{INFINITY}}) {
            for (const auto make : {make_hop_bound, make_length_bound, make_diameter_bound, make_bound_process}) {
                const auto process = make(problem);
                if (process == nullptr) continue;
                const double value = value_at_end(*process, problem, upper);
                EXPECT_LE(value, *least * (1 + 1e-9)) << "seed " << seed << ", upper " << upper;
                ++compared;
                if (proven(*least, value)) ++proved;
            }
        }
    }
    EXPECT_GT(compared, 1500);
    EXPECT_GT(proved, compared / 2);
}

TEST(LayeredBound, OfHopsOrDiameterAloneEndsWithAnOptimalTree) {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const Instance instance = layered_instance(seed);
        Random random(seed, 2);
        TreeSpec spec;
        if (seed % 2 == 0) {
            spec.root = 0;
            spec.hops = static_cast<int>(1 + random.below(4));
        } else {
            spec.diameter = static_cast<int>(1 + random.below(5));
        }
        const Problem problem(instance, spec);
        const auto least = testing::optimum(problem);
        if (!least) continue;
        ++compared;
        const auto process = spec.hops ? make_hop_bound(problem) : make_diameter_bound(problem);
        ASSERT_NE(process, nullptr);
        EXPECT_NEAR(value_at_end(*process, problem, INFINITY), *least, 1e-8 * *least) << "seed " << seed;
        ASSERT_TRUE(process->tree().has_value()) << "seed " << seed;
        EXPECT_EQ(problem.violation(*process->tree()), std::nullopt);
        EXPECT_NEAR(problem.cost(*process->tree()), *least, 1e-9 * *least);
    }
    EXPECT_GT(compared, 100);
}

TEST(LayeredBound, NeverClaimsMoreThanATreeThatIsKnown) {
    const Instance instance = generate({.n = 30, .seed = 3});
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 3});
    const auto process = make_hop_bound(*problem);
    EXPECT_LE(value_at_end(*process, *problem, 1.0), 1.0);
}

TEST(LayeredBound, OfTwentyPointsProvesTheOptimum) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Instance instance = generate({.n = 20, .seed = seed});
        const auto hops = make_problem("hmst", instance, {.root = 0, .hops = 3});
        const auto process = make_hop_bound(*hops);
        const double bound = value_at_end(*process, *hops, INFINITY);
        ASSERT_TRUE(process->tree().has_value());
        EXPECT_TRUE(proven(hops->cost(*process->tree()), bound)) << "seed " << seed;
        EXPECT_GT(bound, lower_bound(*hops).value() * 1.05) << "seed " << seed;
    }
}

TEST(LayeredBound, OfShortWaysProvesMostTreesOfTwelve) {
    int proved = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const Instance instance = generate({.n = 12, .seed = seed});
        double farthest = 0;
        instance.weights.for_each_neighbour(0, [&](Vertex, double w) { farthest = std::max(farthest, w); });
        const auto problem = make_problem("lmst", instance, {.root = 0, .length = 1.1 * farthest});
        const auto process = make_length_bound(*problem);
        const double bound = value_at_end(*process, *problem, INFINITY, 20);
        if (process->tree() && proven(problem->cost(*process->tree()), bound)) ++proved;
    }
    EXPECT_GE(proved, 3);
}

TEST(LayeredAscent, DoesNotDependOnHowItIsCutIntoSlices) {
    const Instance instance = generate({.n = 25, .seed = 8});
    std::vector<LayerGoal> all;
    for (Vertex v = 0; v < 25; ++v) all.push_back({{v}});
    const LayeredGraph graph(instance.weights, all, {{0}, 4, 0, true});
    LayeredAscent whole(graph);
    std::int64_t many = 1'000'000'000;
    ASSERT_TRUE(whole.advance(many, {}));
    LayeredAscent slices(graph);
    int count = 0;
    for (std::int64_t few = 500; !slices.advance(few, {}); few = 500) {
        EXPECT_LE(slices.bound(), whole.bound());
        ++count;
    }
    EXPECT_GT(count, 3);
    EXPECT_EQ(slices.bound(), whole.bound());
    EXPECT_EQ(slices.reduced(), whole.reduced());
}

TEST(LayeredBound, StopsWhenItIsTold) {
    const Instance instance = generate({.n = 200, .seed = 5});
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 6});
    const auto process = make_hop_bound(*problem);
    const StopToken expired(StopToken::Clock::now(), {});
    EXPECT_TRUE(process->advance(INFINITY, expired));
    EXPECT_EQ(process->value(), 0);
}

TEST(LayeredGraph, IsNotBuiltWithoutTime) {
    const Instance instance = generate({.n = 60, .seed = 1});
    const LayerRule rule{.centre = {0}, .last_layer = 4};
    const std::vector<LayerGoal> goals = {{{1}}, {{2}}};
    for (int asked = 0; asked < 10; ++asked) {
        int questions = asked;
        const StopToken stop(std::nullopt, [&] { return --questions < 0; });
        EXPECT_THROW(LayeredGraph(instance.weights, goals, rule, {}, stop), Interrupted);
    }
}

TEST(LayeredBound, GoesOnWhereItWasInterrupted) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const Instance instance = layered_instance(seed);
        const Problem problem(instance, layered_spec(instance, random));
        for (const auto make : {make_hop_bound, make_length_bound, make_diameter_bound}) {
            const auto whole = make(problem);
            const auto torn = make(problem);
            if (!whole) continue;
            const double upper = std::numeric_limits<double>::infinity();
            while (whole->advance(upper, {})) {
            }
            // Each time it may ask a little longer, so that it is stopped at every place where it asks.
            bool goes_on = true;
            for (int allowed = 0; goes_on; ++allowed) {
                int questions = allowed;
                const StopToken stop(std::nullopt, [&] { return --questions < 0; });
                goes_on = torn->advance(upper, stop);
                ASSERT_LE(torn->value(), whole->value() * (1 + 1e-9)) << "seed " << seed;
            }
            EXPECT_NEAR(torn->value(), whole->value(), 1e-9 * std::abs(whole->value())) << "seed " << seed;
        }
    }
}

TEST(FreeCentreBound, IsNeverAboveTheOptimumAndThereBeforeAllCentresAre) {
    double sum_of_bounds = 0;
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const Instance instance = layered_instance(seed);
        Random random(seed, 9);
        TreeSpec spec = layered_spec(instance, random);
        spec.diameter = static_cast<int>(2 + random.below(5));
        const Problem problem(instance, spec);
        const auto least = testing::optimum(problem);
        const auto bound = make_free_centre_bound(problem);
        if (!least || !bound || *least <= 0) continue;
        for (const double upper : {*least, *least + 0.3, std::numeric_limits<double>::infinity()}) {
            const auto process = make_free_centre_bound(problem);
            while (process->advance(upper, {})) {
            }
            EXPECT_LE(process->value(), *least * (1 + 1e-9)) << "seed " << seed << ", upper " << upper;
            sum_of_bounds += process->value() / *least;
            ++compared;
        }
    }
    EXPECT_GT(compared, 150);
    EXPECT_GT(sum_of_bounds, 0.7 * compared);

    const Instance instance = generate({.n = 80, .seed = 3});
    const auto problem = make_problem("bdmst", instance, {.diameter = 8});
    const auto free = make_free_centre_bound(*problem);
    const auto centres = make_diameter_bound(*problem);
    int slices = 0;
    while (free->advance(100, {})) {
        centres->advance(100, {});
        ++slices;
    }
    EXPECT_GT(free->value(), *lower_bound(*problem));
    EXPECT_EQ(centres->value(), 0) << "after " << slices << " slices";
}

}  // namespace
}  // namespace neuroprim
