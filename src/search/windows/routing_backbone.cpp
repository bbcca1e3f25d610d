#include "search/windows/routing_backbone.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "graph/parallel.hpp"
#include "heuristics/quick_paths.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "policy/planar_features.hpp"
#include "search/augmentation.hpp"

namespace neuroprim {

namespace {

/// Each time what hangs from the inner vertices is weighed again.
constexpr int hanging_rounds = 4;

/// The sample prices its trees roughly: so many of them are hung, up to this many vertices together.
constexpr std::size_t most_hung = 80'000;

/// Those with more than one edge, the most edges first.
std::vector<Vertex> inner_vertices(const Tree& tree, Vertex n) {
    const std::vector<int> degree = degrees(tree, n);
    std::vector<Vertex> result;
    for (Vertex v = 0; v < n; ++v) {
        if (degree[index(v)] > 1) result.push_back(v);
    }
    std::stable_sort(result.begin(), result.end(),
                     [&](Vertex a, Vertex b) { return degree[index(a)] > degree[index(b)]; });
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

Backbone backbone_of(const Tree& tree, Vertex n) {
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
        result.vertices.push_back(v);
    }
    return result;
}

/// Hangs every other vertex from the backbone, each where it costs least while the others stay.
std::optional<Tree> hung(const Problem& problem, const Backbone& backbone, int threads, const StopToken& stop) {
    const Weights& weights = problem.weights();
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

/// Where nothing hangs from an end of the backbone, that is a leaf and hangs as the others do. Again while there are
/// such.
std::optional<Tree> hung_anew(const Problem& problem, Backbone backbone, int threads, const StopToken& stop) {
    for (;;) {
        std::optional<Tree> tree = hung(problem, backbone, threads, stop);
        if (!tree) return tree;
        Backbone left = backbone_of(*tree, problem.size());
        if (left.vertices.size() >= backbone.vertices.size()) return tree;
        backbone = std::move(left);
    }
}

struct PricedTree {
    Tree tree;
    double cost = Weights::infinity;
};

/// Of equals the first is the best; nothing without any.
std::optional<Tree> best_of(std::vector<PricedTree> trees) {
    const auto best = std::min_element(trees.begin(), trees.end(),
                                       [](const PricedTree& a, const PricedTree& b) { return a.cost < b.cost; });
    if (best == trees.end() || best->cost == Weights::infinity) return std::nullopt;
    return std::move(best->tree);
}

/// The policy's trees on these vertices, one under each view: the start hardly matters for routing cost, the view
/// does. Cheapest first. Views that the stop token ends have none.
std::vector<PricedTree> trees_of_sample(const Policy& policy, const Problem& problem,
                                        const std::vector<Vertex>& sample, int views, int threads,
                                        const StopToken& stop) {
    Instance part;
    part.weights = induced(problem.weights(), sample);
    TreeSpec spec;
    spec.objective = Objective::routing_cost;
    const Problem sampled(part, spec, "mrcst");
    const std::function<bool()> interrupted = [&stop] { return stop.expired(); };
    const std::vector<Point> points = policy::feature_points(part, interrupted);
    std::vector<PricedTree> trees(static_cast<std::size_t>(views));
    parallel_for(threads, trees.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t view = begin; view < end; ++view) {
            EncodeOptions seen = seen_under(static_cast<int>(view));
            seen.points = points;
            seen.interrupted = interrupted;
            DecodeOptions decoding;
            decoding.log_probabilities = false;
            decoding.interrupted = interrupted;
            const std::vector<Start> start = {{static_cast<Vertex>(view * sample.size() / trees.size()), view}};
            for (Rollout& rollout : decode(Encoded(policy, sampled, seen), sampled, start, decoding)) {
                if (!rollout.complete) continue;
                trees[view] = {std::move(rollout.tree), 0};
                trees[view].cost = sampled.cost(trees[view].tree);
            }
        }
    });
    std::erase_if(trees, [](const PricedTree& tree) { return tree.cost == Weights::infinity; });
    std::stable_sort(trees.begin(), trees.end(),
                     [](const PricedTree& a, const PricedTree& b) { return a.cost < b.cost; });
    return trees;
}

}  // namespace

std::vector<Vertex> spread_sample(const Problem& problem, Vertex size, double turn, const Tree* inner_of) {
    const auto positions = problem.instance().positions();
    std::vector<Vertex> order(index(problem.size()));
    std::iota(order.begin(), order.end(), 0);
    if (!positions.empty()) order = curve_order(positions);
    std::vector<Vertex> result;
    if (inner_of != nullptr) {
        result = inner_vertices(*inner_of, problem.size());
        result.resize(std::min(result.size(), index(size) * 3 / 4));
        std::vector<bool> is_taken(order.size(), false);
        for (const Vertex v : result) is_taken[index(v)] = true;
        std::erase_if(order, [&](Vertex v) { return is_taken[index(v)]; });
    }
    const std::size_t count = std::min(index(size) - std::min(index(size), result.size()), order.size());
    for (std::size_t k = 0; k < count; ++k) {
        const double place = (static_cast<double>(k) + turn) / static_cast<double>(count);
        result.push_back(order[static_cast<std::size_t>(place * static_cast<double>(order.size()))]);
    }
    std::sort(result.begin(), result.end());
    return result;
}

std::optional<Tree> tree_around_backbone(const Policy& policy, const Problem& problem,
                                         const std::vector<Vertex>& sample, int views, int threads,
                                         const StopToken& stop) {
    std::vector<PricedTree> trees;
    try {
        trees = trees_of_sample(policy, problem, sample, views, threads, stop);
    } catch (const Interrupted&) {
        return std::nullopt;
    }
    const std::size_t most = std::clamp<std::size_t>(most_hung / index(problem.size()), 1, index(views));
    std::vector<PricedTree> whole(std::min(most, trees.size()));
    const int threads_of_tree = whole.size() > 1 ? 1 : threads;
    parallel_for(threads, whole.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            Backbone backbone = backbone_of(trees[k].tree, static_cast<Vertex>(sample.size()));
            for (Vertex& v : backbone.vertices) v = sample[index(v)];
            std::optional<Tree> tree = hung_anew(problem, std::move(backbone), threads_of_tree, stop);
            if (!tree) continue;
            whole[k].cost = problem.cost(*tree);
            whole[k].tree = std::move(*tree);
        }
    });
    return best_of(std::move(whole));
}

}  // namespace neuroprim
