#include "graph/point_mst.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <tuple>

#include "graph/disjoint_sets.hpp"
#include "graph/kd_components.hpp"
#include "graph/kd_tree.hpp"
#include "graph/parallel.hpp"
#include "graph/positions.hpp"

namespace neuroprim {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t chunk = 4096;
constexpr unsigned comparisons_between_looks = 100'000;
constexpr unsigned searches_between_looks = 1000;

/// Points that coincide make every distance a tie and every search a scan of them all. They are linked at no
/// cost to the first of them, and only that one takes part in the search.
template <std::size_t Dim>
std::vector<Vertex> link_duplicates(const std::vector<Position<Dim>>& positions, std::vector<Edge>& edges,
                                    const StopToken& stop) {
    std::vector<Vertex> order(positions.size());
    std::iota(order.begin(), order.end(), 0);
    PacedStopToken paced(stop, comparisons_between_looks);
    std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) {
        paced.check();
        return std::tie(positions[index(a)], a) < std::tie(positions[index(b)], b);
    });
    std::vector<Vertex> distinct;
    distinct.reserve(order.size());
    for (const Vertex v : order) {
        if (!distinct.empty() && positions[index(distinct.back())] == positions[index(v)]) {
            edges.push_back({distinct.back(), v});
        } else {
            distinct.push_back(v);
        }
    }
    std::sort(distinct.begin(), distinct.end());
    return distinct;
}

/// Borůvka's algorithm: in each round every component finds its shortest edge to another one.
///
/// A point remembers the nearest foreign point it has seen; while that one stays foreign it stays the nearest.
/// Only points that lost theirs search again, and only as far as their component's best edge so far. Edges are
/// ordered by (distance, smaller vertex, larger vertex): no ties, so no cycles, and no dependence on threads.
template <std::size_t Dim, class Norm>
class Boruvka {
public:
    Boruvka(std::vector<Position<Dim>> positions, int threads, const StopToken& stop)
        : stop_(stop),
          tree_(std::move(positions), stop),
          threads_(threads),
          sets_(static_cast<Vertex>(tree_.size())),
          components_(tree_),
          nearest_(tree_.size(), none),
          reach_(tree_.size(), 0.0),
          bound_(tree_.size()),
          best_(tree_.size(), none) {}

    std::vector<Edge> run() {
        std::vector<Edge> edges;
        edges.reserve(tree_.size());
        while (edges.size() + 1 < tree_.size()) {
            stop_.check();
            components_.update(tree_, sets_);
            recall_known_edges();
            stop_.check();
            search_missing_edges();
            join_along_best_edges(edges);
        }
        return edges;
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    bool is_foreign(std::size_t p, std::size_t q) const { return components_.of_place(p) != components_.of_place(q); }

    /// Starts each component's bound from the edges that are still good.
    void recall_known_edges() {
        for (auto& bound : bound_) bound.store(infinity, std::memory_order_relaxed);
        for (std::size_t p = 0; p < tree_.size(); ++p) {
            if (nearest_[p] == none) continue;
            if (is_foreign(p, nearest_[p])) {
                lower(bound_[index(components_.of_place(p))], reach_[p]);
            } else {
                nearest_[p] = none;
            }
        }
    }

    void search_missing_edges() {
        parallel_for(threads_, tree_.size(), chunk, [this](std::size_t begin, std::size_t end) {
            PacedStopToken paced(stop_, searches_between_looks);
            for (std::size_t p = begin; p < end; ++p) {
                if (nearest_[p] != none) continue;
                paced.check();
                auto& bound = bound_[index(components_.of_place(p))];
                const double limit = bound.load(std::memory_order_relaxed);
                if (reach_[p] > limit) continue;
                const Candidate found = nearest_foreign(p, limit);
                nearest_[p] = found.place;
                reach_[p] = found.distance;
                if (found.place != none) lower(bound, found.distance);
            }
        });
    }

    static void lower(std::atomic<double>& bound, double value) {
        double current = bound.load(std::memory_order_relaxed);
        while (value < current && !bound.compare_exchange_weak(current, value, std::memory_order_relaxed)) {
        }
    }

    void join_along_best_edges(std::vector<Edge>& edges) {
        std::fill(best_.begin(), best_.end(), none);
        for (std::size_t p = 0; p < tree_.size(); ++p) {
            if (nearest_[p] == none) continue;
            auto& best = best_[index(components_.of_place(p))];
            if (best == none || edge_key(p) < edge_key(best)) best = p;
        }
        for (const std::size_t p : best_) {
            if (p == none) continue;
            const std::size_t q = nearest_[p];
            if (sets_.join(static_cast<Vertex>(p), static_cast<Vertex>(q))) {
                edges.push_back({tree_.vertex(p), tree_.vertex(q)});
            }
        }
    }

    std::tuple<double, Vertex, Vertex> edge_key(std::size_t p) const {
        const auto [low, high] = std::minmax({tree_.vertex(p), tree_.vertex(nearest_[p])});
        return {reach_[p], low, high};
    }

    struct Candidate {
        double distance;
        std::size_t place;
    };

    /// The nearest foreign point no farther than `limit`; ties go to the smaller vertex. When there is none, the
    /// distance says how far the search has looked in vain.
    Candidate nearest_foreign(std::size_t p, double limit) const {
        struct Pending {
            double distance;
            std::size_t node;
        };
        std::array<Pending, 128> stack;  // the tree is balanced: its height stays below 64
        std::size_t height = 0;
        Candidate best{limit, none};
        const auto& centre = tree_.position(p);
        const Vertex home = components_.of_place(p);
        const auto nodes = tree_.nodes();
        const auto push = [&](std::size_t node) {
            if (components_.of_node(node) == home) return;
            const double d = KdTree<Dim>::template distance<Norm>(centre, nodes[node]);
            if (d <= best.distance) stack[height++] = {d, node};
        };
        push(0);
        while (height > 0) {
            const auto [distance, k] = stack[--height];
            if (distance > best.distance) continue;
            const auto& node = nodes[k];
            if (node.right == 0) {
                for (std::size_t q = node.begin; q < node.end; ++q) {
                    if (components_.of_place(q) == home) continue;
                    const double d = KdTree<Dim>::template distance<Norm>(centre, tree_.position(q));
                    const bool closer = d < best.distance;
                    const bool tie =
                        d == best.distance && (best.place == none || tree_.vertex(q) < tree_.vertex(best.place));
                    if (closer || tie) best = {d, q};
                }
                continue;
            }
            // The nearer child is searched first, so it is pushed last.
            const double left = KdTree<Dim>::template distance<Norm>(centre, nodes[k + 1]);
            const double right = KdTree<Dim>::template distance<Norm>(centre, nodes[node.right]);
            push(left <= right ? node.right : k + 1);
            push(left <= right ? k + 1 : node.right);
        }
        return best;
    }

    const StopToken& stop_;
    KdTree<Dim> tree_;
    int threads_;
    DisjointSets sets_;  // of places
    KdComponents components_;
    std::vector<std::size_t> nearest_;        // by place: the nearest foreign place known, or none
    std::vector<double> reach_;               // by place: its distance, or how far was searched in vain
    std::vector<std::atomic<double>> bound_;  // by component: the shortest edge known this round
    std::vector<std::size_t> best_;           // by component: the place its best edge starts from
};

template <std::size_t Dim, class Norm>
std::vector<Edge> mst_of(std::vector<Position<Dim>> positions, int threads, const StopToken& stop) {
    std::vector<Edge> edges;
    edges.reserve(positions.size());
    const std::vector<Vertex> distinct = link_duplicates(positions, edges, stop);
    if (distinct.size() < positions.size()) {
        for (std::size_t k = 0; k < distinct.size(); ++k) positions[k] = positions[index(distinct[k])];
        positions.resize(distinct.size());
    }
    Boruvka<Dim, Norm> search(std::move(positions), threads, stop);
    for (const auto& [u, v] : search.run()) edges.push_back({distinct[index(u)], distinct[index(v)]});
    return edges;
}

}  // namespace

std::vector<Edge> point_mst(std::span<const Point> points, Metric metric, int threads, const StopToken& stop) {
    return with_positions(points, metric,
                          [&]<std::size_t Dim, class Norm>(std::vector<Position<Dim>> positions, Norm) {
                              return mst_of<Dim, Norm>(std::move(positions), threads, stop);
                          });
}

}  // namespace neuroprim
