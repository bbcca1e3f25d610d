#include "search/swaps/swap_worker.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/swaps/optional_vertices.hpp"

namespace neuroprim::swaps {

namespace {

/// So many edges of a cycle are all judged; of more the most promising only, the rest with luck, in perturbations.
constexpr std::size_t few_removals = 6;
constexpr std::size_t judged_removals = 3;

/// Less than this part of the cost is rounding, not an improvement.
constexpr double rounding = 1e-11;

/// How often a step that made the tree a little worse is kept all the same, and how much worse it may be.
constexpr double tolerated_share = 0.1;
constexpr double tolerated_loss = 0.01;

}  // namespace

SwapWorker::SwapWorker(const Problem& problem, const Neighbours& near, Random random)
    : IteratedLocalSearch(random),
      problem_(&problem),
      near_(&near),
      additive_(problem.cost_is_total_weight()),
      now_(problem),
      queued_(index(problem.size()), false) {
    for (Vertex v = 0; v < problem.size() && !optional_; ++v) optional_ = !problem.required(v);
}

void SwapWorker::adopt(const Tree& tree) {
    best_ = problem_->pruned(tree);
    best_cost_ = problem_->cost(best_);
    load(best_, best_cost_);
    begin_anew();
    queue_.clear();
    std::fill(queued_.begin(), queued_.end(), false);
    for (Vertex v = 0; v < problem_->size(); ++v) look_at(v);
}

void SwapWorker::load(const Tree& tree, double cost) {
    now_.load(tree);
    cost_ = cost;
}

void SwapWorker::keep_if_best() {
    if (!(cost_ < best_cost_)) return;
    best_ = now_.tree();
    best_cost_ = cost_;
}

void SwapWorker::look_at(Vertex v) {
    if (queued_[index(v)]) return;
    queued_[index(v)] = true;
    queue_.push_back(v);
}

void SwapWorker::look_around(Vertex v) {
    look_at(v);
    if (now_.contains(v) && now_.parent(v) != no_vertex) look_at(now_.parent(v));
    for (const Vertex u : near_->of(v)) look_at(u);
}

bool SwapWorker::accepts(double before, Random& random) const {
    if (cost_ <= before) return true;
    return cost_ <= best_cost_ * (1 + tolerated_loss) && random.uniform() < tolerated_share;
}

void SwapWorker::remember() {
    before_ = now_.tree();
    cost_before_ = cost_;
}

void SwapWorker::go_back() {
    load(before_, cost_before_);
    for (const Vertex v : queue_) queued_[index(v)] = false;  // what a descent that was cut short left over
    queue_.clear();
}

bool SwapWorker::descend(Random& random, const StopToken& stop) {
    // A queue that is read from the front and compacted when it runs empty.
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        const Vertex v = queue_[head];
        queued_[index(v)] = false;
        while (improve_at(v, random, stop)) {
        }
        if (stop.expired()) {
            queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head) + 1);
            look_at(v);
            return false;
        }
    }
    queue_.clear();
    return true;
}

void SwapWorker::choose_candidates(Vertex v, Random& random) {
    const auto near = near_->of(v);
    candidates_.assign(near.begin(), near.end());
    const auto add = [&](Vertex u) {
        if (u != v && std::find(candidates_.begin(), candidates_.end(), u) == candidates_.end())
            candidates_.push_back(u);
    };
    for (const Vertex hub : now_.hubs()) add(hub);
    add(now_.root());
    add(static_cast<Vertex>(random.below(index(problem_->size()))));
}

bool SwapWorker::improve_at(Vertex v, Random& random, const StopToken& stop) {
    if (optional_ && !problem_->required(v) && improve_by_optional(v, random, stop)) return true;
    if (!now_.contains(v)) return false;
    choose_candidates(v, random);
    for (const Vertex u : candidates_) {
        if (now_.contains(u) && improve_by_edge({v, u}, stop)) return true;
        if (stop.expired()) return false;
    }
    return false;
}

bool SwapWorker::improve_by_edge(Edge added, const StopToken& stop) {
    if (now_.adjacent(added.u, added.v)) return false;
    const double weight = problem_->weights()(added.u, added.v);
    if (weight == Weights::infinity) return false;
    now_.path(added.u, added.v, path_);
    choose_removals(added, weight);
    for (const Vertex lower : path_) {
        if (stop.expired()) return false;
        const Vertex upper = now_.parent(lower);
        if (!take_if_better(now_.exchanged(lower, added), added)) continue;
        look_around(lower);
        look_around(upper);
        return true;
    }
    return false;
}

/// Thins the path out to the edges whose removal is worth a judgement. The edges above the new edge's own ends come
/// first: there a whole subtree moves and keeps its shape, which most rules allow. Then the heaviest.
void SwapWorker::choose_removals(Edge added, double added_weight) {
    const auto before = [&](Vertex a, Vertex b) {
        const bool own_a = a == added.u || a == added.v;
        const bool own_b = b == added.u || b == added.v;
        if (own_a != own_b) return own_a;
        const double wa = now_.weight_above(a);
        const double wb = now_.weight_above(b);
        return wa != wb ? wa > wb : a < b;
    };
    if (additive_) std::erase_if(path_, [&](Vertex lower) { return now_.weight_above(lower) <= added_weight; });
    std::sort(path_.begin(), path_.end(), before);
    if (path_.size() > few_removals) path_.resize(judged_removals);
}

bool SwapWorker::improve_by_optional(Vertex v, Random& random, const StopToken& stop) {
    if (now_.contains(v)) {
        if (v == now_.root() || now_.vertices().size() < 2) return false;
        auto without = without_vertex(now_, problem_->weights(), *near_, v);
        return without && take_if_better(std::move(*without), {v, now_.parent(v)});
    }
    choose_candidates(v, random);
    std::erase_if(candidates_, [&](Vertex u) { return !now_.contains(u) || !problem_->weights().has_edge(u, v); });
    if (candidates_.empty()) return false;
    edges_.clear();
    for (const Vertex u : candidates_) edges_.push_back({u, v});
    if (take_if_better(with_edges(now_, problem_->weights(), {}, edges_), {v, candidates_.front()})) return true;
    if (additive_ || stop.expired()) return false;
    // As a leaf it only adds weight; a cost of another kind may want it there.
    Tree leaf = now_.tree();
    leaf.edges.push_back({candidates_.front(), v});
    return take_if_better(std::move(leaf), {v, candidates_.front()});
}

bool SwapWorker::take_if_better(Tree candidate, Edge at) {
    candidate = problem_->pruned(grown_from(candidate, candidate.start, problem_->size()));
    const double cost = problem_->cost(candidate);
    if (!(cost < cost_ - rounding * std::abs(cost_))) return false;
    if (problem_->violation(candidate)) return false;
    load(candidate, cost);
    look_around(at.u);
    look_around(at.v);
    return true;
}

bool SwapWorker::take_if_feasible(Tree candidate, Edge at) {
    candidate = problem_->pruned(grown_from(candidate, candidate.start, problem_->size()));
    if (problem_->violation(candidate)) return false;
    const double cost = problem_->cost(candidate);
    load(candidate, cost);
    look_around(at.u);
    look_around(at.v);
    return true;
}

/// A vertex cannot leave the tree while it is the root; one that need not be in hands its place on.
void SwapWorker::change_root(Random& random) {
    const auto inside = now_.vertices();
    const Vertex root = inside[random.below(inside.size())];
    const auto starts = problem_->starts();
    if (root == now_.root() || std::find(starts.begin(), starts.end(), root) == starts.end()) return;
    Tree tree = now_.tree();
    tree.start = root;
    take_if_feasible(std::move(tree), {root, now_.root()});
}

void SwapWorker::perturb(Random& random, const StopToken& stop) {
    if (optional_ && !problem_->required(now_.root())) change_root(random);
    const auto n = index(problem_->size());
    const std::size_t wanted = 1 + random.below(4);
    constexpr int tries = 20;
    auto v = static_cast<Vertex>(random.below(n));
    std::size_t done = 0;
    for (int k = 0; k < tries && done < wanted && !stop.expired(); ++k) {
        const bool moved = optional_ && !problem_->required(v) ? random_optional(v, random)
                                                               : now_.contains(v) && random_exchange(v, random);
        if (moved) ++done;
        v = random_end(v, random);
    }
}

Vertex SwapWorker::random_end(Vertex v, Random& random) const {
    const auto near = near_->of(v);
    const std::size_t choice = random.below(near.size() + 2);
    if (choice < near.size()) return near[choice];
    if (choice == near.size()) return static_cast<Vertex>(random.below(index(problem_->size())));
    return now_.hubs()[random.below(now_.hubs().size())];
}

bool SwapWorker::random_exchange(Vertex v, Random& random) {
    const Vertex u = random_end(v, random);
    if (u == v || !now_.contains(u) || now_.adjacent(u, v) || !problem_->weights().has_edge(u, v)) return false;
    now_.path(u, v, path_);
    const Vertex lower = path_[random.below(path_.size())];
    const Vertex upper = now_.parent(lower);
    if (!take_if_feasible(now_.exchanged(lower, {v, u}), {v, u})) return false;
    look_around(lower);
    look_around(upper);
    return true;
}

bool SwapWorker::random_optional(Vertex v, Random& random) {
    if (now_.contains(v)) {
        if (v == now_.root() || now_.vertices().size() < 2) return false;
        if (random.below(2) == 0) return random_exchange(v, random);
        auto without = without_vertex(now_, problem_->weights(), *near_, v);
        return without && take_if_feasible(std::move(*without), {v, now_.parent(v)});
    }
    if (!problem_->required(now_.root()) && random.below(2) == 0) return random_leaf(v, random);
    return random_detour(v, random);
}

/// Where no vertex holds the tree in place it may wander: a new leaf here, and the descent drops an old one there.
bool SwapWorker::random_leaf(Vertex v, Random& random) {
    const Vertex u = random_end(v, random);
    if (!now_.contains(u) || !problem_->weights().has_edge(u, v)) return false;
    Tree tree = now_.tree();
    tree.edges.push_back({u, v});
    return take_if_feasible(std::move(tree), {u, v});
}

/// Two random walks from the outside vertex `v` till they meet the tree; their edges are in whatever they weigh.
bool SwapWorker::random_detour(Vertex v, Random& random) {
    edges_.clear();
    if (!walk_to_tree(v, random) || !walk_to_tree(v, random)) return false;
    const Edge last = edges_.back();
    return take_if_feasible(with_edges(now_, problem_->weights(), edges_, {}), {v, last.v});
}

bool SwapWorker::walk_to_tree(Vertex v, Random& random) {
    constexpr int longest_walk = 6;
    for (int k = 0; k < longest_walk; ++k) {
        const Vertex next = random_end(v, random);
        if (next == v || !problem_->weights().has_edge(v, next)) continue;
        edges_.push_back({v, next});
        if (now_.contains(next)) return true;
        v = next;
    }
    return false;
}

}  // namespace neuroprim::swaps
