#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "heuristics/hop_flattening.hpp"
#include "heuristics/hop_hubs.hpp"
#include "heuristics/hop_improvement.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/quick_paths.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "problems/kinds.hpp"

namespace neuroprim {

namespace {

/// A complete graph with its vertices in an order that keeps neighbours together. Points are numbered anew in that
/// order: what is near in space is then near in memory, which makes all that follows twice as fast.
class OrderedGraph {
public:
    OrderedGraph(const Weights& weights, const MethodOptions& options) {
        if (weights.form() != Weights::Form::points) {
            weights_ = weights;
            order_ = {0};
            for (const Edge& edge : minimum_spanning_tree(weights, 1, options.interrupted).edges)
                order_.push_back(edge.v);
            return;
        }
        name_ = curve_order(weights.points());
        std::vector<Point> points(name_.size());
        for (std::size_t k = 0; k < points.size(); ++k) points[k] = weights.points()[index(name_[k])];
        weights_ = Weights::from_points(std::move(points), weights.metric());
        order_.resize(name_.size());
        std::iota(order_.begin(), order_.end(), 0);
    }

    [[nodiscard]] const Weights& weights() const { return weights_; }
    [[nodiscard]] const std::vector<Vertex>& order() const { return order_; }

    [[nodiscard]] Vertex number_of(Vertex v) const {
        if (name_.empty()) return v;
        return static_cast<Vertex>(std::find(name_.begin(), name_.end(), v) - name_.begin());
    }

    /// The tree with the vertices' own names.
    [[nodiscard]] Tree named(Tree tree) const {
        if (name_.empty()) return tree;
        tree.start = name_[index(tree.start)];
        for (auto& [u, v] : tree.edges) {
            u = name_[index(u)];
            v = name_[index(v)];
        }
        return tree;
    }

private:
    Weights weights_;
    std::vector<Vertex> order_;  // numbers as `weights_` has them
    std::vector<Vertex> name_;   // by number; empty: the same
};

Tree cheaper(Tree a, Tree b, const Weights& weights) {
    return total_weight(b, weights) < total_weight(a, weights) ? std::move(b) : std::move(a);
}

/// The tree of hubs, or the star where that is cheaper.
Tree tree_of_levels(const OrderedGraph& graph, Vertex root, const std::vector<std::size_t>& counts) {
    return cheaper(star_around(root, graph.order()), tree_of_hubs(graph.weights(), root, graph.order(), counts),
                   graph.weights());
}

/// Which sizes of levels are tried: one on large graphs, others around it where that takes no time.
std::vector<std::vector<std::size_t>> profiles(Vertex n, int hops) {
    constexpr Vertex vertices_in_all = 12'000;
    const std::vector<std::size_t> usual = hub_counts(index(n), hops);
    std::vector<std::vector<std::size_t>> result = {usual};
    for (const double scale : {0.35, 1.4, 0.7, 2.0, 0.5}) {
        if (static_cast<Vertex>(result.size() + 1) * n > vertices_in_all) break;
        std::vector<std::size_t> scaled;
        scaled.reserve(usual.size());
        for (const std::size_t count : usual) {
            scaled.push_back(std::max<std::size_t>(1, static_cast<std::size_t>(scale * static_cast<double>(count))));
        }
        result.push_back(std::move(scaled));
    }
    return result;
}

/// A minimum spanning tree is worth its time where hops are many: levels alone make no use of them.
bool wants_minimum_spanning_tree(const Weights& weights, int hops) {
    constexpr Vertex few = 20'000;
    if (weights.form() == Weights::Form::sparse || weights.size() <= few) return true;
    return index(hops) > hub_counts(index(weights.size()), hops).size() + 2;
}

int height_of(const Tree& tree, Vertex root, Vertex n) {
    const RootedTree rooted = hang(tree, root, n);
    return rooted.depth[index(rooted.order.back())];
}

/// The star as a tree of fewest hops.
RootedTree rooted_star(Vertex root, Vertex n) {
    RootedTree result;
    result.parent.assign(index(n), root);
    result.parent[index(root)] = no_vertex;
    result.depth.assign(index(n), 1);
    result.depth[index(root)] = 0;
    result.order.push_back(root);
    for (Vertex v = 0; v < n; ++v) {
        if (v != root) result.order.push_back(v);
    }
    return result;
}

/// Keeps the cheapest of several trees, each improved first.
class BestOf {
public:
    BestOf(const Weights& weights, Vertex root, int hops, const StopToken& stop)
        : weights_(weights), root_(root), hops_(hops), stop_(stop) {}

    void offer(const Tree& start) {
        Tree tree = improved_within_hops(start, weights_, root_, hops_, stop_);
        const double cost = total_weight(tree, weights_);
        if (cost < cost_) std::tie(tree_, cost_) = std::pair(std::move(tree), cost);
    }

    [[nodiscard]] Tree take() { return std::move(tree_); }

private:
    const Weights& weights_;
    Vertex root_;
    int hops_;
    const StopToken& stop_;
    Tree tree_;
    double cost_ = Weights::infinity;
};

/// The minimum spanning tree where there is the time for it.
std::optional<Tree> affordable_mst(const Weights& weights, int hops, const MethodOptions& options) {
    if (!wants_minimum_spanning_tree(weights, hops)) return std::nullopt;
    try {
        return minimum_spanning_tree(weights, options.threads, options.interrupted);
    } catch (const Interrupted&) {
        return std::nullopt;
    }
}

Tree descent_on_complete_graph(const Problem& problem, const MethodOptions& options) {
    const StopToken stop = stop_token_of(options);
    const OrderedGraph graph(problem.weights(), options);
    const Weights& weights = graph.weights();
    const Vertex root = graph.number_of(*problem.spec().root);
    const Vertex n = problem.size();
    const int hops = std::min(*problem.spec().hops, std::max(1, n - 1));
    BestOf best(weights, root, hops, stop);
    if (const auto lightest = affordable_mst(weights, hops, options)) {
        if (height_of(*lightest, root, n) <= hops) return grown_from(graph.named(*lightest), *problem.spec().root, n);
        best.offer(flattened(*lightest, rooted_star(root, n), hops));
    }
    for (const auto& counts : profiles(n, hops)) {
        best.offer(tree_of_levels(graph, root, counts));
        if (stop.expired()) break;
    }
    return graph.named(best.take());
}

Tree levels_on_complete_graph(const Problem& problem, const MethodOptions& options) {
    const OrderedGraph graph(problem.weights(), options);
    const int hops = std::min(*problem.spec().hops, std::max(1, problem.size() - 1));
    const Vertex root = graph.number_of(*problem.spec().root);
    return graph.named(tree_of_levels(graph, root, hub_counts(index(problem.size()), hops)));
}

/// On a complete graph there always is a tree.
template <class Construct>
Tree star_when_stopped(const Problem& problem, Construct&& construct) {
    try {
        return construct();
    } catch (const Interrupted&) {
        return star_around(*problem.spec().root, required_vertices(problem));
    }
}

Tree tree_of(const RootedTree& rooted) {
    Tree tree{rooted.order.front(), {}};
    for (std::size_t k = 1; k < rooted.order.size(); ++k) {
        tree.edges.push_back({rooted.parent[index(rooted.order[k])], rooted.order[k]});
    }
    return tree;
}

/// The tree of fewest hops is there whenever any is.
RootedTree fewest_hops(const Problem& problem) {
    if (const auto reason = problem.infeasibility_certificate()) throw Infeasible(*reason);
    return breadth_first(problem, *problem.spec().root);
}

Tree descent_on_incomplete_graph(const Problem& problem, const MethodOptions& options) {
    const StopToken stop = stop_token_of(options);
    const Weights& weights = problem.weights();
    const RootedTree flattest = fewest_hops(problem);
    const int hops = std::min(*problem.spec().hops, std::max(1, problem.size() - 1));
    BestOf best(weights, *problem.spec().root, hops, stop);
    if (const auto lightest = affordable_mst(weights, hops, options)) {
        if (height_of(*lightest, *problem.spec().root, problem.size()) <= hops) {
            return grown_from(*lightest, *problem.spec().root, problem.size());
        }
        best.offer(flattened(*lightest, flattest, hops));
    }
    best.offer(tree_of(flattest));
    return best.take();
}

}  // namespace

Tree hop_levels(const Problem& problem, const MethodOptions& options) {
    if (!limits_hops(problem)) return hop_prim(problem, options);
    (void)start_of(problem, options);
    if (!problem.weights().is_complete()) return tree_of(fewest_hops(problem));
    return star_when_stopped(problem, [&] { return levels_on_complete_graph(problem, options); });
}

Tree hop_descent(const Problem& problem, const MethodOptions& options) {
    if (!limits_hops(problem)) return hop_prim(problem, options);
    (void)start_of(problem, options);
    if (!problem.weights().is_complete()) return descent_on_incomplete_graph(problem, options);
    return star_when_stopped(problem, [&] { return descent_on_complete_graph(problem, options); });
}

}  // namespace neuroprim
