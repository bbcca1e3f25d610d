#include <gtest/gtest.h>

#include "heuristics/construct.hpp"
#include "neuroprim/generate.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using Shape = GenerateOptions::Shape;
using testing::complaint;
using testing::construct;

Tree star_around(Vertex centre, const Problem& problem) {
    Tree tree{centre, {}};
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (v != centre && problem.required(v)) tree.edges.push_back({centre, v});
    }
    return tree;
}

TEST(Star, IsTheCheapestOfAllStars) {
    for (const char* name : {"mst", "mrcst", "ocst", "stp"}) {
        for (const Shape shape : {Shape::uniform, Shape::matrix}) {
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                const Instance instance =
                    generate({.shape = shape, .n = 15, .terminals = 6, .requirements = true, .seed = seed});
                const auto problem = make_problem(name, instance);
                double best = Weights::infinity;
                for (Vertex c = 0; c < problem->size(); ++c) {
                    best = std::min(best, problem->cost(star_around(c, *problem)));
                }
                EXPECT_NEAR(problem->cost(construct("star", *problem)), best, 1e-9) << name;
            }
        }
    }
}

/// A cost that the method knows nothing about: the longest edge.
class BottleneckTree final : public Problem {
public:
    using Problem::Problem;
    [[nodiscard]] std::string_view name() const override { return "bottleneck"; }
    [[nodiscard]] bool cost_is_total_weight() const override { return false; }
    [[nodiscard]] double cost(const Tree& tree) const override {
        double longest = 0;
        for (const auto& [u, v] : tree.edges) longest = std::max(longest, weights()(u, v));
        return longest;
    }
};

TEST(Star, AsksAnUnknownProblemForItsCost) {
    // The middle of the ends is far from the crowd around 0: best for the longest edge, bad for the sum.
    const Instance instance = testing::of_points({{0, 0}, {0.1, 0}, {0, 0.1}, {0.1, 0.1}, {5, 0}, {10, 0}});
    EXPECT_EQ(construct("star", BottleneckTree(instance)).start, 4);
    EXPECT_NE(construct("star", *make_problem("mst", instance)).start, 4);
}

TEST(Star, UsesASteinerPointAsItsCentre) {
    Instance instance = testing::of_points({{0, 0}, {2, 0}, {0, 2}, {2, 2}, {1, 1}});
    instance.terminals = {0, 1, 2, 3};
    const auto problem = make_problem("stp", instance);
    const Tree tree = construct("star", *problem);
    EXPECT_EQ(degrees(tree, 5)[4], 4);
    EXPECT_EQ(problem->violation(tree), std::nullopt);
}

TEST(Star, SitsWhereItIsToldTo) {
    const Instance instance = generate({.n = 9, .seed = 1});
    const auto problem = make_problem("mrcst", instance);
    EXPECT_EQ(construct("star", *problem, {7, 1}), star_around(7, *problem));
}

TEST(Star, KeepsTheRules) {
    const Instance instance = generate({.n = 9, .seed = 1});
    EXPECT_EQ(construct("star", *make_problem("hmst", instance, {.root = 5, .hops = 1})).start, 5);
    const auto two_hops = make_problem("hmst", instance, {.root = 5, .hops = 2});
    EXPECT_EQ(two_hops->violation(construct("star", *two_hops)), std::nullopt);
    EXPECT_EQ(complaint("star", *make_problem("dcmst", instance, {.degree = 3})).substr(0, 24),
              "no star keeps the rules:");
}

TEST(Star, SaysWhenThereIsNone) {
    const Instance instance = testing::of_edges(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
    EXPECT_EQ(complaint("star", *make_problem("mrcst", instance)),
              "there is no star: no vertex has an edge to all required others");
}

}  // namespace
}  // namespace neuroprim
