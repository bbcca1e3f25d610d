#include "problems/cut_vertices.hpp"

#include <gtest/gtest.h>

#include "neuroprim/generate.hpp"

namespace neuroprim {
namespace {

/// How many parts a flood fill finds without `v`.
int flooded_parts(const Weights& weights, Vertex v) {
    std::vector<bool> reached(index(weights.size()), false);
    reached[index(v)] = true;
    int parts = 0;
    for (Vertex u = 0; u < weights.size(); ++u) {
        if (reached[index(u)]) continue;
        ++parts;
        std::vector<Vertex> stack = {u};
        reached[index(u)] = true;
        while (!stack.empty()) {
            const Vertex w = stack.back();
            stack.pop_back();
            weights.for_each_neighbour(w, [&](Vertex x, double) {
                if (reached[index(x)]) return;
                reached[index(x)] = true;
                stack.push_back(x);
            });
        }
    }
    return parts;
}

TEST(CutVertices, CountTheWholePartsThatTheyHoldTogether) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto n = static_cast<Vertex>(2 + seed % 12);
        const Instance instance = generate({.shape = GenerateOptions::Shape::sparse,
                                            .n = n,
                                            .average_degree = std::min(2.2, n - 1.0),
                                            .seed = seed});
        const std::vector<int> parts = parts_without(instance.weights, std::vector<bool>(index(n), true));
        for (Vertex v = 0; v < n; ++v) EXPECT_EQ(parts[index(v)], flooded_parts(instance.weights, v)) << seed;
    }
}

}  // namespace
}  // namespace neuroprim
