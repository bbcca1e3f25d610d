#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/levels/cooling.hpp"
#include "search/levels/level_annealing.hpp"
#include "search/levels/level_profile.hpp"
#include "search/levels/level_tree.hpp"
#include "search/local_search.hpp"
#include "search/rooted/cycle_plan.hpp"

namespace neuroprim::levels {

/// So many moves are proposed in one step of the search: as many as take about as long as a step of other searches.
constexpr int moves_per_step = 32;

/// Anneals the levels of all vertices in cycles, each twice as long as the one before and begun from the best tree.
/// The last one before a deadline is as long as the time allows.
template <class Reach>
class LevelWorker final : public SearchWorker {
public:
    using Graph = typename Reach::Graph;

    /// What it is given must outlive it.
    LevelWorker(const Problem& problem, const Graph& graph, Random random)
        : problem_(&problem),
          graph_(&graph),
          hops_(levels_in(problem)),
          random_(random),
          tree_(graph.size()),
          reach_(graph, tree_, hops_),
          annealing_(tree_, reach_, hops_, movable(), shallow_root(problem, graph)),
          is_changed_(index(graph.size()), 0) {}

    void adopt(const Tree& tree) override {
        best_ = levels_of(tree, *problem_, *graph_);
        hang_by_levels<Reach>(tree_, reach_, best_);
        best_cost_ = Weights::infinity;
        changed_.resize(index(graph_->size()));
        std::iota(changed_.begin(), changed_.end(), 0);
        keep_best();
        steps_of_cycle_ = first_steps() / 2;
        steps_left_ = 0;
        is_last_ = false;
    }

    std::int64_t run(std::int64_t steps, const StopToken& stop) override {
        if (graph_->size() < 3 || (hops_ < 2 && !problem_->spec().diameter)) return 0;
        std::int64_t done = 0;
        plan_.count(0, stop);
        if (is_last_) steps_left_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(plan_.fitting(stop)));
        for (; done < steps && !stop.expired(); ++done) {
            if (steps_left_ <= 0) begin_cycle(stop);
            const double temperature = cooling_.at(over_) * best_cost_ / static_cast<double>(graph_->size());
            for (int k = 0; k < moves_per_step; ++k) {
                if (annealing_.step(temperature, random_)) note(annealing_.move());
            }
            plan_.count(1, stop);
            over_ += (1 - over_) / static_cast<double>(steps_left_--);
        }
        return done;
    }

    void use_clock(bool uses) override { plan_.use_clock(uses); }
    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override {
        LevelTree best(graph_->size());
        Reach reach(*graph_, best, hops_);
        hang_by_levels<Reach>(best, reach, best_);
        return named_tree(*graph_, [&](Vertex v) { return best.parent(v); });
    }

private:
    /// Moves per vertex of the first cycle.
    static constexpr std::int64_t moves_at_first = 100;
    static constexpr double hottest = 0.5;
    static constexpr double rounding = 1e-11;

    [[nodiscard]] std::int64_t first_steps() const {
        return std::max<std::int64_t>(2, moves_at_first * graph_->size() / moves_per_step);
    }

    /// All vertices but a root that has to be in the centre.
    [[nodiscard]] std::vector<Vertex> movable() const {
        std::vector<Vertex> result(index(graph_->size()));
        std::iota(result.begin(), result.end(), 0);
        const auto [root, deepest] = shallow_root(*problem_, *graph_);
        if (root != no_vertex && deepest == 0) std::erase(result, root);
        return result;
    }

    void begin_cycle(const StopToken& stop) {
        if (tree_.cost() > best_cost_) hang_by_levels<Reach>(tree_, reach_, best_);
        const std::int64_t wished = 2 * steps_of_cycle_;
        steps_of_cycle_ = steps_left_ = plan_.steps(wished, stop);
        is_last_ = steps_left_ != wished;
        over_ = 0;
        cooling_ = cooling_for(static_cast<double>(steps_of_cycle_) * moves_per_step / graph_->size(), hottest);
    }

    void note(const LevelMove& move) {
        for (const Vertex v : {move.down, move.up}) {
            if (v == no_vertex || is_changed_[index(v)]) continue;
            is_changed_[index(v)] = 1;
            changed_.push_back(v);
        }
        if (tree_.cost() < best_cost_ * (1 - rounding)) keep_best();
    }

    /// Costs no more than the moves since the last time did.
    void keep_best() {
        best_cost_ = tree_.cost();
        for (const Vertex v : changed_) {
            best_[index(v)] = static_cast<std::int16_t>(tree_.level(v));
            is_changed_[index(v)] = 0;
        }
        changed_.clear();
    }

    const Problem* problem_;
    const Graph* graph_;
    int hops_;
    Random random_;
    LevelTree tree_;
    Reach reach_;
    LevelAnnealing<Reach> annealing_;
    std::vector<std::int16_t> best_;  // (n) levels
    double best_cost_ = Weights::infinity;
    std::vector<Vertex> changed_;   // levels, since the tree was the best one
    std::vector<char> is_changed_;  // (n)
    Cooling cooling_;
    std::int64_t steps_of_cycle_ = 0;
    std::int64_t steps_left_ = 0;  // of the cycle
    double over_ = 0;              // part of the cycle
    bool is_last_ = false;         // it ends with the time: its length follows the pace
    rooted::CyclePlan plan_;
};

}  // namespace neuroprim::levels
