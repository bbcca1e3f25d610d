#include "search/windows/prize_looks.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "policy/planar_features.hpp"
#include "problems/kinds.hpp"
#include "search/windows/large_graphs.hpp"
#include "search/windows/window_trees.hpp"

namespace neuroprim {

namespace {

/// The last of them sees all vertices.
constexpr std::uint64_t looks_of_pass = 8;
constexpr double hidden_outside = 0.5;
constexpr int hidden_inside = 2;
constexpr std::size_t seen_near = 4;  // of each vertex of the tree
/// The start hardly matters where a tree has all prizes.
constexpr std::size_t starts_of_look = 2;

Vertex place_in(const std::vector<Vertex>& vertices, Vertex v) {
    return static_cast<Vertex>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
}

}  // namespace

bool has_prize_looks(const Problem& problem) {
    return collects_prizes(problem) && problem.size() <= most_trained;
}

PrizeLooks::PrizeLooks(const Policy& policy, const Problem& problem, Tree tree, std::uint64_t seed, int threads,
                       const StopToken& stop)
    : policy_(&policy),
      problem_(&problem),
      tree_(std::move(tree)),
      cost_(problem.cost(tree_)),
      near_(nearest_neighbours(problem.weights(), seen_near, threads, stop)),
      points_(policy::feature_points(problem.instance(), [&stop] { return stop.expired(); })),
      all_(index(problem.size())),
      seed_(seed),
      threads_(threads) {
    std::iota(all_.begin(), all_.end(), 0);
}

std::vector<double> PrizeLooks::visible_prizes(const RootedTree& tree, Random& random) const {
    std::vector<double> prizes = problem_->spec().prizes;
    for (Vertex v = 0; v < problem_->size(); ++v) {
        if (!tree.contains(v) && random.uniform() < hidden_outside) prizes[index(v)] = 0;
    }
    for (int k = 0; k < hidden_inside; ++k) prizes[index(tree.order[random.below(tree.order.size())])] = 0;
    return prizes;
}

std::vector<Vertex> PrizeLooks::vertices_around(const RootedTree& tree) const {
    std::vector<bool> is_seen(index(problem_->size()), false);
    for (const Vertex v : tree.order) {
        is_seen[index(v)] = true;
        for (const Vertex u : near_.of(v)) is_seen[index(u)] = true;
    }
    std::vector<Vertex> result;
    for (Vertex v = 0; v < problem_->size(); ++v) {
        if (is_seen[index(v)]) result.push_back(v);
    }
    return result;
}

std::optional<Tree> PrizeLooks::look(const std::vector<Vertex>& vertices, const std::vector<double>& prizes,
                                     Random random, int symmetry, const StopToken& stop) const {
    const TreeSpec& all = problem_->spec();
    Instance part;
    part.weights = induced(problem_->weights(), vertices);
    TreeSpec spec;
    spec.coverage = all.coverage;
    if (all.root) spec.root = place_in(vertices, *all.root);
    for (const Vertex v : all.terminals) spec.terminals.push_back(place_in(vertices, v));
    std::vector<Point> points;
    for (const Vertex v : vertices) {
        spec.prizes.push_back(prizes[index(v)]);
        points.push_back(points_[index(v)]);
    }
    const Problem seen(part, std::move(spec), std::string(problem_->name()));
    const std::vector<Vertex> allowed = seen.starts();
    std::vector<Start> starts(std::min(starts_of_look, allowed.size()));
    for (std::size_t k = 0; k < starts.size(); ++k) starts[k] = {allowed[random.below(allowed.size())], k};
    WindowLook way;
    way.starts = std::move(starts);
    way.points = points;
    way.first_view = symmetry;
    way.threads = threads_;
    std::optional<Tree> best;
    double cheapest = cost_ * (1 - 1e-12);
    offer_window_trees(*policy_, seen, way, stop, [&](const Tree& grown) {
        Tree tree{vertices[index(grown.start)], {}};
        for (const auto& [u, v] : grown.edges) tree.edges.push_back({vertices[index(u)], vertices[index(v)]});
        tree = problem_->pruned(std::move(tree));
        const double cost = problem_->cost(tree);
        if (cost >= cheapest) return;
        cheapest = cost;
        best = std::move(tree);
    });
    return best;
}

double PrizeLooks::pass(const StopToken& stop) {
    const double before = cost_;
    try {
        for (std::uint64_t k = 1; k <= looks_of_pass && !stop.expired(); ++k) {
            Random random(seed_, passes_ * looks_of_pass + k);
            const RootedTree rooted = hang(tree_, tree_.start, problem_->size());
            const std::vector<double> prizes = visible_prizes(rooted, random);
            const auto symmetry = static_cast<int>((passes_ + k) % square_symmetries);
            auto better = look(k == looks_of_pass ? all_ : vertices_around(rooted), prizes, random, symmetry, stop);
            if (!better) continue;
            tree_ = std::move(*better);
            cost_ = problem_->cost(tree_);
        }
    } catch (const Interrupted&) {
    }
    ++passes_;
    return before - cost_;
}

}  // namespace neuroprim
