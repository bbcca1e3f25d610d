#include "bounds/pair_cost_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "bounds/side_costs.hpp"
#include "bounds/side_relaxation.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/optimality.hpp"
#include "neuroprim/random.hpp"
#include "support/brute_force.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;

constexpr std::array pair_shapes = {Shape::uniform, Shape::clustered, Shape::grid, Shape::matrix, Shape::sparse};
constexpr double any_upper = std::numeric_limits<double>::infinity();

PaddedTable random_prices(Vertex n, double scale, Random& random) {
    PaddedTable prices(index(n), index(n), 0);
    for (Vertex v = 0; v < n; ++v) {
        for (Vertex o = 0; o < n; ++o) prices[index(v)][o] = o == v ? 0 : scale * (random.uniform() - 0.5);
    }
    return prices;
}

/// What these sides cost. `separated(o, d)`: what a pair with ends on both sides costs per unit of weight.
template <class Separated>
double cost_of_sides(const WeightedEdge& edge, const std::vector<char>& on_side_of_u, const PaddedTable& prices,
                     const Separated& separated) {
    double cost = 0;
    for (Vertex o = 0; o < static_cast<Vertex>(on_side_of_u.size()); ++o) {
        cost -= prices[index(on_side_of_u[index(o)] != 0 ? edge.v : edge.u)][o];
        for (Vertex d = 0; d < o; ++d) {
            if (on_side_of_u[index(o)] != on_side_of_u[index(d)]) cost += edge.weight * separated(o, d);
        }
    }
    return cost;
}

template <class Separated>
double least_by_trying(const WeightedEdge& edge, Vertex n, const PaddedTable& prices, const Separated& separated) {
    double least = any_upper;
    std::vector<char> side(index(n));
    for (unsigned sides = 0; sides < (1U << n); ++sides) {
        for (Vertex o = 0; o < n; ++o) side[index(o)] = (sides >> o & 1U) != 0 ? 1 : 0;
        if (side[index(edge.u)] == 0 || side[index(edge.v)] != 0) continue;
        least = std::min(least, cost_of_sides(edge, side, prices, separated));
    }
    return least;
}

TEST(SideCosts, AreTheLeastOfAllSides) {
    Random random(1);
    for (int trial = 0; trial < 300; ++trial) {
        const Vertex n = 3 + static_cast<Vertex>(random.below(6));
        std::vector<double> masses;
        for (Vertex v = 0; v < n; ++v) masses.push_back(static_cast<double>(random.below(4)));
        std::vector<double> requirements;
        for (Vertex k = 0; k < n * (n - 1) / 2; ++k) {
            requirements.push_back(random.below(2) == 0 ? 0 : 3 * random.uniform());
        }
        const auto prices = random_prices(n, 40, random);
        const WeightedEdge edge = {1, 2, random.uniform() * 5};
        const auto of_masses = side_costs_of_masses(masses);
        const auto of_requirements = side_costs_of_requirements(n, requirements);
        const auto check = [&](SideCosts& costs, const auto& separated) {
            costs.set_prices(prices);
            std::vector<char> side;
            const double least = least_by_trying(edge, n, prices, separated);
            EXPECT_NEAR(costs.least(edge, side), least, 1e-9);
            EXPECT_LE(costs.floor(edge), least + 1e-9);
            ASSERT_EQ(side.size(), index(n));
            EXPECT_NEAR(cost_of_sides(edge, side, prices, separated), least, 1e-9);
        };
        check(*of_masses, [&](Vertex o, Vertex d) { return masses[index(o)] * masses[index(d)]; });
        check(*of_requirements, [&](Vertex o, Vertex d) { return requirements[pair_index(o, d)]; });
    }
}

TEST(SideCosts, OfCountsAreTheLeastOfAllSides) {
    Random random(7);
    for (int trial = 0; trial < 300; ++trial) {
        const Vertex n = 3 + static_cast<Vertex>(random.below(6));
        const auto root = static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
        const auto most = 1 + static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
        std::vector<double> price;
        std::vector<double> hop;
        std::vector<double> length;
        for (Vertex k = 0; k < n; ++k) {
            price.push_back(k > most ? any_upper : random.uniform());
            hop.push_back(random.uniform());
            length.push_back(random.uniform());
        }
        const auto prices = random_prices(n, 5, random);
        const WeightedEdge edge = {1, 2, random.uniform() * 5};
        double least = any_upper;
        for (unsigned sides = 0; sides < (1U << n); ++sides) {
            const auto with_u = [&](Vertex o) { return (sides >> o & 1U) != 0; };
            if (!with_u(edge.u) || with_u(edge.v)) continue;
            double cost = 0;
            Vertex beyond = 0;
            for (Vertex o = 0; o < n; ++o) {
                cost -= prices[index(with_u(o) ? edge.v : edge.u)][o];
                if (with_u(o) == with_u(root)) continue;
                ++beyond;
                cost += hop[index(o)] + edge.weight * length[index(o)];
            }
            least = std::min(least, cost + edge.weight * price[index(beyond)]);
        }
        const auto costs = side_costs_of_counts(root, price);
        costs->set_prices(prices);
        costs->set_path_prices(hop, length);
        std::vector<char> side;
        EXPECT_NEAR(costs->least(edge, side), least, 1e-9);
        EXPECT_LE(costs->floor(edge), least + 1e-9);
        EXPECT_EQ(side[1], 1);
        EXPECT_EQ(side[2], 0);
    }
}

TEST(SideRelaxation, IsNoDearerThanAnyTreeAtAnyPrices) {
    Random random(2);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Instance instance =
            generate({.shape = pair_shapes[seed % 5], .n = 6, .average_degree = 3.5, .seed = seed});
        const auto problem = make_problem("mrcst", instance);
        const double optimum = *testing::optimum(*problem);
        const auto costs = side_costs_of_masses(std::vector<double>(6, 1.0));
        SideRelaxation relaxation(6, instance.weights.edges(), *costs);
        EdgeChoice choice;
        for (std::size_t e = 0; e < relaxation.edges().size(); ++e) choice.open.push_back(static_cast<int>(e));
        const auto prices = random_prices(6, 5 * random.uniform(), random);
        relaxation.begin(prices, choice);
        std::int64_t looks = 1;  // too few: the work is taken up again
        while (!relaxation.advance(looks, StopToken())) looks = 1;
        EXPECT_LE(relaxation.value(), optimum * (1 + 1e-12));
        EXPECT_EQ(relaxation.tree().size(), 5U);
        // No tree that is cheaper than half as much again loses an edge.
        relaxation.drop_dear(1.5 * optimum - relaxation.value(), choice, StopToken());
        testing::for_each_tree({0, 1, 2, 3, 4, 5}, [&](const Tree& tree) {
            if (problem->violation(tree) || problem->cost(tree) >= 1.5 * optimum) return;
            for (const auto& [u, v] : tree.edges) {
                const auto holds = [&, u = u, v = v](int e) {
                    const WeightedEdge& edge = relaxation.edges()[static_cast<std::size_t>(e)];
                    return (edge.u == u && edge.v == v) || (edge.u == v && edge.v == u);
                };
                EXPECT_TRUE(std::ranges::any_of(choice.open, holds));
            }
        });
    }
}

TEST(SideRelaxation, FindsTheSameTreesWhateverItKnowsFromOtherPrices) {
    Random random(4);
    const Instance instance = generate({.n = 14, .requirements = true, .seed = 9});
    for (const bool routes : {true, false}) {
        const auto costs = [&] {
            return routes ? side_costs_of_masses(std::vector<double>(14, 1.0))
                          : side_costs_of_requirements(14, instance.requirements);
        };
        const auto value = [](SideRelaxation& relaxation, const PaddedTable& prices, const EdgeChoice& choice) {
            std::int64_t looks = std::numeric_limits<std::int64_t>::max();
            relaxation.begin(prices, choice);
            EXPECT_TRUE(relaxation.advance(looks, StopToken()));
            return relaxation.value();
        };
        const auto shared = costs();
        SideRelaxation experienced(14, instance.weights.edges(), *shared);
        PaddedTable prices = random_prices(14, 4, random);
        for (int step = 0; step < 200; ++step) {
            const PaddedTable change = random_prices(14, 0.1 * random.uniform(), random);
            for (std::size_t k = 0; k < change.numbers().size(); ++k) prices.numbers()[k] += change.numbers()[k];
            EdgeChoice choice;
            for (int e = 0; e < 91; ++e) {
                if (random.below(8) != 0) choice.open.push_back(e);
            }
            const auto own = costs();
            SideRelaxation fresh(14, instance.weights.edges(), *own);
            const double expected = value(fresh, prices, choice);
            EXPECT_NEAR(value(experienced, prices, choice), expected, 1e-9);
            EXPECT_TRUE(std::ranges::equal(experienced.tree(), fresh.tree()));
        }
    }
}

/// Runs the bound to its end, which has to be the optimum.
void expect_the_optimum(const Problem& problem, double upper, const std::string& what) {
    const auto optimum = testing::optimum(problem);
    const auto bound = make_pair_cost_bound(problem);
    ASSERT_TRUE(bound) << what;
    double before = 0;
    int slices = 0;
    for (bool more = true; more && slices < 10000; ++slices) {
        more = bound->advance(upper, StopToken());
        ASSERT_GE(bound->value(), before) << what;
        before = bound->value();
        if (optimum) {
            ASSERT_LE(bound->value(), *optimum * (1 + 1e-9)) << what;
        }
    }
    if (!optimum) return;
    EXPECT_TRUE(proven(*optimum, bound->value())) << what << ": " << bound->value() << " of " << *optimum;
    if (upper > *optimum) {
        ASSERT_TRUE(bound->tree()) << what;
        EXPECT_FALSE(problem.violation(*bound->tree())) << what;
        EXPECT_NEAR(problem.cost(*bound->tree()), *optimum, 1e-9 * *optimum) << what;
    }
}

TEST(PairCostBound, EndsWithTheOptimum) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Vertex n = 3 + static_cast<Vertex>(seed % 4);
        const Instance instance = generate({.shape = pair_shapes[seed % 5],
                                            .n = n,
                                            .scale = seed % 3 == 0 ? 10.0 : 1.0,
                                            .integers = seed % 3 == 0,
                                            .average_degree = 3.5,
                                            .requirements = true,
                                            .seed = seed});
        const std::string what = "seed " + std::to_string(seed);
        for (const char* name : {"mrcst", "ocst"}) {
            const auto problem = make_problem(name, instance);
            expect_the_optimum(*problem, any_upper, what + name);
            expect_the_optimum(*problem, *testing::optimum(*problem), what + name + " told");
        }
        TreeSpec heavy{.objective = Objective::routing_cost};
        Random random(seed);
        for (Vertex v = 0; v < n; ++v) heavy.masses.push_back(static_cast<double>(random.below(5)));
        expect_the_optimum(Problem(instance, heavy), any_upper, what + " masses");
    }
}

TEST(PairCostBound, EndsWithTheOptimumUnderLimits) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Instance instance =
            generate({.shape = seed % 2 == 0 ? Shape::uniform : Shape::matrix, .n = 6, .seed = seed});
        const std::string what = "seed " + std::to_string(seed);
        TreeSpec spec{.objective = Objective::routing_cost};
        spec.degrees.assign(6, 3);
        expect_the_optimum(Problem(instance, spec), any_upper, what + " degree");
        spec.root = 0;
        spec.capacity = 3;
        expect_the_optimum(Problem(instance, spec), any_upper, what + " degree, capacity");
        spec.degrees.clear();
        spec.included_edges = {{1, 2}, {3, 4}};
        spec.excluded_edges = {{0, 1}, {0, 5}};
        expect_the_optimum(Problem(instance, spec), any_upper, what + " edges");
    }
}

TEST(PairCostBound, EndsWithTheOptimumOfSeveralLimits) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Instance instance =
            generate({.shape = seed % 2 == 0 ? Shape::uniform : Shape::matrix, .n = 6, .seed = seed});
        for (const Objective objective : {Objective::length, Objective::cables, Objective::routing_cost}) {
            TreeSpec spec{.objective = objective, .root = static_cast<Vertex>(seed % 6)};
            if (objective == Objective::cables) spec.cables = {{1, 1}, {3, 1.7}};
            const std::string what = "seed " + std::to_string(seed) + " " + describe(spec, instance);
            spec.capacity = 3;
            expect_the_optimum(Problem(instance, spec), any_upper, what + ", capacity");
            spec.hops = 2;
            expect_the_optimum(Problem(instance, spec), any_upper, what + ", hops, capacity");
            spec.capacity.reset();
            spec.degrees.assign(6, 3);
            expect_the_optimum(Problem(instance, spec), any_upper, what + ", hops, degree");
            spec.hops.reset();
            spec.length = 1.0;
            expect_the_optimum(Problem(instance, spec), any_upper, what + ", length, degree");
        }
    }
}

TEST(PairCostBound, ProvesTreesOfTwentyPoints) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Instance instance = generate({.n = 20, .requirements = seed % 2 == 0, .seed = seed});
        const auto problem = make_problem(seed % 2 == 0 ? "ocst" : "mrcst", instance);
        const auto bound = make_pair_cost_bound(*problem);
        int slices = 0;
        while (bound->advance(any_upper, StopToken()) && slices < 3000) ++slices;
        ASSERT_LT(slices, 3000) << seed;
        ASSERT_TRUE(bound->tree());
        EXPECT_TRUE(proven(problem->cost(*bound->tree()), bound->value()));
    }
}

TEST(PairCostBound, StopsWhenAskedTo) {
    const Instance instance = generate({.n = 60, .requirements = true, .seed = 3});
    const auto problem = make_problem("ocst", instance);
    const auto bound = make_pair_cost_bound(*problem);
    EXPECT_TRUE(bound->advance(any_upper, StopToken(std::nullopt, [] { return true; })));
    EXPECT_EQ(bound->value(), 0);
}

TEST(PairCostBound, IsForCostsOfPairsOfAllVertices) {
    const Instance instance = generate({.n = 10, .terminals = 4, .seed = 1});
    EXPECT_FALSE(make_pair_cost_bound(Problem(instance)));
    EXPECT_FALSE(make_pair_cost_bound(*make_problem("hmst", instance, {.root = 0, .hops = 3})));
    EXPECT_FALSE(make_pair_cost_bound(*make_problem("stp", instance)));
    EXPECT_TRUE(make_pair_cost_bound(*make_problem("mrcst", instance)));
}

}  // namespace
}  // namespace neuroprim
