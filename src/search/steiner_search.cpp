#include "search/steiner_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "problems/kinds.hpp"
#include "steiner/descent.hpp"
#include "steiner/pool.hpp"
#include "steiner/postsolve.hpp"
#include "steiner/reductions.hpp"
#include "steiner/region.hpp"
#include "steiner/search_graph.hpp"
#include "steiner/vertex_annealing.hpp"

namespace neuroprim {

namespace steiner {

namespace {

constexpr int edges_of_a_large_graph = 3000;
constexpr std::size_t largest_region = 1000;
/// Weights that differ less than this, relative to their mean, leave plateaus that only many small moves cross.
constexpr double spread_of_plateaus = 0.3;
constexpr std::int64_t moves_per_step = 2000;
constexpr std::int64_t moves_per_edge = 4;  // more in a step beside workers that do not anneal, whose steps are long
constexpr double edges_of_short_paths = 1.6;
constexpr std::int64_t largest_cooling = std::int64_t{1} << 40;
constexpr std::int64_t moves_per_vertex = 100;  // in the first cooling; each later one is twice as long

/// What all workers read.
struct Prepared {
    const Problem* problem;
    std::unique_ptr<SearchGraph> search;  // null: no time was left to make one
    std::optional<FlatGraph> flat;        // not for rootless graphs, where each worker has an anchor of its own
    double detour = 0;                    // see PrizeModel
    bool has_plateaus = false;            // all workers anneal
};

/// The standard deviation of the weights, relative to their mean.
double spread_of_weights(const Graph& graph) {
    double sum = 0;
    double squares = 0;
    for (int e = 0; e < graph.edge_slots(); ++e) {
        if (!graph.has(e)) continue;
        sum += graph.link(e).weight;
        squares += graph.link(e).weight * graph.link(e).weight;
    }
    const double count = std::max(1, graph.edge_count());
    const double mean = sum / count;
    return mean > 0 ? std::sqrt(std::max(0.0, squares / count - mean * mean)) / mean : 0;
}

class SteinerWorker final : public SearchWorker {
public:
    SteinerWorker(const Prepared& prepared, std::uint64_t seed, std::uint64_t stream)
        : prepared_(prepared), random_(seed, stream), is_odd_(stream % 2 == 1) {}

    void adopt(const Tree& tree) override {
        best_ = tree;
        best_cost_ = prepared_.problem->cost(tree);
        is_new_ = true;
    }

    std::int64_t run(std::int64_t steps, const StopToken& stop) override {
        if (prepared_.search == nullptr) return 0;
        std::int64_t done = 0;
        while (done < steps && !stop.expired()) {
            if (is_new_) {
                begin(stop);
            } else {
                if (!has_start_ || is_settled()) break;
                step(stop);
            }
            ++done;
        }
        return done;
    }

    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override { return best_; }

private:
    [[nodiscard]] const FlatGraph& flat() const { return prepared_.flat ? *prepared_.flat : *own_; }
    [[nodiscard]] const Graph& graph() const { return prepared_.search->graph; }
    [[nodiscard]] bool is_settled() const { return flat().terminals().size() <= 1; }

    void begin(const StopToken& stop) {
        is_new_ = false;
        has_start_ = false;
        if (!prepared_.flat && !annealing_ && !choose_anchor()) return;
        if (is_settled()) return keep({});
        std::optional<EdgeTree> start = as_reduced(best_);
        if (!start) return;
        has_start_ = true;
        region_size_ = 60;
        futile_ = 0;
        if (stop.expired()) {
            is_new_ = true;
            return;
        }
        // A cooling that is under way goes on as it was; what it leads to is compared in the end.
        if (!annealing_) descend(flat(), *start, flat().weights(), stop);
        current_ = *start;
        keep(*start);
        if (!annealing_) anneals_ = may_anneal();
    }

    /// Moves of single vertices change trees whose key paths are short. Where weights differ much they are the odd
    /// workers' part.
    [[nodiscard]] bool may_anneal() const {
        if (mean_weight() <= 0) return false;
        if (prepared_.has_plateaus) return true;
        if (!is_odd_) return false;
        std::vector<int> degree(index(flat().size()), 0);
        std::size_t edges = 0;
        for (const int e : current_.edges) {
            if (e >= flat().first_prize_edge()) continue;
            ++edges;
            ++degree[index(flat().link(e).u)];
            ++degree[index(flat().link(e).v)];
        }
        std::size_t inner = 0;  // vertices of key paths
        for (Vertex v = 0; v < flat().size(); ++v) {
            const bool is_wanted = flat().is_terminal(v) || prizes(v) > 0;
            inner += degree[index(v)] == 2 && !is_wanted ? 1 : 0;
        }
        return static_cast<double>(edges) < edges_of_short_paths * static_cast<double>(edges - inner);
    }

    [[nodiscard]] double prizes(Vertex v) const {
        const Vertex given = flat().vertex(v);
        return given != no_vertex ? graph().prize(given) : 0;
    }

    /// Of the current tree's edges.
    [[nodiscard]] double mean_weight() const {
        double sum = 0;
        double count = 0;
        for (const int e : current_.edges) {
            if (e >= flat().first_prize_edge()) continue;
            sum += flat().link(e).weight;
            ++count;
        }
        return count > 0 ? sum / count : 0;
    }

    /// The best tree on the vertices that are left of this tree, joined by shortest paths where they must be.
    [[nodiscard]] std::optional<EdgeTree> as_reduced(const Tree& tree) const {
        const std::vector<char> in_graph = vertices_of(tree);
        std::vector<char> inside(index(flat().size()), 1);
        for (Vertex v = 0; v < flat().size(); ++v) {
            if (flat().vertex(v) != no_vertex) inside[index(v)] = in_graph[index(flat().vertex(v))];
        }
        std::vector<int> edges;
        for (int e = 0; e < flat().edge_count(); ++e) {
            if (inside[index(flat().link(e).u)] != 0 && inside[index(flat().link(e).v)] != 0) edges.push_back(e);
        }
        auto spanned = tree_among(flat(), std::move(edges), flat().weights());
        if (spanned && !has_detour(*spanned)) return spanned;
        const Vertex root = flat().has_copies() ? flat().anchor() : flat().terminals().front();
        auto joined = shortest_path_tree(flat(), root, flat().weights(), inside);
        if (joined && !has_detour(*joined)) return joined;
        return shortest_path_tree(flat(), root, flat().weights());
    }

    /// Does it run through a copy of a vertex with a prize?
    [[nodiscard]] bool has_detour(const EdgeTree& tree) const {
        return flat().has_copies() && tree.cost - flat().surplus() >= prepared_.detour;
    }

    /// (n) flags of what the tree holds of the reduced graph.
    [[nodiscard]] std::vector<char> vertices_of(const Tree& tree) const {
        std::vector<char> inside(index(graph().size()), 0);
        const auto mark = [&](Vertex v) {
            if (const Vertex now = graph().representative(v); now != no_vertex) inside[index(now)] = 1;
        };
        mark(tree.start);
        for (const Edge& edge : tree.edges) {
            mark(edge.u);
            mark(edge.v);
        }
        return inside;
    }

    /// A vertex with a prize that the tree holds, the richest one at first. False when there is none.
    bool choose_anchor() {
        const std::vector<char> inside = vertices_of(best_);
        std::vector<Vertex> candidates;
        for (Vertex v = 0; v < graph().size(); ++v) {
            if (inside[index(v)] != 0 && graph().prize(v) > 0) candidates.push_back(v);
        }
        if (candidates.empty()) return false;
        const Vertex richest = *std::max_element(candidates.begin(), candidates.end(), [&](Vertex a, Vertex b) {
            return graph().prize(a) < graph().prize(b);
        });
        const Vertex anchor = own_ ? candidates[random_.below(candidates.size())] : richest;
        own_.emplace(graph(), PrizeModel{.anchor = anchor, .detour = prepared_.detour});
        pool_ = {};
        kept_cost_ = std::numeric_limits<double>::infinity();
        return true;
    }

    void step(const StopToken& stop) {
        if (anneals_) return anneal(stop);
        const double kind = random_.uniform();
        if (kind < (flat().edge_count() > edges_of_a_large_graph ? 0.98 : 0.2)) return mend_region(stop);
        std::optional<EdgeTree> tree;
        const double draw = random_.uniform();
        if (draw < 0.25 && pool_.size() >= 2) {
            tree = pool_.combined(flat(), random_);
        } else if (draw < 0.4) {
            tree = grown_by_noise();
        } else {
            tree = shaken(stop);
        }
        if (!tree) return;
        tree->cost = cost_of(*tree, flat().weights());
        if (!descend(flat(), *tree, flat().weights(), stop) && tree->cost >= current_.cost) return;
        keep(*tree);
        // A little worse is a way out of a valley; the pool remembers the best.
        const double slack = 0.002 * random_.uniform() * (current_.cost - flat().surplus());
        if (tree->cost <= current_.cost + slack) current_ = *tree;
        if (++since_best_ % 200 == 0) current_ = pool_.best();
        if (own_ && since_best_ % 1000 == 0) is_new_ = true;  // to go on with another anchor
    }

    /// A part of a cooling. After the last one comes a descent, and the next cooling takes twice as long.
    void anneal(const StopToken& stop) {
        if (!annealing_) {
            const double mean = mean_weight();
            anneals_ = mean > 0;
            if (!anneals_) return;
            annealing_.emplace(flat(), current_);
            moves_done_ = 0;
            if (moves_ == 0) moves_ = moves_per_vertex * flat().size();
            hottest_ = mean * (0.15 + 0.1 * random_.uniform());
            coldest_ = 0.03 * mean;
            first_penalty_ = 1.2 * mean;
            last_penalty_ = mean * (2 + random_.uniform());
        }
        // Trees may be apart at first, and must hang together in the end.
        const double part = static_cast<double>(moves_done_) / static_cast<double>(moves_);
        const std::int64_t moves =
            moves_per_step + (prepared_.has_plateaus ? 0 : moves_per_edge * flat().edge_count());
        annealing_->run(moves,
                        {.temperature = hottest_ * std::pow(coldest_ / hottest_, part),
                         .penalty = first_penalty_ + (last_penalty_ - first_penalty_) * part},
                        random_, stop);
        moves_done_ += moves;
        if (annealing_->best().cost < kept_cost_) keep(annealing_->best());
        if (moves_done_ < moves_ || stop.expired()) return;
        EdgeTree coldest_tree = annealing_->best();
        descend(flat(), coldest_tree, flat().weights(), stop);
        keep(coldest_tree);
        current_ = std::move(coldest_tree);
        annealing_.reset();
        if (moves_ < largest_cooling) moves_ *= 2;
        if (own_) is_new_ = true;  // to go on with another anchor
    }

    /// Solves a small part of the current tree. Parts grow when all around nothing is left to gain.
    void mend_region(const StopToken& stop) {
        const Vertex centre = end_of(current_.edges[random_.below(current_.edges.size())]);
        const auto size = static_cast<std::size_t>(static_cast<double>(region_size_) * (0.5 + random_.uniform()));
        if (improve_region(flat(), current_, {centre, size, 10}, prepared_.search->whole_weights, stop)) {
            futile_ = 0;
            return keep(current_);
        }
        if (++futile_ <= 1 + 2 * current_.edges.size() / region_size_) return;
        futile_ = 0;
        if (region_size_ < largest_region) region_size_ += region_size_ / 2;
    }

    /// An end of the edge that is no copy; of edges about a prize the vertex that has it.
    [[nodiscard]] Vertex end_of(int e) const {
        const int first = flat().first_prize_edge();
        return flat().link(e > first ? e - (e - first) % 2 : e).u;
    }

    /// Shortest paths under noisy weights, from any terminal.
    [[nodiscard]] std::optional<EdgeTree> grown_by_noise() {
        std::vector<double> noisy(flat().weights());
        const double noise = 0.1 + 0.9 * random_.uniform();
        for (int e = 0; e < flat().edge_count(); ++e) {
            noisy[static_cast<std::size_t>(e)] = flat().scaled(e, 1 + noise * random_.uniform());
        }
        const auto terminals = flat().terminals();
        return shortest_path_tree(flat(), terminals[random_.below(terminals.size())], noisy);
    }

    /// The current tree after a descent by weights that are wrong around a random place.
    [[nodiscard]] std::optional<EdgeTree> shaken(const StopToken& stop) {
        std::vector<double> noisy(flat().weights());
        const std::size_t wanted = 5 + random_.below(std::min<std::size_t>(index(flat().size()), 60));
        std::vector<char> seen(index(flat().size()), 0);
        std::vector<Vertex> around = {static_cast<Vertex>(random_.below(index(flat().size())))};
        seen[index(around.front())] = 1;
        const int given = flat().first_prize_edge();
        for (std::size_t k = 0; k < around.size() && around.size() < wanted; ++k) {
            for (const auto& arc : flat().arcs(around[k])) {
                if (seen[index(arc.to)] != 0 || arc.edge >= given) continue;
                seen[index(arc.to)] = 1;
                around.push_back(arc.to);
            }
        }
        for (const Vertex v : around) {
            for (const auto& arc : flat().arcs(v)) {
                if (arc.edge >= given && v == flat().anchor()) continue;
                // What a prize is worth is in the weight of losing it.
                const int e = arc.edge >= given ? arc.edge + 1 - (arc.edge - given) % 2 : arc.edge;
                double& w = noisy[static_cast<std::size_t>(e)];
                w = flat().offset(e) + (w - flat().offset(e)) * (0.5 + random_.uniform());
            }
        }
        EdgeTree tree = current_;
        tree.cost = cost_of(tree, noisy);
        descend(flat(), tree, noisy, stop);
        return tree;
    }

    void keep(const EdgeTree& tree) {
        pool_.add(tree);
        kept_cost_ = std::min(kept_cost_, tree.cost);
        if (graph().fixed_cost() + tree.cost - flat().surplus() >= best_cost_ * (1 - 1e-12)) return;
        Tree whole = postsolved(*prepared_.problem, prepared_.search->graph, flat(), tree.edges);
        const double cost = prepared_.problem->cost(whole);
        if (cost >= best_cost_) return;
        best_ = std::move(whole);
        best_cost_ = cost;
        since_best_ = 0;
    }

    const Prepared& prepared_;
    Random random_;
    bool is_odd_;
    bool anneals_ = false;
    Tree best_;
    double best_cost_ = std::numeric_limits<double>::infinity();
    bool is_new_ = true;
    std::optional<FlatGraph> own_;
    bool has_start_ = false;
    std::optional<VertexAnnealing> annealing_;
    std::int64_t moves_ = 0;  // of this cooling
    std::int64_t moves_done_ = 0;
    double hottest_ = 0, coldest_ = 0;
    double first_penalty_ = 0, last_penalty_ = 0;
    double kept_cost_ = std::numeric_limits<double>::infinity();
    EdgeTree current_;
    Pool pool_;
    std::size_t region_size_ = 60;
    std::size_t futile_ = 0;  // regions in a row without gain
    std::int64_t since_best_ = 0;
};

class SteinerSearch final : public LocalSearch {
public:
    SteinerSearch(const Problem& problem, const StopToken& stop) {
        prepared_.problem = &problem;
        if (stop.expired()) return;
        prepared_.search = search_graph(problem, stop);
        if (prepared_.search == nullptr) return;
        constexpr double share_of_reductions = 0.3;
        reduce(prepared_.search->graph, stop.share(share_of_reductions));
        const Graph& graph = prepared_.search->graph;
        prepared_.has_plateaus = spread_of_weights(graph) < spread_of_plateaus;
        if (graph.has_prizes()) {
            prepared_.detour = 1 + graph.all_prizes();
            for (int e = 0; e < graph.edge_slots(); ++e) {
                if (graph.has(e)) prepared_.detour += graph.link(e).weight;
            }
        }
        if (graph.terminal_count() > 0) prepared_.flat.emplace(graph, PrizeModel{.detour = prepared_.detour});
    }

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<SteinerWorker>(prepared_, seed, stream);
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        if (prepared_.search == nullptr) return 1;
        const Graph& graph = prepared_.search->graph;
        const int size = prepared_.flat ? prepared_.flat->size() + prepared_.flat->edge_count()
                                        : graph.size() + graph.edge_count();
        // Steps with prizes look at the copies too, and take several times as long.
        return std::clamp((graph.has_prizes() ? 1000 : 5000) / std::max(size, 1), 1, 100);
    }

private:
    Prepared prepared_;
};

}  // namespace

}  // namespace steiner

bool steiner_search_suits(const Problem& problem) {
    return is_steiner(problem) || collects_prizes(problem);
}

std::unique_ptr<LocalSearch> prepare_steiner(const Problem& problem, int /*threads*/, const StopToken& stop) {
    return std::make_unique<steiner::SteinerSearch>(problem, stop);
}

}  // namespace neuroprim
