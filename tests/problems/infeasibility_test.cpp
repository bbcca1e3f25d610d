#include <gtest/gtest.h>

#include "neuroprim/problem.hpp"
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

TEST(Infeasibility, OfDemandsThatTheBranchesAtTheRootCannotCarry) {
    TreeSpec spec{.root = 0, .degrees = std::vector<int>(10, 2), .capacity = 4};
    EXPECT_EQ(infeasibility(spec, ten_points()), "the demands add up to 9, but 2 branches at root 0 carry 4 each");
    spec.capacity = 5;
    EXPECT_EQ(infeasibility(spec, ten_points()), std::nullopt);
}

}  // namespace
}  // namespace neuroprim
