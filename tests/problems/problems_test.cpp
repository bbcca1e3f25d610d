#include <gtest/gtest.h>

#include <cmath>

#include "adding-a-problem/capacitated_mst.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"
#include "support/tree_of_size.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::of_edges;
using testing::optimum;
using testing::paper_example;

TEST(PaperExample, MstAndPathOfDegreeTwoCostThreePlusHalfRootFive) {
    const Instance instance = paper_example();
    EXPECT_NEAR(*optimum(*make_problem("mst", instance)), 3 + std::sqrt(5) / 2, 1e-12);
    EXPECT_NEAR(*optimum(*make_problem("dcmst", instance, {.degree = 2})), 3 + std::sqrt(5) / 2, 1e-12);
}

TEST(PaperExample, RoutingCostIsEightPlusFourRootTwoPlusTwoRootFive) {
    const Instance instance = paper_example();
    EXPECT_NEAR(*optimum(*make_problem("mrcst", instance)), 8 + 4 * std::sqrt(2) + 2 * std::sqrt(5), 1e-12);
}

TEST(PaperExample, SteinerTreeCostsTwoPlusHalfRootFive) {
    Instance instance = paper_example();
    instance.terminals = {1, 3, 4};
    EXPECT_NEAR(*optimum(*make_problem("stp", instance)), 2 + std::sqrt(5) / 2, 1e-12);
}

/// What each problem says of a tree, written out a second time from the problem's definition.
struct Judge {
    const char* problem;
    ProblemOptions options;
    std::function<bool(const Instance&, const Tree&)> feasible;
    std::function<double(const Instance&, const Tree&)> cost;
};

double sum_of_weights(const Instance& instance, const Tree& tree) {
    double sum = 0;
    for (const auto& [u, v] : tree.edges) sum += instance.weights(u, v);
    return sum;
}

std::vector<std::vector<double>> tree_distances(const Instance& instance, const Tree& tree, bool hops) {
    const auto n = static_cast<std::size_t>(instance.size());
    std::vector<std::vector<double>> d(n, std::vector<double>(n, 1e18));
    for (std::size_t v = 0; v < n; ++v) d[v][v] = 0;
    for (const auto& [u, v] : tree.edges) {
        const auto a = static_cast<std::size_t>(u);
        const auto b = static_cast<std::size_t>(v);
        d[a][b] = d[b][a] = hops ? 1 : instance.weights(u, v);
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
        }
    }
    return d;
}

bool in_graph(const Instance& instance, const Tree& tree) {
    return std::all_of(tree.edges.begin(), tree.edges.end(),
                       [&](const Edge& edge) { return instance.weights.has_edge(edge.u, edge.v); });
}

double weighted_distances(const Instance& instance, const Tree& tree, bool with_requirements) {
    const auto d = tree_distances(instance, tree, false);
    double sum = 0;
    for (Vertex u = 0; u < instance.size(); ++u) {
        for (Vertex v = 0; v < u; ++v) {
            const double r = with_requirements ? instance.requirements[pair_index(u, v)] : 1;
            sum += r * d[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)];
        }
    }
    return sum;
}

std::vector<Judge> judges() {
    const auto degree_at_most = [](int limit) {
        return [limit](const Instance& instance, const Tree& tree) {
            const auto degree = degrees(tree, instance.size());
            return in_graph(instance, tree) && *std::max_element(degree.begin(), degree.end()) <= limit;
        };
    };
    const auto at_most_two_hops = [](const Instance& instance, const Tree& tree) {
        const auto hops = tree_distances(instance, tree, true)[1];
        return in_graph(instance, tree) && *std::max_element(hops.begin(), hops.end()) <= 2;
    };
    return {{"mst", {}, in_graph, sum_of_weights},
            {"dcmst", {.degree = 2}, degree_at_most(2), sum_of_weights},
            {"dcmst", {.degree = 3}, degree_at_most(3), sum_of_weights},
            {"mrcst", {}, in_graph, [](const auto& i, const auto& t) { return weighted_distances(i, t, false); }},
            {"ocst", {}, in_graph, [](const auto& i, const auto& t) { return weighted_distances(i, t, true); }},
            {"stp", {}, in_graph, sum_of_weights},
            {"hmst", {.root = 1, .hops = 2}, at_most_two_hops, sum_of_weights}};
}

TEST(EveryProblem, AgreesWithItsDefinitionOnAllTreesOfSmallGraphs) {
    for (const auto& judge : judges()) {
        for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
            for (const Vertex n : {2, 4, 6}) {
                const Instance instance = generate({.shape = shape,
                                                    .n = n,
                                                    .terminals = std::min<Vertex>(n, 3),
                                                    .requirements = true,
                                                    .seed = static_cast<std::uint64_t>(n)});
                const auto problem = make_problem(judge.problem, instance, judge.options);
                testing::for_each_candidate(*problem, [&](const Tree& tree) {
                    const auto violation = problem->violation(tree);
                    ASSERT_EQ(!violation, judge.feasible(instance, tree)) << judge.problem << violation.value_or("");
                    if (violation) return;
                    const double expected = judge.cost(instance, tree);
                    ASSERT_NEAR(problem->cost(tree), expected, 1e-9 * (1 + expected)) << judge.problem;
                });
            }
        }
    }
}

/// Adds random allowed edges till the tree is finished; false in a dead end.
bool grow_at_random(Construction& state, Random& random) {
    while (!state.may_stop()) {
        std::vector<Edge> allowed;
        for (const Vertex u : state.open()) {
            for (const Vertex v : state.outside()) {
                if (state.allows(u, v)) allowed.push_back({u, v});
            }
        }
        if (allowed.empty()) return false;
        const Edge edge = allowed[random.below(allowed.size())];
        state.add(edge.u, edge.v);
    }
    return true;
}

TEST(EveryProblem, RandomGrowthOnCompleteGraphsAlwaysEndsInAFeasibleTree) {
    Random random(5);
    for (const auto& judge : judges()) {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const auto n = static_cast<Vertex>(1 + seed % 9);
            const Instance instance =
                generate({.n = n, .terminals = static_cast<Vertex>(1 + n / 2), .requirements = true, .seed = seed});
            if (judge.options.root.value_or(0) >= n) continue;
            const auto problem = make_problem(judge.problem, instance, judge.options);
            const auto starts = problem->starts();
            Construction state(*problem, starts[random.below(starts.size())]);
            ASSERT_TRUE(grow_at_random(state, random)) << judge.problem;
            EXPECT_EQ(problem->violation(problem->pruned(state.tree())), std::nullopt);
        }
    }
}

TEST(Dcmst, LimitsPerVertexNeverLeadIntoADeadEndWhenTheyAddUp) {
    Random random(11);
    for (int round = 0; round < 300; ++round) {
        const auto n = static_cast<Vertex>(2 + random.below(7));
        Instance instance = generate({.n = n, .seed = static_cast<std::uint64_t>(round)});
        long sum = 0;
        for (Vertex v = 0; v < n; ++v) {
            instance.degree_limits.push_back(static_cast<int>(1 + random.below(3)));
            sum += instance.degree_limits.back();
        }
        const auto problem = make_problem("dcmst", instance);
        ASSERT_EQ(problem->infeasibility_certificate().has_value(), sum < 2 * (n - 1));
        if (problem->infeasibility_certificate()) continue;
        Construction state(*problem, static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n))));
        ASSERT_TRUE(grow_at_random(state, random));
        EXPECT_EQ(problem->violation(state.tree()), std::nullopt);
    }
}

TEST(Violation, NamesDegreeTerminalHopsAndMissingVertices) {
    Instance instance = paper_example();
    instance.terminals = {1, 4};
    const Tree star{0, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}};
    const Tree path{1, {{1, 2}, {2, 3}, {3, 0}}};
    const auto says = [&](const char* problem, const ProblemOptions& options, const Tree& tree) {
        return make_problem(problem, instance, options)->violation(tree).value_or("valid");
    };
    EXPECT_EQ(says("dcmst", {.degree = 3}, star), "degree 4 > 3 at vertex 0");
    EXPECT_EQ(says("dcmst", {.degree = 4}, star), "valid");
    EXPECT_EQ(says("mst", {}, path), "not connected: vertex 4 is not in the tree");
    EXPECT_EQ(says("stp", {}, path), "terminal 4 is missing");
    EXPECT_EQ(says("hmst", {.root = 1, .hops = 1}, star), "vertex 2 is 2 hops from root 1, the limit is 1");
    EXPECT_EQ(says("hmst", {.root = 1, .hops = 2}, star), "valid");
}

TEST(Violation, DoesNotDependOnTheOrderOrDirectionOfEdges) {
    Instance instance = paper_example();
    instance.terminals = {1, 4};
    const Tree backwards{2, {{4, 0}, {2, 3}, {1, 0}, {3, 0}}};
    EXPECT_EQ(make_problem("mst", instance)->violation(backwards), std::nullopt);
    EXPECT_EQ(make_problem("stp", instance)->violation(backwards), std::nullopt);
    EXPECT_EQ(make_problem("hmst", instance, {.root = 0, .hops = 2})->violation(backwards), std::nullopt);
}

TEST(Violation, OfATreeThatGrowsAsListedIsThatOfItsEdgesInAnyOrder) {
    // The first kind is judged in one pass; all others the long way round.
    Random random(8);
    int feasible = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Instance instance = generate({.n = 12, .terminals = 12, .seed = seed});
        Tree tree{static_cast<Vertex>(random.below(12)), {}};
        std::vector<Vertex> inside = {tree.start};
        for (Vertex v = 0; v < 12; ++v) {
            if (v == tree.start) continue;
            tree.edges.push_back({inside[random.below(inside.size())], v});
            inside.push_back(v);
        }
        Tree shuffled = tree;
        for (std::size_t k = shuffled.edges.size(); k > 1; --k) {
            std::swap(shuffled.edges[k - 1], shuffled.edges[random.below(k)]);
        }
        const ProblemOptions options{.degree = 4, .root = tree.start, .hops = 5};
        for (const char* name : {"mst", "dcmst", "hmst", "stp", "mrcst"}) {
            const auto problem = testing::classic_problem(name, instance, options);
            EXPECT_EQ(problem->violation(tree), problem->violation(shuffled)) << name;
            if (!problem->violation(tree)) ++feasible;
        }
    }
    EXPECT_GT(feasible, 1000);
    EXPECT_LT(feasible, 1450);
}

/// A problem of one's own that forgot to say where trees may start.
class NowhereToStart final : public Problem {
public:
    using Problem::Problem;
    [[nodiscard]] std::string_view name() const override { return "nowhere"; }
    [[nodiscard]] std::vector<Vertex> starts() const override { return {}; }
};

TEST(Violation, SaysThatAProblemNamesNoStart) {
    const Instance instance = testing::paper_example();
    const NowhereToStart problem(instance);
    const Tree path{0, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}};
    EXPECT_EQ(problem.violation(path), "the problem names no vertex to start from");
    for (const char* method : {"", "prim", "greedy"}) {
        try {
            (void)solve(problem, {.method = method});
            ADD_FAILURE() << method;
        } catch (const InputError& error) {
            EXPECT_STREQ(error.what(), "nowhere names no vertex to start from") << method;
        }
    }
}

TEST(Violation, SeesThatATreeIsNotFinished) {
    const Instance instance = generate({.n = 5, .seed = 1});
    const testing::TreeOfSize problem(instance, 3);
    EXPECT_EQ(problem.violation({0, {{0, 1}}}), "the tree is not finished");
    EXPECT_EQ(problem.violation({0, {{0, 1}, {1, 2}}}), std::nullopt);
}

TEST(Obstacle, SeesWhatCannotBeFeasible) {
    const Instance parts = of_edges(4, {{0, 1, 1}, {2, 3, 1}});
    EXPECT_EQ(make_problem("mst", parts)->infeasibility_certificate(),
              "the graph is not connected: no path joins vertices 0 and 2");
    const Instance path = of_edges(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
    EXPECT_EQ(make_problem("hmst", path, {.root = 0, .hops = 2})->infeasibility_certificate(),
              "vertex 3 is 3 hops from root 0 on any path, the limit is 2");
    EXPECT_EQ(make_problem("hmst", path, {.root = 1, .hops = 2})->infeasibility_certificate(), std::nullopt);
    EXPECT_EQ(make_problem("dcmst", path, {.degree = 1})->infeasibility_certificate(),
              "the degree limits add up to 4, a tree of 4 vertices needs 6");
    Instance steiner = parts;
    steiner.terminals = {0, 1};
    EXPECT_EQ(make_problem("stp", steiner)->infeasibility_certificate(), std::nullopt);
}

TEST(MakeProblem, SaysWhatIsMissing) {
    const Instance instance = paper_example();
    EXPECT_THROW((void)make_problem("tsp", instance), InputError);
    EXPECT_THROW((void)make_problem("dcmst", instance), InputError);
    EXPECT_THROW((void)make_problem("dcmst", instance, {.degree = 0}), InputError);
    EXPECT_THROW((void)make_problem("stp", instance), InputError);
    EXPECT_THROW((void)make_problem("ocst", instance), InputError);
    EXPECT_THROW((void)make_problem("hmst", instance), InputError);
    EXPECT_THROW((void)make_problem("hmst", instance, {.root = 5, .hops = 2}), InputError);
    EXPECT_THROW((void)make_problem("mst", Instance{}), InputError);
}

TEST(AddingAProblem, CapacityOfSubtreesIsRespectedWhileGrowingAndWhenJudging) {
    const Instance instance = generate({.n = 7, .seed = 3});
    const CapacitatedMst problem(instance, 0, 2);
    testing::for_each_candidate(problem, [&](const Tree& tree) {
        const RootedTree rooted = hang(tree, 0, 7);
        std::vector<int> load(7, 0);
        for (const Vertex v : rooted.order) {
            Vertex gate = v;
            while (gate != 0 && rooted.parent[static_cast<std::size_t>(gate)] != 0) {
                gate = rooted.parent[static_cast<std::size_t>(gate)];
            }
            if (gate != 0) ++load[static_cast<std::size_t>(gate)];
        }
        ASSERT_EQ(!problem.violation(tree), *std::max_element(load.begin(), load.end()) <= 2);
    });
}

}  // namespace
}  // namespace neuroprim
