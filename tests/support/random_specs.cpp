#include "support/random_specs.hpp"

#include <algorithm>
#include <array>

#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim::testing {

namespace {

using Shape = GenerateOptions::Shape;

constexpr std::array shapes = {Shape::uniform, Shape::clustered, Shape::grid, Shape::matrix, Shape::sparse};

TreeSpec random_spec(const Instance& instance, Random& random) {
    const Vertex n = instance.size();
    const auto below = [&](int count) { return static_cast<int>(random.below(static_cast<std::uint64_t>(count))); };
    const auto chance = [&](int of) { return below(of) == 0; };
    TreeSpec spec;
    if (!chance(3)) spec.root = below(n);
    switch (below(6)) {
        case 0:
            spec.coverage = Coverage::terminals;
            for (Vertex v = 0; v < n; ++v) {
                if (chance(2)) spec.terminals.push_back(v);
            }
            if (spec.terminals.empty()) spec.terminals.push_back(0);
            break;
        case 1:
            spec.coverage = Coverage::groups;
            for (Vertex v = 0; v < n; ++v) spec.groups.push_back(v < 3 ? v : below(4) - 1);
            break;
        case 2:
            spec.coverage = Coverage::optional;
            for (Vertex v = 0; v < n; ++v) spec.prizes.push_back(50 * random.uniform());
            break;
        default:
            spec.objective = std::array{Objective::length, Objective::length, Objective::routing_cost,
                                        Objective::communication}[static_cast<std::size_t>(below(4))];
            if (spec.root && chance(3)) spec.objective = Objective::cables;
    }
    if (chance(2)) {
        for (Vertex v = 0; v < n; ++v) spec.degrees.push_back(1 + below(3) + (v == spec.root ? 1 : 0));
    }
    if (chance(3)) spec.diameter = 2 + below(4);
    if (spec.root) {
        double longest = 0;
        for (const auto& [u, v, weight] : instance.weights.edges()) longest = std::max(longest, weight);
        if (chance(2)) spec.hops = 1 + below(4);
        if (chance(3)) spec.length = longest * (0.7 + random.uniform());
        if (chance(2)) spec.capacity = 3 + below(4);
        if (chance(3)) {
            for (Vertex v = 0; v < n; ++v) spec.demands.push_back(chance(4) ? 0 : 3 * random.uniform());
        }
        if (spec.objective == Objective::cables) spec.cables = {{2, 1}, {4, 1.4}, {20, 3}};
    }
    if (spec.coverage == Coverage::all && chance(4)) {
        const auto edges = instance.weights.edges();
        const auto& [u, v, weight] = edges[static_cast<std::size_t>(below(static_cast<int>(edges.size())))];
        spec.included_edges = {{std::min(u, v), std::max(u, v)}};
    }
    return spec;
}

}  // namespace

Asked random_question(Vertex n, std::uint64_t seed) {
    Asked asked{
        generate({.shape = shapes[seed % 5], .n = n, .average_degree = 3.5, .requirements = true, .seed = seed}), {}};
    Random random(seed);
    for (;;) {
        asked.spec = random_spec(asked.instance, random);
        try {
            check(asked.spec, asked.instance);
            return asked;
        } catch (const InputError&) {
            // another one
        }
    }
}

}  // namespace neuroprim::testing
