#include "heuristics/degree_repair.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <utility>

#include "graph/disjoint_sets.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {

Tree completed(const Tree& forest, std::span<const WeightedEdge> edges, std::span<const int> limits) {
    const auto n = static_cast<Vertex>(limits.size());
    DisjointSets parts(n);
    std::vector<int> degree = degrees(forest, n);
    for (const auto& [u, v] : forest.edges) parts.join(u, v);

    std::vector<WeightedEdge> by_weight(edges.begin(), edges.end());
    std::stable_sort(by_weight.begin(), by_weight.end(),
                     [](const WeightedEdge& a, const WeightedEdge& b) { return a.weight < b.weight; });
    Tree tree = forest;
    const auto has_residual_capacity = [&](Vertex v) { return degree[index(v)] < limits[index(v)]; };
    for (const bool only_with_residual_capacity : {true, false}) {
        for (const auto& [u, v, weight] : by_weight) {
            if (only_with_residual_capacity && !(has_residual_capacity(u) && has_residual_capacity(v))) continue;
            if (!parts.join(u, v)) continue;
            tree.edges.push_back({u, v});
            ++degree[index(u)];
            ++degree[index(v)];
        }
    }
    return grown_from(tree, forest.start, n);
}

namespace {

class Exchanges {
public:
    Exchanges(const Tree& tree, std::span<const WeightedEdge> edges, std::span<const int> limits,
              const RepairOptions& options, std::size_t& visits_left)
        : start_(tree.start),
          edges_(edges),
          limits_(limits),
          options_(options),
          graph_(limits.size()),
          links_(limits.size()),
          tabu_until_(edges.size(), 0),
          branch_(limits.size(), 0),
          seen_(limits.size(), 0),
          visits_left_(visits_left),
          random_(options.seed) {
        for (std::size_t edge = 0; edge < edges.size(); ++edge) connect(graph_, edge);
        for (const auto& [u, v] : tree.edges) connect(links_, edge_id(u, v));
        for (Vertex v = 0; v < static_cast<Vertex>(limits.size()); ++v) {
            if (overloaded(v)) overloaded_.push_back(v);
        }
    }

    std::optional<Tree> run(const StopToken& stop) {
        constexpr unsigned rounds_between_looks = 16;
        PacedStopToken paced(stop, rounds_between_looks);
        for (round_ = 1; round_ <= options_.rounds && visits_left_ > 0; ++round_) {
            paced.check();
            const Vertex v = next_overloaded();
            if (v == no_vertex) return tree();
            explore_branches(v);
            const Exchange exchange = best_exchange(v);
            disconnect(exchange.out);
            connect(links_, exchange.in);
            tabu_until_[exchange.out] = round_ + 3 + random_.below(8);
            for (const Vertex end : {v, edges_[exchange.in].u, edges_[exchange.in].v}) {
                if (overloaded(end)) overloaded_.push_back(end);
            }
        }
        return std::nullopt;
    }

private:
    struct Link {
        Vertex to;
        std::size_t edge;
    };
    using Links = std::vector<std::vector<Link>>;  // (n)

    struct Exchange {
        std::size_t out;
        std::size_t in;
    };

    [[nodiscard]] int degree(Vertex v) const { return static_cast<int>(links_[index(v)].size()); }
    [[nodiscard]] bool full(Vertex v) const { return degree(v) >= limits_[index(v)]; }
    [[nodiscard]] bool overloaded(Vertex v) const { return degree(v) > limits_[index(v)]; }

    [[nodiscard]] std::size_t edge_id(Vertex u, Vertex v) const {
        const std::pair<Vertex, Vertex> wanted = std::minmax(u, v);
        const auto found =
            std::lower_bound(edges_.begin(), edges_.end(), wanted,
                             [](const auto& edge, const auto& p) { return std::pair(edge.u, edge.v) < p; });
        return static_cast<std::size_t>(found - edges_.begin());
    }

    void visit(std::size_t count) { visits_left_ -= std::min(count, visits_left_); }

    void connect(Links& links, std::size_t edge) const {
        links[index(edges_[edge].u)].push_back({edges_[edge].v, edge});
        links[index(edges_[edge].v)].push_back({edges_[edge].u, edge});
    }

    void disconnect(std::size_t edge) {
        for (const Vertex v : {edges_[edge].u, edges_[edge].v}) {
            std::erase_if(links_[index(v)], [edge](const Link& link) { return link.edge == edge; });
        }
    }

    /// The one that waits longest; the queue may still hold some that have been relieved since.
    Vertex next_overloaded() {
        while (!overloaded_.empty()) {
            const Vertex v = overloaded_.front();
            overloaded_.pop_front();
            if (overloaded(v)) return v;
        }
        return no_vertex;
    }

    /// Walks all branches at v by turns till only one is unfinished: that one is the rest and need not be walked.
    void explore_branches(Vertex v) {
        const std::vector<Link>& roots = links_[index(v)];
        members_.assign(roots.size(), {});
        std::vector<std::size_t> heads(roots.size(), 0);
        seen_[index(v)] = round_;
        for (std::size_t k = 0; k < roots.size(); ++k) reach(roots[k].to, k);
        std::size_t unfinished = roots.size();
        rest_ = 0;
        for (std::size_t k = 0; unfinished > 1; k = (k + 1) % roots.size()) {
            if (heads[k] == members_[k].size()) continue;
            const Vertex u = members_[k][heads[k]++];
            visit(1);
            for (const Link& link : links_[index(u)]) {
                if (seen_[index(link.to)] != round_) reach(link.to, k);
            }
            if (heads[k] == members_[k].size()) --unfinished;
        }
        while (heads[rest_] == members_[rest_].size()) ++rest_;
    }

    void reach(Vertex u, std::size_t branch) {
        seen_[index(u)] = round_;
        branch_[index(u)] = branch;
        members_[branch].push_back(u);
    }

    [[nodiscard]] std::size_t branch_of(Vertex u) const {
        return seen_[index(u)] == round_ ? branch_[index(u)] : rest_;
    }

    /// The edge at v to drop and the one to put in its place. There is one: v is overloaded, but holds fewer parts
    /// together, so some edge joins two of its branches.
    Exchange best_exchange(Vertex v) {
        using Rank = std::tuple<bool, int, double, std::uint64_t>;  // tabu, change of excess, of weight, a die
        std::optional<Exchange> best;
        Rank least;
        const std::vector<Link>& roots = links_[index(v)];
        const auto consider = [&](const Link& root, std::size_t in) {
            const auto& [a, b, weight] = edges_[in];
            const bool root_gains = root.to == a || root.to == b;
            int change = root_gains ? 0 : -static_cast<int>(overloaded(root.to));
            if (a != root.to) change += full(a);
            if (b != root.to) change += full(b);
            const double dearer = options_.mind_weights ? weight - edges_[root.edge].weight : 0;
            const Rank rank(tabu_until_[in] > round_, change, dearer, random_.next());
            if (best && least <= rank) return;
            best = Exchange{root.edge, in};
            least = rank;
        };
        for (std::size_t k = 0; k < roots.size(); ++k) {
            if (k == rest_) continue;
            for (const Vertex a : members_[k]) {
                visit(graph_[index(a)].size());
                for (const Link& link : graph_[index(a)]) {
                    const std::size_t other = branch_of(link.to);
                    if (link.to == v || other == k) continue;
                    consider(roots[k], link.edge);
                    consider(roots[other], link.edge);
                }
            }
        }
        return best.value();
    }

    [[nodiscard]] Tree tree() const {
        Tree result{start_, {}};
        for (std::size_t u = 0; u < links_.size(); ++u) {
            for (const Link& link : links_[u]) {
                if (static_cast<Vertex>(u) < link.to) result.edges.push_back({static_cast<Vertex>(u), link.to});
            }
        }
        return grown_from(result, start_, static_cast<Vertex>(limits_.size()));
    }

    Vertex start_;
    std::span<const WeightedEdge> edges_;  // sorted by (u, v), u < v
    std::span<const int> limits_;          // (n)
    RepairOptions options_;
    Links graph_;
    Links links_;                          // tree edges
    std::deque<Vertex> overloaded_;        // who is to give up an edge next
    std::vector<std::size_t> tabu_until_;  // (m) the round from which a dropped edge may come back

    std::vector<std::vector<Vertex>> members_;  // of each branch at the vertex in hand, as far as walked
    std::vector<std::size_t> branch_;           // (n) valid where seen_ is this round
    std::vector<std::size_t> seen_;             // (n)
    std::size_t rest_ = 0;
    std::size_t round_ = 0;
    std::size_t& visits_left_;
    Random random_;
};

}  // namespace

std::optional<Tree> repair_degrees(const Tree& tree, std::span<const WeightedEdge> edges, std::span<const int> limits,
                                   const RepairOptions& options, std::size_t& visits_left, const StopToken& stop) {
    return Exchanges(tree, edges, limits, options, visits_left).run(stop);
}

}  // namespace neuroprim
