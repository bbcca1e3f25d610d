#include "search/branches/branch_worker.hpp"

#include <cmath>

namespace neuroprim::branches {

namespace {

/// Temperatures at the begin and at the end of a cycle, in parts of the mean cost per vertex.
constexpr double hot_share = 0.2;
constexpr double cold_share = 0.01;
/// Steps per vertex of the first descent; the first cycle is twice as long.
constexpr std::int64_t first_steps = 50;
/// After so many steps the penalty changes by this factor: up if fewer trees than this share were feasible.
constexpr int penalty_period = 200;
constexpr double penalty_factor = 1.05;
constexpr double feasible_share = 0.4;
/// One move in so many makes a branch of its own.
constexpr std::uint64_t one_of_its_own = 16;
/// Less than this part of a cost is rounding, not an improvement.
constexpr double rounding = 1e-11;

}  // namespace

BranchWorker::BranchWorker(const Problem& problem, const Neighbours& near, Random random)
    : problem_(&problem),
      near_(&near),
      random_(random),
      now_(problem),
      best_parent_(index(problem.size()), no_vertex),
      has_moved_(index(problem.size()), 0),
      steps_of_cycle_(first_steps * problem.size()) {}

void BranchWorker::adopt(const Tree& tree) {
    now_.load(tree);
    for (Vertex v = 0; v < problem_->size(); ++v) best_parent_[index(v)] = now_.parent(v);
    for (const Vertex v : moved_) has_moved_[index(v)] = 0;
    moved_.clear();
    best_cost_ = now_.cost();
    temperature_ = 0;
    steps_left_ = first_steps * problem_->size();
    penalty_ = 4 * best_cost_ / problem_->size();
}

Tree BranchWorker::tree() const {
    Tree tree{now_.root(), {}};
    tree.edges.reserve(index(problem_->size()) - 1);
    for (Vertex v = 0; v < problem_->size(); ++v) {
        if (v != now_.root()) tree.edges.push_back({best_parent_[index(v)], v});
    }
    return grown_from(tree, now_.root(), problem_->size());
}

void BranchWorker::keep_best() {
    best_cost_ = now_.cost();
    for (const Vertex v : moved_) {
        best_parent_[index(v)] = now_.parent(v);
        has_moved_[index(v)] = 0;
    }
    moved_.clear();
}

void BranchWorker::begin_cycle() {
    now_.load(tree());
    for (const Vertex v : moved_) has_moved_[index(v)] = 0;
    moved_.clear();
    steps_of_cycle_ *= 2;
    steps_left_ = steps_of_cycle_;
    temperature_ = hot_share * best_cost_ / problem_->size();
    cooling_ = std::pow(cold_share / hot_share, 1 / static_cast<double>(steps_of_cycle_));
}

void BranchWorker::adapt_penalty() {
    feasible_steps_ += now_.is_feasible() ? 1 : 0;
    if (++steps_of_penalty_ < penalty_period) return;
    penalty_ *= feasible_steps_ < feasible_share * steps_of_penalty_ ? penalty_factor : 1 / penalty_factor;
    feasible_steps_ = steps_of_penalty_ = 0;
}

std::int64_t BranchWorker::run(std::int64_t steps, const StopToken& stop) {
    if (problem_->size() < 3) return 0;
    std::int64_t done = 0;
    for (; done < steps && !stop.expired(); ++done) {
        if (step()) {
            now_.for_each_moved([&](Vertex v) {
                if (has_moved_[index(v)]) return;
                has_moved_[index(v)] = 1;
                moved_.push_back(v);
            });
            if (now_.is_feasible() && now_.cost() < best_cost_ * (1 - rounding)) keep_best();
        }
        adapt_penalty();
        temperature_ *= cooling_;
        if (--steps_left_ <= 0) begin_cycle();
    }
    return done;
}

/// A vertex alone or with what hangs from it.
void BranchWorker::choose_some(Vertex v, std::vector<Vertex>& vertices) {
    vertices.assign(1, v);
    if (random_.below(2) == 0) return;
    const auto subtree = now_.subtree(v);
    vertices.assign(subtree.begin(), subtree.end());
}

/// Tries one move; true when it was made.
bool BranchWorker::step() {
    const auto v = static_cast<Vertex>(random_.below(index(problem_->size())));
    const auto near = near_->of(v);
    if (v == now_.root() || near.empty()) return false;
    const int from = now_.branch(v);
    const int to = random_.below(one_of_its_own) == 0 ? -1 : now_.branch(near[random_.below(near.size())]);
    if (from == to) return false;
    choose_some(v, out_);
    in_.clear();
    if (to >= 0 && random_.below(2) == 0) {
        const auto members = now_.members(to);
        choose_some(members[random_.below(members.size())], in_);
    }
    const bool empties_from = out_.size() == now_.members(from).size();
    if (empties_from && (to < 0 || in_.size() == now_.members(to).size())) return false;

    // The descent keeps to feasible trees, so that short times end with the best of one descent.
    const double allowance = temperature_ == 0 ? 0 : -temperature_ * std::log(1 - random_.uniform());
    const double price = temperature_ == 0 ? Weights::infinity : penalty_;
    // Most moves are too heavy by far: no need to span anything.
    const double added = now_.overload_added(from, out_, to, in_);
    if (added > 0 && price * added - now_.most_saved(from, to) > allowance) return false;
    const auto change = now_.price(from, out_, to, in_);
    const double overload = change.overload > 0 || temperature_ > 0 ? price * change.overload : 0;
    if (change.cost + overload > allowance) return false;
    now_.make();
    return true;
}

}  // namespace neuroprim::branches
