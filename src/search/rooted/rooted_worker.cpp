#include "search/rooted/rooted_worker.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/rooted/path_lists.hpp"
#include "search/rooted/vertex_exchange.hpp"

namespace neuroprim::rooted {

namespace {

/// Temperatures at the begin and at the end of a cycle, in parts of the mean cost per vertex.
constexpr double hot_share = 0.2;
constexpr double cold_share = 0.005;
/// Steps per vertex of the first descent; the first cycle is twice as long.
constexpr std::int64_t first_steps = 20;
/// How often a vertex becomes a hub where hops are limited, and the steps around it that follow.
constexpr double promoted_share = 0.3;
constexpr int steps_around_hub = 5;
/// The same for a new centre of a tree of limited diameter; times n, because it costs O(n).
constexpr double centres_per_vertex = 2;
constexpr int steps_around_centre = 50;
/// How often two vertices exchange their places instead, where that pays.
constexpr double exchange_share = 0.1;
/// How many cycles begin around another centre than that of the best tree.
constexpr double cycles_elsewhere = 0.75;

/// A ruin has up to this many vertices, or two or four times as many.
constexpr std::uint64_t small_ruin = 3;

}  // namespace

RootedWorker::RootedWorker(const Problem& problem, const Neighbours& near, Random random)
    : problem_(&problem),
      near_(&near),
      limits_hops_(problem.spec().hops || problem.spec().diameter),
      exchanges_(gains_by_exchanges(problem.spec())),
      has_centre_(ResourceTree::has_centre(problem.spec())),
      random_(random),
      now_(problem),
      step_(problem, near, now_) {
    if (joins_by_paths(problem)) paths_.emplace(problem, near, now_);
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (!paths_ || problem.required(v) || problem.spec().prize(v) > 0) seeds_.push_back(v);
    }
    steps_of_cycle_ = first_steps * static_cast<std::int64_t>(seeds_.size());
}

RootedWorker::RootedWorker(const Problem& problem, const Neighbours& near, Contraction contraction,
                           std::vector<Vertex> seeds, Random random)
    : problem_(&problem),
      near_(&near),
      limits_hops_(problem.spec().hops),
      exchanges_(gains_by_exchanges(problem.spec())),
      random_(random),
      now_(problem, std::move(contraction)),
      step_(problem, near, now_),
      seeds_(std::move(seeds)) {}

void RootedWorker::adopt(Vertex root, std::span<const Vertex> parent, const WindowEffort& effort) {
    now_.load(root, no_vertex, parent);
    best_cost_ = now_.cost();
    steps_of_cycle_ = steps_left_ = effort.steps;
    hot_ = 0;
    heat_ = effort.heat;
    if (effort.anneals) begin_annealing();
}

void RootedWorker::adopt(const Tree& tree) {
    Tree pruned = problem_->pruned(tree);
    if (const std::vector<Vertex> starts = problem_->starts(); paths_ && problem_->required(starts.front())) {
        pruned = grown_from(pruned, starts.front(), problem_->size());
    }
    now_.load(pruned);
    best_cost_ = now_.cost();
    hot_ = 0;
    steps_left_ = first_steps * static_cast<std::int64_t>(seeds_.size());
}

Tree RootedWorker::tree() const {
    if (hot_ == 0) return now_.tree();
    Tree result{best_.root, {}};
    for (Vertex v = 0; v < problem_->size(); ++v) {
        if (best_.parent[index(v)] != no_vertex) result.edges.push_back({best_.parent[index(v)], v});
    }
    return grown_from(result, best_.root, problem_->size());
}

/// Remembers who hangs elsewhere than in the best tree: to keep a better one costs no more than the way to it did.
void RootedWorker::note_changes() {
    if (hot_ == 0) return;
    now_.for_each_changed([&](Vertex v) {
        if (!is_changed_[index(v)]) changed_.push_back(v);
        is_changed_[index(v)] = 1;
    });
}

void RootedWorker::take_changes() {
    note_changes();
    now_.commit();
    if (now_.cost() < best_cost_ - rounding * std::abs(best_cost_)) keep_best();
}

void RootedWorker::keep_best() {
    best_cost_ = now_.cost();
    if (hot_ == 0) return;
    best_.root = now_.root();
    best_.twin = now_.twin();
    for (const Vertex v : changed_) {
        best_.parent[index(v)] = now_.parent(v);
        is_changed_[index(v)] = 0;
    }
    changed_.clear();
}

void RootedWorker::begin_cycle(const StopToken& stop) {
    if (hot_ > 0) now_.load(best_.root, best_.twin, best_.parent);
    steps_of_cycle_ = plan_.steps(2 * steps_of_cycle_, stop);
    steps_left_ = steps_of_cycle_;
    begin_annealing();
    if (has_centre_ && random_.uniform() < cycles_elsewhere) look_around_another_centre();
}

/// Whatever that costs at first: the cycle is for gaining it back.
void RootedWorker::look_around_another_centre() {
    if (move_centre()) {
        take_changes();
    } else {
        now_.roll_back();
    }
}

void RootedWorker::begin_annealing() {
    hot_ = hot_share * (heat_ > 0 ? heat_ : best_cost_ / static_cast<double>(seeds_.size()));
    best_.root = now_.root();
    best_.twin = now_.twin();
    best_.parent.resize(index(problem_->size()));
    for (Vertex v = 0; v < problem_->size(); ++v) best_.parent[index(v)] = now_.parent(v);
    changed_.clear();
    is_changed_.assign(index(problem_->size()), 0);
}

double RootedWorker::temperature() const {
    const double left = static_cast<double>(steps_left_) / static_cast<double>(steps_of_cycle_);
    return hot_ * std::pow(cold_share / hot_share, 1 - left);
}

std::int64_t RootedWorker::run(std::int64_t steps, const StopToken& stop) {
    if (problem_->size() < 3) return 0;
    std::int64_t done = 0;
    plan_.count(0, stop);
    for (; done < steps && !stop.expired(); ++done) {
        const double before = now_.cost();
        const double allowance = hot_ > 0 ? -temperature() * std::log(1 - random_.uniform()) : 0;
        if (change(allowance) && now_.cost() <= before + allowance + rounding * std::abs(before)) {
            take_changes();
        } else {
            now_.roll_back();
        }
        plan_.count(1, stop);
        if (--steps_left_ <= 0) begin_cycle(stop);
    }
    return done;
}

bool RootedWorker::change(double allowance) {
    if (paths_) return change_paths();
    const double centres = has_centre_ ? std::min(0.3, centres_per_vertex / problem_->size()) : 0;
    const double hubs = limits_hops_ ? promoted_share : 0;
    const double choice = random_.uniform();
    if (choice < centres) return move_centre();
    const Vertex seed = seeds_[random_.below(seeds_.size())];
    if (exchanges_ && random_.uniform() < exchange_share) return exchange_near(seed, allowance);
    if (choice < centres + hubs) return promote(seed);
    return step_.step(seed, 1 + random_.below(small_ruin << random_.below(3)), random_);
}

/// The first of the vertices near `v`, from one of them on, with which that costs no more than it may.
bool RootedWorker::exchange_near(Vertex v, double allowance) {
    const auto near = near_->of(v);
    if (near.empty()) return false;
    const std::size_t first = random_.below(near.size());
    for (std::size_t k = 0; k < near.size(); ++k) {
        const Vertex w = near[(first + k) % near.size()];
        if (exchange_cost(*problem_, now_, v, w) <= allowance) return exchange(now_, v, w);
    }
    return false;
}

/// Around something that the tree is for, or anywhere.
bool RootedWorker::change_paths() {
    const Vertex seed = random_.below(2) == 0 ? seeds_[random_.below(seeds_.size())]
                                              : static_cast<Vertex>(random_.below(index(problem_->size())));
    return paths_->step(seed, 1 + random_.below(small_ruin << random_.below(2)), random_);
}

/// A new hub, and what it lets the vertices around it gain at once.
bool RootedWorker::promote(Vertex hub) {
    if (!step_.promote(hub, random_)) return false;
    improve_around(hub, steps_around_hub);
    return true;
}

bool RootedWorker::move_centre() {
    const auto near_to = [&](Vertex v) {
        const auto near = near_->of(v);
        return near.empty() ? v : near[random_.below(near.size())];
    };
    const Vertex root = now_.root();
    const Vertex twin = now_.twin();
    if (*problem_->spec().diameter % 2 == 0) return improve_from_centre(near_to(root), no_vertex);
    // One end of the centre stays; the other one is near the former, or anywhere.
    const bool root_stays = twin == no_vertex || random_.below(2) == 0;
    const Vertex kept = root_stays ? root : twin;
    const Vertex former = root_stays && twin != no_vertex ? twin : root;
    const Vertex other =
        random_.below(2) == 0 ? near_to(former) : static_cast<Vertex>(random_.below(index(now_.size())));
    return improve_from_centre(kept, other);
}

bool RootedWorker::improve_from_centre(Vertex centre, Vertex twin) {
    const bool is_edge =
        twin == no_vertex || (twin != centre && now_.inside(twin) && problem_->weights().has_edge(centre, twin));
    if (!is_edge || !now_.inside(centre) || !step_.move_centre(centre, twin, random_)) return false;
    improve_around(centre, steps_around_centre);
    if (twin != no_vertex) improve_around(twin, steps_around_centre);
    return true;
}

void RootedWorker::improve_around(Vertex v, int steps) {
    for (int k = 0; k < steps; ++k) {
        const auto near = near_->of(v);
        if (near.empty()) return;
        v = near[random_.below(near.size())];
        const double before = now_.cost();
        const std::size_t changes = now_.changes();
        if (!step_.step(v, 1 + random_.below(small_ruin), random_) || now_.cost() > before) now_.roll_back(changes);
    }
}

}  // namespace neuroprim::rooted
