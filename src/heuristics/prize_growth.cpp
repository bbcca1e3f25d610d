#include <algorithm>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "graph/neighbours.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

namespace {

/// Every edge of a graph that has few; near edges and a spanning tree of one that has many.
std::vector<WeightedEdge> edges_to_grow_along(const Weights& weights, int threads) {
    constexpr std::size_t few = 2'000'000;
    constexpr std::size_t near_count = 20;
    if (weights.edge_count() <= few) return weights.edges();
    std::vector<WeightedEdge> result;
    const Neighbours near = nearest_neighbours(weights, near_count, threads);
    for (Vertex v = 0; v < weights.size(); ++v) {
        for (const Vertex u : near.of(v)) result.push_back({std::min(u, v), std::max(u, v), weights(u, v)});
    }
    for (const auto& [u, v] : minimum_spanning_tree(weights, threads).edges) {
        result.push_back({std::min(u, v), std::max(u, v), weights(u, v)});
    }
    const auto key = [](const WeightedEdge& edge) { return std::pair(edge.u, edge.v); };
    std::sort(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    result.erase(
        std::unique(result.begin(), result.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
        result.end());
    return result;
}

/// Goemans and Williamson's growth (1995): clusters pay for the edges around them out of their prizes, all at the
/// same pace. A cluster whose prizes are spent rests; an edge that is paid for joins its clusters. What the root is
/// in rests, as it wants nothing. O(m log m) events, and as many again for each time that a resting cluster is woken.
class MoatGrowth {
public:
    MoatGrowth(const Problem& problem, std::vector<WeightedEdge> edges)
        : problem_(problem),
          edges_(std::move(edges)),
          at_(index(problem.size())),
          cluster_(index(problem.size())),
          base_(index(problem.size()), 0),
          members_(index(problem.size())),
          grown_(index(problem.size()), 0),
          budget_(index(problem.size())),
          since_(index(problem.size()), 0),
          active_(index(problem.size()), false) {
        double all = 1;
        for (Vertex v = 0; v < problem.size(); ++v) all += problem.spec().prize(v);
        for (const auto& edge : edges_) all += edge.weight;
        for (std::size_t k = 0; k < edges_.size(); ++k) {
            at_[index(edges_[k].u)].push_back(k);
            at_[index(edges_[k].v)].push_back(k);
        }
        for (Vertex v = 0; v < problem.size(); ++v) {
            cluster_[index(v)] = v;
            members_[index(v)] = {v};
            budget_[index(v)] = problem.required(v) ? all : problem.spec().prize(v);
            active_[index(v)] = budget_[index(v)] > 0 && v != problem.spec().root;
            if (active_[index(v)]) ++active_count_;
        }
    }

    /// The edges that joined clusters: a forest.
    [[nodiscard]] std::vector<Edge> run() {
        for (std::size_t k = 0; k < edges_.size(); ++k) queue_edge(k);
        for (Vertex v = 0; v < problem_.size(); ++v) queue_end(v);
        const int last = problem_.spec().root ? 0 : 1;
        while (active_count_ > last && !events_.empty()) {
            const auto [time, kind, which] = events_.top();
            events_.pop();
            now_ = std::max(now_, time);
            if (kind == Kind::edge) {
                reach(which);
            } else {
                spend(static_cast<Vertex>(which));
            }
        }
        return forest_;
    }

private:
    enum class Kind { edge, end };
    using Event = std::tuple<double, Kind, std::size_t>;

    [[nodiscard]] std::size_t cluster_of(Vertex v) const { return index(cluster_[index(v)]); }
    [[nodiscard]] double grown(std::size_t c) const { return grown_[c] + (active_[c] ? now_ - since_[c] : 0); }
    [[nodiscard]] double paid(Vertex v) const { return base_[index(v)] + grown(cluster_of(v)); }

    void queue_edge(std::size_t k) {
        const auto& [u, v, weight] = edges_[k];
        const std::size_t a = cluster_of(u);
        const std::size_t b = cluster_of(v);
        const int pace = (active_[a] ? 1 : 0) + (active_[b] ? 1 : 0);
        if (a == b || pace == 0) return;
        const double left = std::max(0.0, weight - paid(u) - paid(v));
        events_.emplace(now_ + left / pace, Kind::edge, k);
    }

    void queue_end(Vertex cluster) {
        const auto c = index(cluster);
        if (active_[c]) events_.emplace(now_ + budget_[c] - grown(c), Kind::end, c);
    }

    /// Events that were queued at a faster pace come too early, and are queued again.
    void reach(std::size_t k) {
        const auto& [u, v, weight] = edges_[k];
        const std::size_t a = cluster_of(u);
        const std::size_t b = cluster_of(v);
        if (a == b || (!active_[a] && !active_[b])) return;
        const double tolerance = 1e-12 * (1 + weight);
        if (weight - paid(u) - paid(v) > tolerance) return queue_edge(k);
        forest_.push_back({u, v});
        merge(a, b);
    }

    void spend(Vertex cluster) {
        const auto c = index(cluster);
        if (!active_[c] || members_[c].empty()) return;
        if (budget_[c] - grown(c) > 1e-12 * (1 + budget_[c])) return;  // it has grown richer since
        rest(c);
    }

    void rest(std::size_t c) {
        grown_[c] = grown(c);
        active_[c] = false;
        --active_count_;
    }

    void merge(std::size_t a, std::size_t b) {
        if (members_[a].size() < members_[b].size()) std::swap(a, b);
        const double left = std::max(0.0, budget_[a] - grown(a)) + std::max(0.0, budget_[b] - grown(b));
        const bool woken_a = !active_[a];
        const bool woken_b = !active_[b];
        if (active_[a]) rest(a);
        if (active_[b]) rest(b);
        const std::size_t kept = members_[a].size();
        for (const Vertex v : members_[b]) {
            base_[index(v)] += grown_[b] - grown_[a];
            cluster_[index(v)] = static_cast<Vertex>(a);
            members_[a].push_back(v);
        }
        members_[b].clear();
        budget_[a] = grown_[a] + left;
        const bool holds_root = problem_.spec().root && cluster_of(*problem_.spec().root) == a;
        if (holds_root || left <= 0) return;
        active_[a] = true;
        since_[a] = now_;
        ++active_count_;
        queue_end(static_cast<Vertex>(a));
        const std::size_t begin = woken_a ? 0 : kept;
        const std::size_t end = woken_b ? members_[a].size() : kept;
        for (std::size_t m = begin; m < end; ++m) {
            for (const std::size_t k : at_[index(members_[a][m])]) queue_edge(k);
        }
    }

    const Problem& problem_;
    std::vector<WeightedEdge> edges_;
    std::vector<std::vector<std::size_t>> at_;  // (n) edges at each vertex
    std::vector<Vertex> cluster_;               // (n) the vertex whose number the cluster has
    std::vector<double> base_;                  // (n) what a vertex has paid beyond its cluster's growth
    std::vector<std::vector<Vertex>> members_;  // (clusters), like all that follow
    std::vector<double> grown_;                 // when it last rested
    std::vector<double> budget_;                // how far it can grow
    std::vector<double> since_;                 // active since then
    std::vector<bool> active_;
    int active_count_ = 0;
    double now_ = 0;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<Edge> forest_;
};

/// The tree of the root, or all trees of the forest and the vertex of the largest prize.
std::vector<Tree> trees_worth_a_look(const Problem& problem, const std::vector<Edge>& forest) {
    const Vertex n = problem.size();
    const Tree all{0, forest};
    if (const auto root = problem.spec().root) return {grown_from(all, *root, n)};
    Vertex richest = 0;
    for (Vertex v = 1; v < n; ++v) {
        if (problem.spec().prize(v) > problem.spec().prize(richest)) richest = v;
    }
    std::vector<Tree> result = {Tree{richest, {}}};
    std::vector<bool> seen(index(n), false);
    for (const Edge& edge : forest) {
        if (seen[index(edge.u)]) continue;
        result.push_back(grown_from(all, edge.u, n));
        seen[index(edge.u)] = true;
        for (const auto& reached : result.back().edges) seen[index(reached.v)] = true;
    }
    return result;
}

}  // namespace

bool prize_growth_suits(const Problem& problem) {
    return !problem.spec().prizes.empty();
}

Tree prize_growth(const Problem& problem, const MethodOptions& options) {
    if (!prize_growth_suits(problem)) throw InputError("prize-growth is for trees that may leave prizes behind");
    MoatGrowth growth(problem, edges_to_grow_along(problem.weights(), options.threads));
    std::optional<Tree> best;
    double best_cost = Weights::infinity;
    for (Tree& grown : trees_worth_a_look(problem, growth.run())) {
        const Tree tree = problem.pruned(std::move(grown));
        if (problem.violation(tree)) continue;
        if (const double cost = problem.cost(tree); cost < best_cost) {
            best_cost = cost;
            best = tree;
        }
    }
    if (!best) give_up(problem, "prize-growth found no tree that keeps the limits");
    return *best;
}

}  // namespace neuroprim
