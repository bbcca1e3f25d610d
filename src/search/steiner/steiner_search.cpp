#include "search/steiner/steiner_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "problems/kinds.hpp"
#include "search/steiner/descent.hpp"
#include "search/steiner/expansion.hpp"
#include "search/steiner/pool.hpp"
#include "search/steiner/reductions.hpp"
#include "search/steiner/region.hpp"
#include "search/steiner/search_graph.hpp"

namespace neuroprim {

namespace steiner {

namespace {

constexpr int edges_of_a_large_graph = 3000;
constexpr std::size_t largest_region = 1000;

/// What all lanes read.
struct Prepared {
    const Problem* problem;
    std::unique_ptr<SearchGraph> search;  // null: no time was left to make one
    std::optional<FlatGraph> flat;
};

class SteinerLane final : public Lane {
public:
    SteinerLane(const Prepared& prepared, std::uint64_t seed, std::uint64_t stream)
        : prepared_(prepared), random_(seed, stream) {}

    void adopt(const Tree& tree) override {
        best_ = tree;
        best_cost_ = prepared_.problem->cost(tree);
        is_new_ = true;
    }

    std::int64_t run(std::int64_t steps, const Watch& watch) override {
        if (!prepared_.flat) return 0;
        std::int64_t done = 0;
        while (done < steps && !watch.expired()) {
            if (is_new_) {
                begin(watch);
            } else {
                if (is_settled()) break;
                step(watch);
            }
            ++done;
        }
        return done;
    }

    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override { return best_; }

private:
    [[nodiscard]] const FlatGraph& flat() const { return *prepared_.flat; }
    [[nodiscard]] bool is_settled() const { return flat().terminals().size() <= 1; }

    void begin(const Watch& watch) {
        is_new_ = false;
        if (is_settled()) return keep({});
        std::optional<EdgeTree> start = as_reduced(best_);
        if (!start) return;
        region_size_ = 60;
        futile_ = 0;
        if (watch.expired()) {
            is_new_ = true;
            return;
        }
        descend(flat(), *start, flat().weights(), watch);
        current_ = *start;
        keep(*start);
    }

    /// The best tree on the vertices that are left of this tree, joined by shortest paths where they must be.
    [[nodiscard]] std::optional<EdgeTree> as_reduced(const Tree& tree) const {
        const Graph& graph = prepared_.search->graph;
        std::vector<char> in_graph(index(graph.size()), 0);
        const auto mark = [&](Vertex v) {
            if (const Vertex now = graph.representative(v); now != no_vertex) in_graph[index(now)] = 1;
        };
        for (const Edge& edge : tree.edges) {
            mark(edge.u);
            mark(edge.v);
        }
        std::vector<char> inside(index(flat().size()), 0);
        for (Vertex v = 0; v < flat().size(); ++v) inside[index(v)] = in_graph[index(flat().vertex(v))];
        std::vector<int> edges;
        for (int e = 0; e < flat().edge_count(); ++e) {
            if (inside[index(flat().link(e).u)] != 0 && inside[index(flat().link(e).v)] != 0) edges.push_back(e);
        }
        if (auto spanned = tree_among(flat(), std::move(edges), flat().weights())) return spanned;
        const Vertex root = flat().terminals().front();
        if (auto joined = shortest_path_tree(flat(), root, flat().weights(), inside)) return joined;
        return shortest_path_tree(flat(), root, flat().weights());
    }

    void step(const Watch& watch) {
        const double kind = random_.uniform();
        if (kind < (flat().edge_count() > edges_of_a_large_graph ? 0.98 : 0.2)) return mend_region(watch);
        std::optional<EdgeTree> tree;
        const double draw = random_.uniform();
        if (draw < 0.25 && pool_.size() >= 2) {
            tree = pool_.combined(flat(), random_);
        } else if (draw < 0.4) {
            tree = grown_by_noise();
        } else {
            tree = shaken(watch);
        }
        if (!tree) return;
        tree->cost = cost_of(*tree, flat().weights());
        if (!descend(flat(), *tree, flat().weights(), watch) && tree->cost >= current_.cost) return;
        keep(*tree);
        // A little worse is a way out of a valley; the pool remembers the best.
        if (tree->cost <= current_.cost * (1 + 0.002 * random_.uniform())) current_ = *tree;
        if (++since_best_ % 200 == 0) current_ = pool_.best();
    }

    /// Solves a small part of the current tree. Parts grow when all around nothing is left to gain.
    void mend_region(const Watch& watch) {
        const auto& link = flat().link(current_.edges[random_.below(current_.edges.size())]);
        const auto size = static_cast<std::size_t>(static_cast<double>(region_size_) * (0.5 + random_.uniform()));
        if (improve_region(flat(), current_, {link.u, size, 10}, prepared_.search->whole_weights, watch)) {
            futile_ = 0;
            return keep(current_);
        }
        if (++futile_ <= 1 + 2 * current_.edges.size() / region_size_) return;
        futile_ = 0;
        if (region_size_ < largest_region) region_size_ += region_size_ / 2;
    }

    /// Shortest paths under noisy weights, from any terminal.
    [[nodiscard]] std::optional<EdgeTree> grown_by_noise() {
        std::vector<double> noisy(flat().weights());
        const double noise = 0.1 + 0.9 * random_.uniform();
        for (double& w : noisy) w *= 1 + noise * random_.uniform();
        const auto terminals = flat().terminals();
        return shortest_path_tree(flat(), terminals[random_.below(terminals.size())], noisy);
    }

    /// The current tree after a descent by weights that are wrong around a random place.
    [[nodiscard]] std::optional<EdgeTree> shaken(const Watch& watch) {
        std::vector<double> noisy(flat().weights());
        const std::size_t wanted = 5 + random_.below(std::min<std::size_t>(index(flat().size()), 60));
        std::vector<char> seen(index(flat().size()), 0);
        std::vector<Vertex> around = {static_cast<Vertex>(random_.below(index(flat().size())))};
        seen[index(around.front())] = 1;
        for (std::size_t k = 0; k < around.size() && around.size() < wanted; ++k) {
            for (const auto& arc : flat().arcs(around[k])) {
                if (seen[index(arc.to)] != 0) continue;
                seen[index(arc.to)] = 1;
                around.push_back(arc.to);
            }
        }
        for (const Vertex v : around) {
            for (const auto& arc : flat().arcs(v)) {
                noisy[static_cast<std::size_t>(arc.edge)] *= 0.5 + random_.uniform();
            }
        }
        EdgeTree tree = current_;
        tree.cost = cost_of(tree, noisy);
        descend(flat(), tree, noisy, watch);
        return tree;
    }

    void keep(const EdgeTree& tree) {
        pool_.add(tree);
        if (prepared_.search->graph.fixed_cost() + tree.cost >= best_cost_ * (1 - 1e-12)) return;
        Tree whole = expanded(*prepared_.problem, prepared_.search->graph, flat(), tree.edges);
        const double cost = prepared_.problem->cost(whole);
        if (cost >= best_cost_) return;
        best_ = std::move(whole);
        best_cost_ = cost;
        since_best_ = 0;
    }

    const Prepared& prepared_;
    Random random_;
    Tree best_;
    double best_cost_ = std::numeric_limits<double>::infinity();
    bool is_new_ = true;
    EdgeTree current_;
    Pool pool_;
    std::size_t region_size_ = 60;
    std::size_t futile_ = 0;  // regions in a row without gain
    std::int64_t since_best_ = 0;
};

class SteinerSearch final : public LocalSearch {
public:
    SteinerSearch(const Problem& problem, const Watch& watch) {
        prepared_.problem = &problem;
        if (watch.expired()) return;
        prepared_.search = search_graph(problem, watch);
        if (prepared_.search == nullptr) return;
        const double left = watch.seconds_left();
        std::optional<Watch::Clock::time_point> deadline;
        if (std::isfinite(left)) {
            deadline = Watch::Clock::now() + std::chrono::duration_cast<Watch::Clock::duration>(
                                                 std::chrono::duration<double>(0.3 * std::max(left, 0.0)));
        }
        reduce(prepared_.search->graph, Watch(deadline, [&watch] { return watch.expired(); }));
        prepared_.flat.emplace(prepared_.search->graph);
    }

    [[nodiscard]] std::unique_ptr<Lane> lane(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<SteinerLane>(prepared_, seed, stream);
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        if (!prepared_.flat) return 1;
        const int size = prepared_.flat->size() + prepared_.flat->edge_count();
        return std::clamp(5000 / std::max(size, 1), 1, 100);
    }

private:
    Prepared prepared_;
};

}  // namespace

}  // namespace steiner

bool steiner_search_suits(const Problem& problem) {
    return is_steiner(problem);
}

std::unique_ptr<LocalSearch> prepare_steiner(const Problem& problem, int /*threads*/, const Watch& watch) {
    return std::make_unique<steiner::SteinerSearch>(problem, watch);
}

}  // namespace neuroprim
