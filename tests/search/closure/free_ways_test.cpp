#include "search/closure/free_ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "neuroprim/random.hpp"
#include "search/closure/street_problems.hpp"

namespace neuroprim {
namespace {

/// The weight of the lightest way from `source` that leads through free vertices only: Bellman and Ford's algorithm.
std::vector<double> plain_ways(const Weights& weights, const std::vector<int>& place, int source) {
    std::vector<double> length(index(weights.size()), Weights::infinity);
    for (std::size_t v = 0; v < length.size(); ++v) {
        if (place[v] == source) length[v] = 0;
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (const auto& [a, b, weight] : weights.edges()) {
            for (const auto& [u, v] : {Edge{a, b}, Edge{b, a}}) {
                const bool may_leave = place[index(u)] == source || place[index(u)] == FreeWays::free;
                const bool may_enter = place[index(v)] != FreeWays::closed && place[index(v)] != source;
                if (!may_leave || !may_enter || length[index(u)] + weight >= length[index(v)]) continue;
                length[index(v)] = length[index(u)] + weight;
                changes = true;
            }
        }
    }
    return length;
}

TEST(FreeWays, AreTheLightestOnesThroughFreeVertices) {
    constexpr int parts = 6;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Instance streets = testing::chained_streets(7, seed);
        const Weights& weights = streets.weights;
        Random random(seed);
        std::vector<int> place(index(weights.size()), FreeWays::free);
        for (int& here : place) {
            if (random.below(10) == 0) here = FreeWays::closed;
        }
        for (int part = 0; part < parts; ++part) place[random.below(place.size())] = part;
        FreeWays ways(weights, place, {}, {});
        for (int part = 0; part < parts; ++part) {
            std::vector<Vertex> sources;
            for (std::size_t v = 0; v < place.size(); ++v) {
                if (place[v] == part) sources.push_back(static_cast<Vertex>(v));
            }
            if (sources.empty()) continue;
            const std::vector<double> expected = plain_ways(weights, place, part);
            ways.search(sources);
            std::set<int> met;
            for (const Vertex v : ways.met()) {
                met.insert(place[index(v)]);
                EXPECT_NEAR(ways.weight(v), expected[index(v)], 1e-9);
                const std::vector<Vertex> back = ways.way_back(v);
                double weight = 0;
                for (std::size_t k = 1; k < back.size(); ++k) weight += weights(back[k - 1], back[k]);
                EXPECT_NEAR(weight, ways.weight(v), 1e-9);
                EXPECT_EQ(place[index(back.back())], part);
            }
            for (std::size_t v = 0; v < place.size(); ++v) {
                if (place[v] >= 0 && place[v] != part && expected[v] < Weights::infinity) {
                    EXPECT_TRUE(met.contains(place[v]));
                }
            }
        }
    }
}

TEST(FreeWays, EndWhenTheyHaveSeenEnough) {
    const Instance streets = testing::chained_streets(7, 1);
    FreeWays ways(streets.weights, std::vector<int>(index(streets.size()), FreeWays::free), {}, {});
    int seen = 0;
    ways.search(std::vector<Vertex>{0}, [&](Vertex) { return ++seen == 5; });
    EXPECT_EQ(ways.reached().size(), 5U);
    EXPECT_TRUE(std::is_sorted(ways.reached().begin(), ways.reached().end(),
                               [&](Vertex a, Vertex b) { return ways.weight(a) < ways.weight(b); }));
}

TEST(FreeWays, TakeFewerEdgesWhereTheseHaveAPrice) {
    // From 0 to 3 by three light edges or by a heavier one.
    const Weights weights = Weights::from_edges(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 3, 5}});
    const std::vector<int> place = {0, FreeWays::free, FreeWays::free, 1};
    FreeWays light(weights, place, {}, {});
    light.search(std::vector<Vertex>{0});
    EXPECT_EQ(light.weight(3), 3);
    FreeWays short_ones(weights, place, {}, {.edge = 2});
    short_ones.search(std::vector<Vertex>{0});
    EXPECT_EQ(short_ones.weight(3), 5);
    EXPECT_EQ(short_ones.way_back(3), (std::vector<Vertex>{3, 0}));
}

}  // namespace
}  // namespace neuroprim
