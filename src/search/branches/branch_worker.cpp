#include "search/branches/branch_worker.hpp"

#include <algorithm>
#include <cmath>

namespace neuroprim::branches {

namespace {

/// Temperatures in parts of the mean cost per vertex: at the begin of a cycle, in its middle and at its end. Where
/// weights do not obey the triangle inequality, trees settle in the first half; on points, in the second one.
constexpr double hot_share = 0.35;
constexpr double cold_share = 0.1;
constexpr double frozen_share = 0.01;
/// Steps per vertex of the first descent; the first cycle is twice as long.
constexpr std::int64_t first_steps = 50;
/// The penalty changes by this factor so many times in a cycle, but not before so many steps. Faster than the tree
/// follows it would swing, and raise the cost each time.
constexpr double penalty_factor = 1.03;
constexpr std::int64_t penalties_of_cycle = 500;
constexpr std::int64_t least_penalty_period = 200;
/// How many branches are to be overloaded at the begin of a cycle, as a share, and at its end, as a number.
constexpr double overloaded_share = 0.2;
constexpr double overloaded_at_end = 0.3;
/// The first penalty of what a vertex demands on average, in parts of the mean cost per vertex.
constexpr double first_penalty = 4;
/// The shares of vertices that try a branch of their own, and of the kinds of exchange with another branch.
constexpr double own_share = 1.0 / 16;
constexpr double move_share = 0.4;
constexpr double exchange_share = 0.4;
constexpr double path_share = 0.1;  // cycles of three branches are the rest
/// Dives begin after a cycle of so many steps per vertex: shorter ones meet too few branches worth keeping.
constexpr std::int64_t least_steps_before_dives = 3000;
/// How long dives may take after a cycle, in parts of the cycle: more after a better tree, less after none.
constexpr double least_dives_share = 0.25;
constexpr double most_dives_share = 4;
/// How many vertices a window has, and how many times it tries to win one more branch, per vertex.
constexpr std::size_t least_window = 20;
constexpr std::size_t most_window = 60;
constexpr std::size_t tries_per_window = 4;
/// Asking whether to stop takes as long as a quarter of a step.
constexpr std::int64_t steps_per_question = 16;
/// Less than this part of a cost is rounding, not an improvement.
constexpr double rounding = 1e-11;

}  // namespace

BranchWorker::BranchWorker(const Problem& problem, const WeightTable& weights, const Neighbours& near, Random random,
                           bool dives)
    : problem_(&problem),
      weights_(&weights),
      near_(&near),
      random_(random),
      now_(problem, weights),
      best_parent_(index(problem.size()), no_vertex),
      has_moved_(index(problem.size()), 0),
      steps_of_cycle_(first_steps * problem.size()) {
    if (dives) dives_.emplace(problem, weights, Random(random_.next()));
}

void BranchWorker::adopt(const Tree& tree) {
    take(tree);
    temperature_ = 0;
    steps_left_ = first_steps * problem_->size();
    steps_of_dives_ = 0;
    window_.reset();
    double demand = 0;
    for (Vertex v = 0; v < problem_->size(); ++v) demand += v == now_.root() ? 0 : problem_->spec().demand(v);
    penalty_ = demand > 0 ? first_penalty * best_cost_ / demand : 0;
    forget_penalties();
}

void BranchWorker::adopt(const Tree& tree, const WindowEffort& effort) {
    adopt(tree);
    steps_of_cycle_ = effort.steps / 2;
    steps_left_ = effort.steps;
    heat_ = effort.heat;
    if (effort.anneals) begin_cycle();
}

/// Makes a tree the best one and the present one.
void BranchWorker::take(const Tree& tree) {
    now_.load(tree);
    for (Vertex v = 0; v < problem_->size(); ++v) best_parent_[index(v)] = now_.parent(v);
    forget_moves();
    best_cost_ = now_.cost();
}

Tree BranchWorker::tree() const {
    return tree_of(best_parent_);
}

Tree BranchWorker::tree_of(std::span<const Vertex> parent) const {
    Tree tree{now_.root(), {}};
    tree.edges.reserve(index(problem_->size()) - 1);
    for (Vertex v = 0; v < problem_->size(); ++v) {
        if (v != now_.root()) tree.edges.push_back({parent[index(v)], v});
    }
    return grown_from(tree, now_.root(), problem_->size());
}

void BranchWorker::keep_best() {
    best_cost_ = now_.cost();
    for (const Vertex v : moved_) best_parent_[index(v)] = now_.parent(v);
    forget_moves();
}

void BranchWorker::forget_moves() {
    for (const Vertex v : moved_) has_moved_[index(v)] = 0;
    moved_.clear();
}

void BranchWorker::begin_cycle() {
    now_.load(tree());
    forget_moves();
    steps_of_cycle_ *= 2;
    steps_left_ = steps_of_cycle_;
    temperature_ = hot_share * (heat_ > 0 ? heat_ : best_cost_ / problem_->size());
    const double half = static_cast<double>(steps_of_cycle_) / 2;
    cooling_ = std::pow(cold_share / hot_share, 1 / half);
    freezing_ = std::pow(frozen_share / cold_share, 1 / half);
    if (penalties_ > 0) penalty_ = std::exp(log_penalties_ / penalties_);
    forget_penalties();
}

void BranchWorker::forget_penalties() {
    log_penalties_ = 0;
    penalties_ = 0;
    overloaded_ = 0;
    steps_of_penalty_ = 0;
}

void BranchWorker::adapt_penalty() {
    overloaded_ += now_.overloaded();
    if (++steps_of_penalty_ < std::max(least_penalty_period, steps_of_cycle_ / penalties_of_cycle)) return;
    const double left = static_cast<double>(steps_left_) / static_cast<double>(steps_of_cycle_);
    const double at_begin = overloaded_share * now_.branches();
    const double goal = overloaded_at_end * std::pow(at_begin / overloaded_at_end, left);
    const bool too_many = static_cast<double>(overloaded_) > goal * static_cast<double>(steps_of_penalty_);
    penalty_ *= too_many ? penalty_factor : 1 / penalty_factor;
    log_penalties_ += penalty_ > 0 ? std::log(penalty_) : 0;
    ++penalties_;
    overloaded_ = 0;
    steps_of_penalty_ = 0;
}

std::int64_t BranchWorker::run(std::int64_t steps, const StopToken& stop) {
    if (problem_->size() < 3) return 0;
    std::int64_t done = std::min(steps, steps_ahead_);
    steps_ahead_ -= done;
    while (done < steps) {
        const bool dives = steps_of_dives_ > 0;
        if ((dives || done % steps_per_question == 0) && stop.expired()) break;
        if (!dives) {
            anneal();
            ++done;
            continue;
        }
        done += dive();
        steps_ahead_ = std::max<std::int64_t>(0, done - steps);
        done -= steps_ahead_;
    }
    return done;
}

/// One step of the annealing, and what it leads to.
void BranchWorker::anneal() {
    if (step()) {
        now_.for_each_moved([&](Vertex v) {
            if (has_moved_[index(v)]) return;
            has_moved_[index(v)] = 1;
            moved_.push_back(v);
        });
        if (dives_ && temperature_ > 0 && 2 * steps_left_ < steps_of_cycle_) offer_branches();
        if (now_.is_feasible() && now_.cost() < best_cost_ * (1 - rounding)) keep_best();
    }
    if (temperature_ > 0) adapt_penalty();
    temperature_ *= 2 * steps_left_ > steps_of_cycle_ ? cooling_ : freezing_;
    if (--steps_left_ > 0) return;
    const bool dives = dives_ && temperature_ > 0 && steps_of_cycle_ >= least_steps_before_dives * problem_->size();
    if (dives && dives_->has_hope(best_cost_)) {
        steps_of_dives_ = static_cast<std::int64_t>(dives_share_ * static_cast<double>(steps_of_cycle_));
        cost_before_dives_ = best_cost_;
        dives_before_ = dives_->dives();
    } else {
        begin_cycle();
    }
}

void BranchWorker::offer_branches() {
    now_.for_each_new_branch([&](int branch) {
        if (!now_.is_overloaded(branch)) dives_->offer(now_.members(branch), now_.cost(branch), best_cost_);
    });
}

/// One piece of the work of dives. Returns how many steps it took.
std::int64_t BranchWorker::dive() {
    std::int64_t steps = 0;
    if (window_) {
        steps = dive_in_window();
        windows_ahead_ += steps;
    } else if (windows_ahead_ < 0 && dives_->is_solved()) {
        steps = open_window();
        windows_ahead_ += steps;
    } else {
        steps = dives_->advance(best_cost_);
        windows_ahead_ -= steps;
        if (dives_->found()) take(*dives_->found());
    }
    steps_of_dives_ -= steps;
    if (!dives_->has_hope(best_cost_)) steps_of_dives_ = 0;
    if (steps_of_dives_ > 0) return steps;
    window_.reset();
    adapt_dives_share();
    begin_cycle();
    return steps;
}

void BranchWorker::adapt_dives_share() {
    if (best_cost_ < cost_before_dives_) {
        dives_share_ = std::min(2 * dives_share_, most_dives_share);
    } else if (dives_->dives() > dives_before_) {
        dives_share_ = std::max(dives_share_ / 2, least_dives_share);
    }
}

/// Branches of the best tree, each one near to another one of them. Returns how many steps it took.
std::int64_t BranchWorker::open_window() {
    now_.load(tree());
    const std::size_t size = least_window + random_.below(most_window - least_window + 1);
    std::vector<Vertex> vertices;
    std::vector<char> is_in(index(problem_->size()), 0);
    double cost = 0;
    const auto add_branch_of = [&](Vertex v) {
        if (v == now_.root() || is_in[index(v)]) return;
        cost += now_.cost(now_.branch(v));
        for (const Vertex u : now_.members(now_.branch(v))) {
            is_in[index(u)] = 1;
            vertices.push_back(u);
        }
    };
    while (vertices.empty()) add_branch_of(static_cast<Vertex>(random_.below(index(problem_->size()))));
    for (std::size_t tries = 0; tries < tries_per_window * size && vertices.size() < size; ++tries) {
        add_branch_of(near_to(vertices[random_.below(vertices.size())]));
    }
    const Random random(random_.next());
    window_ = std::make_unique<BranchWindow>(*problem_, *weights_, dives_->pool(), vertices, cost, random);
    return static_cast<std::int64_t>(dives_->pool().vertex_count() + vertices.size() * vertices.size()) / 32 + 1;
}

std::int64_t BranchWorker::dive_in_window() {
    const std::int64_t steps = window_->advance();
    if (window_->has_improved()) {
        std::vector<Vertex> parent = best_parent_;
        for (const auto& [u, v] : window_->parents()) parent[index(v)] = u;
        take(tree_of(parent));
    }
    if (window_->is_done()) {
        window_->offer_to(*dives_);
        window_.reset();
    }
    return steps;
}

/// A vertex alone or with what hangs from it.
std::span<const Vertex> BranchWorker::some_at(Vertex v, std::vector<Vertex>& vertices) {
    vertices.clear();
    if (random_.below(2) == 0) {
        vertices.push_back(v);
    } else {
        now_.add_subtree(v, vertices);
    }
    return vertices;
}

/// One of its near vertices, rather one of the nearest; the vertex itself if it has none.
Vertex BranchWorker::near_to(Vertex v) {
    const auto near = near_->of(v);
    const double share = random_.uniform();
    return near.empty() ? v : near[static_cast<std::size_t>(share * share * static_cast<double>(near.size()))];
}

/// Some vertices go to the branch of a near vertex, or to one of their own. Some of that branch may go on to a third
/// one, or back.
bool BranchWorker::choose_exchange() {
    const auto v = static_cast<Vertex>(random_.below(index(problem_->size())));
    if (v == now_.root()) return false;
    const int from = now_.branch(v);
    const Vertex u = random_.uniform() < own_share ? now_.root() : near_to(v);
    const int to = now_.branch(u);
    if (from == to) return false;
    parts_.clear();
    parts_.push_back({from, some_at(v, moving_[0])});
    const bool empties_from = moving_[0].size() == now_.members(from).size();
    if (to < 0) {
        parts_.push_back({to, {}});
        return !empties_from;
    }
    const double kind = random_.uniform();
    if (kind < move_share) {
        parts_.push_back({to, {}});
        return true;
    }
    const auto members = now_.members(to);
    const Vertex x = members[random_.below(members.size())];
    parts_.push_back({to, some_at(x, moving_[1])});
    if (kind < move_share + exchange_share) return !empties_from || moving_[1].size() < members.size();
    const int third = now_.branch(near_to(x));
    if (third < 0 || third == from || third == to) return false;
    if (kind < move_share + exchange_share + path_share) {
        parts_.push_back({third, {}});
        return true;
    }
    const auto last = now_.members(third);
    parts_.push_back({third, some_at(last[random_.below(last.size())], moving_[2])});
    return true;
}

/// Tries one exchange; true when it was made.
bool BranchWorker::step() {
    if (!choose_exchange()) return false;
    // The descent keeps to feasible trees, so that short times end with the best of one descent.
    const bool descends = temperature_ == 0;
    const double added = now_.overload_added(parts_);
    if (descends && added > 0) return false;
    const double allowance = descends ? 0 : -temperature_ * std::log(1 - random_.uniform());
    const double price = descends ? 0 : penalty_;
    // Most exchanges are too heavy by far: no need to span anything.
    if (price * added - now_.most_saved(parts_) > allowance) return false;
    if (now_.cost_added(parts_) + price * added > allowance) return false;
    const auto change = now_.price(parts_);
    if (change.cost + price * change.overload > allowance || (descends && change.overload > 0)) return false;
    now_.make();
    return true;
}

}  // namespace neuroprim::branches
