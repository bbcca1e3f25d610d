#include "search/windows/routing_backbone.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "graph/parallel.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "neuroprim/neural.hpp"

namespace neuroprim {

namespace {

/// One under each symmetry of the square: the start hardly matters for routing cost, the symmetry does.
constexpr int trees_of_a_sample = 8;

/// Each time what hangs from the inner vertices is weighed again.
constexpr int hanging_rounds = 4;

/// Every so many of them along a curve, or by number where there are no positions; increasing.
std::vector<Vertex> spread_sample(const Problem& problem, Vertex count, double turn) {
    const auto positions = problem.instance().positions();
    std::vector<Vertex> order(index(problem.size()));
    std::iota(order.begin(), order.end(), 0);
    if (!positions.empty()) order = curve_order(positions);
    std::vector<Vertex> result;
    for (Vertex k = 0; k < count; ++k) {
        const double place = (static_cast<double>(k) + turn) / static_cast<double>(count);
        result.push_back(order[static_cast<std::size_t>(place * static_cast<double>(order.size()))]);
    }
    std::sort(result.begin(), result.end());
    return result;
}

/// The part of a tree that is left without its leaves.
struct Backbone {
    std::vector<Vertex> vertices;     // in the whole graph, parents before children
    std::vector<std::size_t> parent;  // (vertices) place; the first one has none

    /// For each of its vertices the sum over all of mass × distance in the tree, if these masses hang from it at no
    /// distance.
    [[nodiscard]] std::vector<double> distance_sums(const Weights& weights, const std::vector<double>& masses) const {
        const std::size_t n = vertices.size();
        std::vector<double> below = masses;
        std::vector<double> sums(n, 0);
        for (std::size_t k = n; k-- > 1;) {
            below[parent[k]] += below[k];
            sums[0] += below[k] * weights(vertices[k], vertices[parent[k]]);
        }
        for (std::size_t k = 1; k < n; ++k) {
            const double weight = weights(vertices[k], vertices[parent[k]]);
            sums[k] = sums[parent[k]] + (below[0] - 2 * below[k]) * weight;
        }
        return sums;
    }
};

Backbone backbone_of(const Tree& tree, const std::vector<Vertex>& sample) {
    const auto n = static_cast<Vertex>(sample.size());
    const std::vector<int> degree = degrees(tree, n);
    const auto inner = std::find_if(degree.begin(), degree.end(), [](int edges) { return edges > 1; });
    const auto first = static_cast<Vertex>(inner == degree.end() ? 0 : inner - degree.begin());
    const RootedTree rooted = hang(tree, first, n);
    std::vector<std::size_t> place(index(n), 0);
    Backbone result;
    for (const Vertex v : rooted.order) {
        if (v != first && degree[index(v)] < 2) continue;
        place[index(v)] = result.vertices.size();
        const Vertex above = rooted.parent[index(v)];
        result.parent.push_back(above == no_vertex ? 0 : place[index(above)]);
        result.vertices.push_back(sample[index(v)]);
    }
    return result;
}

}  // namespace

std::optional<Tree> tree_around_backbone(const Policy& policy, const Problem& problem, const BackboneSample& sample,
                                         int threads, const StopToken& stop) {
    const Weights& weights = problem.weights();
    const std::vector<Vertex> chosen = spread_sample(problem, std::min(sample.size, problem.size()), sample.turn);
    Instance part;
    part.weights = induced(weights, chosen);
    TreeSpec spec;
    spec.objective = Objective::routing_cost;
    const Problem sampled(part, spec, "mrcst");
    NeuralOptions asking;
    asking.starts = trees_of_a_sample;
    asking.augmentations = trees_of_a_sample;
    asking.augmentations_per_start = 1;
    asking.threads = threads;
    asking.interrupted = [&stop] { return stop.expired(); };
    Backbone backbone;
    try {
        backbone = backbone_of(solve_neurally(policy, sampled, asking).tree, chosen);
    } catch (const Interrupted&) {
        return std::nullopt;
    }

    const std::size_t n = index(problem.size());
    constexpr std::size_t of_backbone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> at(n, 0);  // place in the backbone that it hangs from
    for (const Vertex v : backbone.vertices) at[index(v)] = of_backbone;
    double total = 0;
    for (Vertex v = 0; v < problem.size(); ++v) total += problem.spec().mass(v);
    std::vector<double> sums(backbone.vertices.size(), 0);
    for (int round = 0; round < hanging_rounds; ++round) {
        if (stop.expired()) return std::nullopt;
        parallel_for(threads, n, 1024, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                if (at[k] == of_backbone) continue;
                const auto v = static_cast<Vertex>(k);
                double least = Weights::infinity;
                for (std::size_t place = 0; place < sums.size(); ++place) {
                    const double cost =
                        (total - problem.spec().mass(v)) * weights(v, backbone.vertices[place]) + sums[place];
                    if (cost >= least) continue;
                    least = cost;
                    at[k] = place;
                }
            }
        });
        std::vector<double> masses(sums.size(), 0);
        for (std::size_t k = 0; k < sums.size(); ++k) masses[k] = problem.spec().mass(backbone.vertices[k]);
        for (std::size_t k = 0; k < n; ++k) {
            if (at[k] != of_backbone) masses[at[k]] += problem.spec().mass(static_cast<Vertex>(k));
        }
        sums = backbone.distance_sums(weights, masses);
    }
    Tree tree{backbone.vertices.front(), {}};
    for (std::size_t k = 1; k < backbone.vertices.size(); ++k) {
        tree.edges.push_back({backbone.vertices[backbone.parent[k]], backbone.vertices[k]});
    }
    for (std::size_t k = 0; k < n; ++k) {
        if (at[k] != of_backbone) tree.edges.push_back({backbone.vertices[at[k]], static_cast<Vertex>(k)});
    }
    return tree;
}

}  // namespace neuroprim
