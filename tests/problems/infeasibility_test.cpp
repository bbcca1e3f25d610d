#include <gtest/gtest.h>

#include <set>

#include "graph/disjoint_sets.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "problems/cut_vertices.hpp"
#include "support/instances.hpp"

namespace neuroprim {
namespace {

using testing::of_edges;

const Instance& path_of_five() {
    static const Instance path = of_edges(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}});
    return path;
}

const Instance& ten_points() {
    static const Instance points = [] {
        std::vector<Point> line;
        for (int k = 0; k < 10; ++k) line.push_back({static_cast<double>(k), 0});
        return testing::of_points(line);
    }();
    return points;
}

TEST(Infeasibility, OfFewHopsOrASmallDiameterWithALowDegree) {
    // The root, 2 at its side, and 2 behind each: 1 + 2 + 2.
    TreeSpec spec{.root = 0, .degrees = std::vector<int>(10, 2), .hops = 2};
    EXPECT_EQ(infeasibility(spec, ten_points()),
              "a tree with degree ≤ 2 and hops ≤ 2 holds at most 5 vertices, 10 must be in");
    spec.degrees.assign(10, 3);  // 1 + 3 + 6
    EXPECT_EQ(infeasibility(spec, ten_points()), std::nullopt);

    TreeSpec wide{.degrees = std::vector<int>(10, 3), .diameter = 3};  // an edge, and two more at each end
    EXPECT_EQ(infeasibility(wide, ten_points()),
              "a tree with degree ≤ 3 and diameter ≤ 3 holds at most 6 vertices, 10 must be in");
    wide.diameter = 4;  // 1 + 3 + 6
    EXPECT_EQ(infeasibility(wide, ten_points()), std::nullopt);
}

TEST(Infeasibility, OfADiameterBelowWhatTheGraphHas) {
    TreeSpec spec{.diameter = 3};
    EXPECT_EQ(infeasibility(spec, path_of_five()),
              "vertices 0 and 4 are 4 hops apart on any path, the diameter is limited to 3");
    spec.diameter = 4;
    EXPECT_EQ(infeasibility(spec, path_of_five()), std::nullopt);
    spec.diameter = 1;
    EXPECT_EQ(infeasibility(spec, ten_points()), "a tree of diameter 1 has two vertices, more must be in");
}

TEST(Infeasibility, CountsRequiredVerticesOnly) {
    const TreeSpec spec{.coverage = Coverage::terminals, .root = 0, .hops = 2, .terminals = {0, 2}};
    EXPECT_EQ(infeasibility(spec, path_of_five()), std::nullopt);
    const TreeSpec far{.coverage = Coverage::terminals, .root = 0, .hops = 2, .terminals = {0, 3}};
    EXPECT_EQ(infeasibility(far, path_of_five()), "vertex 3 is 3 hops from root 0 on any path, the limit is 2");
    const TreeSpec nothing{.coverage = Coverage::optional, .diameter = 2, .prizes = std::vector<double>(5, 1)};
    EXPECT_EQ(infeasibility(nothing, path_of_five()), std::nullopt);
}

TEST(Infeasibility, OfLengthsThatNoWayKeeps) {
    TreeSpec spec{.root = 0, .length = 3.5};
    EXPECT_EQ(infeasibility(spec, path_of_five()), "vertex 4 is 4 from root 0 on the shortest way, the limit is 3.5");
    spec.length = 4;
    EXPECT_EQ(infeasibility(spec, path_of_five()), std::nullopt);
}

TEST(Infeasibility, NamesTheVertexThatNeedsTheLargestLimit) {
    const TreeSpec spec{.root = 0, .hops = 2};
    EXPECT_EQ(infeasibility(spec, path_of_five()), "vertex 4 is 4 hops from root 0 on any path, the limit is 2");
}

TEST(Infeasibility, OfADegreeWhereTheGraphHangsTogether) {
    // Three leaves and a triangle around vertex 0.
    const Instance hub = of_edges(6, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {0, 5, 1}, {4, 5, 1}});
    TreeSpec spec{.degrees = std::vector<int>(6, 3)};
    EXPECT_EQ(
        infeasibility(spec, hub),
        "without vertex 0 what must be in the tree falls into 4 parts, so it needs 4 edges there, and its degree "
        "limit is 3");
    spec.degrees[0] = 4;
    EXPECT_EQ(infeasibility(spec, hub), std::nullopt);
    const TreeSpec some{
        .coverage = Coverage::terminals, .degrees = std::vector<int>(6, 3), .terminals = {0, 1, 2, 5}};
    EXPECT_EQ(infeasibility(some, hub), std::nullopt) << "nobody asks for the third leaf";
}

TEST(CutVertices, SeparateWhatIsLeftWhenTheyAreTakenOut) {
    Random random(11);
    for (int round = 0; round < 200; ++round) {
        const Vertex n = 2 + static_cast<Vertex>(random.below(9));
        std::vector<WeightedEdge> edges;
        for (Vertex v = 1; v < n; ++v) edges.push_back({static_cast<Vertex>(random.below(index(v))), v, 1});
        for (Vertex v = 0; v < n / 2; ++v) {
            const auto u = static_cast<Vertex>(random.below(index(n)));
            const auto w = static_cast<Vertex>(random.below(index(n)));
            if (u != w) edges.push_back({u, w, 1});
        }
        const Weights graph = Weights::from_edges(n, edges);
        std::vector<bool> required(index(n));
        for (std::size_t v = 0; v < required.size(); ++v) required[v] = random.below(3) > 0;
        const std::vector<int> found = parts_without(graph, required);
        for (Vertex out = 0; out < n; ++out) {
            DisjointSets parts(n);
            for (const auto& [u, v, weight] : graph.edges()) {
                if (u != out && v != out) parts.join(u, v);
            }
            std::set<Vertex> roots;
            for (Vertex v = 0; v < n; ++v) {
                if (v != out && required[index(v)]) roots.insert(parts.find(v));
            }
            EXPECT_EQ(found[index(out)], static_cast<int>(roots.size())) << "round " << round << ", vertex " << out;
        }
    }
}

TEST(Infeasibility, OfDemandsThatTheBranchesAtTheRootCannotCarry) {
    TreeSpec spec{.root = 0, .degrees = std::vector<int>(10, 2), .capacity = 4};
    EXPECT_EQ(infeasibility(spec, ten_points()), "the demands add up to 9, but 2 branches at root 0 carry 4 each");
    spec.capacity = 5;
    EXPECT_EQ(infeasibility(spec, ten_points()), std::nullopt);
}

}  // namespace
}  // namespace neuroprim
