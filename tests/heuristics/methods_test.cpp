#include <gtest/gtest.h>

#include <set>

#include "heuristics/construct.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::complaint;
using testing::construct;

struct Kind {
    const char* problem;
    ProblemOptions options;
};

const Kind kinds[] = {
    {"mst", {}}, {"dcmst", {.degree = 2}},        {"dcmst", {.degree = 3}}, {"mrcst", {}}, {"ocst", {}},
    {"stp", {}}, {"hmst", {.root = 0, .hops = 3}}};

const std::set<std::string_view> keep_the_rules = {"prim",        "hop-prim",    "hop-levels",
                                                   "hop-descent", "degree-prim", "star"};

bool refused(const Method& method, const Problem& problem) {
    return complaint(method.name, problem) != "built a tree";
}

/// All required vertices in one tree of the graph, whatever the limits say.
void expect_spans(const Problem& problem, const Tree& tree, std::string_view method) {
    EXPECT_EQ(structural_violation(tree, problem.weights()), std::nullopt) << method;
    const auto degree = degrees(tree, problem.size());
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (!problem.required(v) || (tree.edges.empty() && v == tree.start)) continue;
        EXPECT_GT(degree[static_cast<std::size_t>(v)], 0) << method << " leaves out vertex " << v;
    }
    Construction state(problem, tree.start);
    for (const auto& [u, v] : tree.edges) {
        ASSERT_TRUE(state.contains(u) && !state.contains(v)) << method << " does not list edges as they grow";
        state.add(u, v);
    }
}

TEST(EveryMethod, AnswersEveryProblemWithATreeThatKeepsItsPromise) {
    for (const Shape shape : {Shape::uniform, Shape::clustered, Shape::matrix, Shape::sparse}) {
        for (const Vertex n : {1, 2, 3, 4, 7, 13, 25, 40}) {
            const Instance instance = generate({.shape = shape,
                                                .n = n,
                                                .terminals = (n + 1) / 2,
                                                .average_degree = std::min(5.0, n - 1.0),
                                                .requirements = true,
                                                .seed = static_cast<std::uint64_t>(n)});
            for (const auto& kind : kinds) {
                const auto problem = make_problem(kind.problem, instance, kind.options);
                for (const Method& method : methods()) {
                    if (refused(method, *problem)) continue;
                    const Tree tree = construct(method.name, *problem);
                    expect_spans(*problem, tree, method.name);
                    if (keep_the_rules.contains(method.name)) {
                        EXPECT_EQ(problem->violation(tree), std::nullopt) << method.name << " for " << kind.problem;
                    }
                    EXPECT_EQ(construct(method.name, *problem, {no_vertex, 3}), tree) << method.name;
                }
            }
        }
    }
}

TEST(EveryMethod, AnswersOnCompleteGraphs) {
    for (const Shape shape : {Shape::uniform, Shape::matrix}) {
        for (const Vertex n : {1, 2, 3, 30}) {
            const Instance instance =
                generate({.shape = shape, .n = n, .terminals = (n + 1) / 2, .requirements = true});
            for (const auto& kind : kinds) {
                const auto problem = make_problem(kind.problem, instance, kind.options);
                for (const Method& method : methods()) {
                    if (!method.supports(*problem)) continue;
                    const bool no_star = method.name == "star" && std::string_view(kind.problem) == "dcmst" && n > 3;
                    EXPECT_EQ(refused(method, *problem), no_star) << method.name << " for " << kind.problem;
                }
            }
        }
    }
}

TEST(EveryMethod, TakesCoincidingPointsAndEqualWeights) {
    Instance coinciding = testing::of_points(std::vector<Point>(12, Point{2, 3}));
    std::vector<WeightedEdge> edges;
    for (Vertex u = 0; u < 12; ++u) {
        for (Vertex v = 0; v < u; ++v) edges.push_back({u, v, 5});
    }
    Instance equal = testing::of_edges(12, edges);
    for (Instance* instance : {&coinciding, &equal}) {
        instance->terminals = {1, 5, 9};
        instance->requirements.assign(66, 1);
        for (const auto& kind : kinds) {
            const auto problem = make_problem(kind.problem, *instance, kind.options);
            for (const Method& method : methods()) {
                if (refused(method, *problem)) continue;
                expect_spans(*problem, construct(method.name, *problem), method.name);
            }
        }
    }
}

TEST(MethodNamed, ListsTheKnownNamesWhenItKnowsNone) {
    try {
        (void)method_named("simplex");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "unknown method \"simplex\": expected one of kruskal, prim, hop-prim, hop-levels, hop-descent, "
                     "degree-prim, farthest-insertion, campos, campos-strict, shortest-path, limited-prim, "
                     "esau-williams, centre-descent, shortest-path-tree, length-blend, prize-growth, group-kruskal, "
                     "subdivision, star");
    }
}

TEST(MethodNamed, FindsEveryMethodOfTheTable) {
    std::set<std::string_view> names;
    for (const Method& method : methods()) {
        EXPECT_EQ(&method_named(method.name), &method);
        EXPECT_FALSE(method.title.empty());
        names.insert(method.name);
    }
    EXPECT_EQ(names.size(), methods().size());
}

TEST(DefaultMethod, FitsTheProblem) {
    const Instance complete = generate({.n = 6, .terminals = 3, .requirements = true});
    const Instance sparse = testing::of_edges(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
    const auto name = [](const char* problem, const Instance& instance, const ProblemOptions& options) {
        return default_method(*make_problem(problem, instance, options)).name;
    };
    EXPECT_EQ(name("mst", complete, {}), "kruskal");
    EXPECT_EQ(name("dcmst", complete, {.degree = 2}), "farthest-insertion");
    EXPECT_EQ(name("dcmst", complete, {.degree = 3}), "degree-prim");
    EXPECT_EQ(name("dcmst", sparse, {.degree = 2}), "degree-prim");
    EXPECT_EQ(name("mrcst", complete, {}), "campos");
    EXPECT_EQ(name("ocst", complete, {}), "campos");
    EXPECT_EQ(name("stp", complete, {}), "shortest-path");
    EXPECT_EQ(name("hmst", complete, {.hops = 2}), "hop-descent");
}

TEST(DefaultMethod, SolvesEveryProblemOnSparseGraphs) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Instance instance = generate({.shape = Shape::sparse,
                                            .n = 30,
                                            .terminals = 10,
                                            .average_degree = 6,
                                            .requirements = true,
                                            .seed = seed});
        for (const auto& kind : kinds) {
            const auto problem = make_problem(kind.problem, instance, kind.options);
            if (problem->infeasibility_certificate() ||
                (kind.options.degree && complaint("degree-prim", *problem) != "built a tree")) {
                continue;
            }
            const Tree tree = default_method(*problem).construct(*problem, {});
            EXPECT_EQ(problem->violation(problem->pruned(tree)), std::nullopt) << kind.problem;
        }
    }
}

}  // namespace
}  // namespace neuroprim
