#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "neuroprim/problem.hpp"
#include "search/levels/level_moves.hpp"
#include "search/levels/level_profile.hpp"
#include "search/levels/level_window.hpp"
#include "search/levels/level_worker.hpp"
#include "search/local_search.hpp"

namespace neuroprim::levels {

/// One large tree whose levels all threads anneal together. A cycle is cut into passes, each a part of the cooling
/// and a cut of the vertices into windows of its own; windows run side by side. Cycles grow fourfold; the first
/// descends, and the last one before a deadline is as long as the time allows.
///
/// Seed and pass decide what is in a window and what is done there, so the tree does not depend on the threads.
template <std::size_t Dim, class Norm>
class WindowedLevelWorker final : public SearchWorker {
public:
    /// What it is given must outlive it.
    WindowedLevelWorker(const Problem& problem, const PlacedPoints<Dim>& graph, int threads, Random random)
        : problem_(&problem),
          graph_(&graph),
          hops_(levels_in(problem)),
          threads_(threads),
          random_(random),
          tree_(graph.size()),
          reach_(graph, tree_, hops_) {}

    void adopt(const Tree& tree) override {
        const auto began = StopToken::Clock::now();
        adopted_ = tree;
        best_cost_ = problem_->cost(tree);
        seconds_to_price_ = seconds_since(began);
    }

    std::int64_t run(std::int64_t steps, const StopToken& stop) override {
        if (steps <= 0 || hops_ < 2 || stop.expired()) return 0;
        plan_.count(0, stop);
        if (adopted_ && stop.seconds_left() < pricings_per_adoption * seconds_to_price_) return 0;
        if (adopted_) take_over();
        if (pass_ == passes_) begin_cycle(stop);
        const std::int64_t done = run_pass(steps, stop);
        plan_.count(done, stop);
        ++pass_;
        return done;
    }

    void use_threads(int threads) override { threads_ = threads; }
    void use_clock(bool uses) override { plan_.use_clock(uses); }
    [[nodiscard]] double cost() const override { return best_cost_; }
    [[nodiscard]] Tree tree() const override {
        if (adopted_) return *adopted_;
        return named_tree(*graph_, [&](Vertex v) { return best_parent_[index(v)]; });
    }

private:
    using Reach = PointLevelReach<Dim, Norm>;

    /// Large enough that few vertices lie at a border; a window stays in the cache.
    static constexpr std::size_t window_size = 2500;
    /// Moves per vertex of the first cycle, and of a pass at least.
    static constexpr std::int64_t moves_at_first = 8;
    static constexpr std::int64_t growth = 4;
    static constexpr std::int64_t least_moves = 8;
    static constexpr std::int64_t most_passes = 20;
    /// More than for small trees: large ones have more to change and fewer moves.
    static constexpr double hottest = 1;
    /// All windows know the hubs of the first levels, unless these are more than so many.
    static constexpr std::size_t most_hubs = 500;
    /// To take a tree over takes as long as pricing it so many times, or less.
    static constexpr double pricings_per_adoption = 60;
    /// The last time that windows are put back may take longer than the one before.
    static constexpr double merges_kept_free = 1.5;

    void take_over() {
        const auto began = StopToken::Clock::now();
        best_ = levels_of(*adopted_, *problem_, *graph_);
        hang_by_levels<Reach>(tree_, reach_, best_, threads_);
        best_cost_ = Weights::infinity;
        keep_if_best();
        adopted_.reset();
        moves_of_cycle_ = 0;
        pass_ = passes_ = 0;
        seconds_to_merge_ = seconds_since(began);
    }

    void begin_cycle(const StopToken& stop) {
        const bool is_first = moves_of_cycle_ == 0;
        if (tree_.cost() > best_cost_) hang_by_levels<Reach>(tree_, reach_, best_, threads_);
        const std::int64_t wished = is_first ? moves_at_first : growth * moves_of_cycle_;
        const std::int64_t planned = plan_.steps(steps_for(wished), stop);
        is_last_ = planned != steps_for(wished);
        moves_of_cycle_ = std::max<std::int64_t>(1, planned * moves_per_step / graph_->size());
        passes_ = std::clamp<std::int64_t>(moves_of_cycle_ / least_moves, 1, most_passes);
        pass_ = 0;
        cooling_ = cooling_for(static_cast<double>(moves_of_cycle_), hottest);
        if (is_first) cooling_.hot = cooling_.cold;
    }

    [[nodiscard]] std::int64_t steps_for(std::int64_t moves_per_vertex) const {
        return std::max<std::int64_t>(1, moves_per_vertex * graph_->size() / moves_per_step);
    }

    std::int64_t run_pass(std::int64_t steps, const StopToken& stop) {
        const rooted::WindowCells cells = next_cells();
        const std::vector<Vertex> hubs = first_hubs();
        const auto n = static_cast<double>(graph_->size());
        const double mean = best_cost_ / n;
        double of_pass = static_cast<double>(steps_for(moves_of_cycle_)) / static_cast<double>(passes_);
        if (is_last_) of_pass = std::min(plan_.fitting(stop) / static_cast<double>(passes_ - pass_), 4 * of_pass);
        std::vector<LevelEffort> efforts;
        for (std::size_t k = 0; k < cells.count() && steps > 0; ++k) {
            const double part = static_cast<double>(cells.of(k).size()) / n;
            const auto share = std::min(steps, 1 + static_cast<std::int64_t>(part * of_pass));
            const auto at = [&](std::int64_t pass) {
                return mean * cooling_.at(static_cast<double>(pass) / static_cast<double>(passes_));
            };
            efforts.push_back({share, at(pass_), at(pass_ + 1)});
            steps -= share;
        }
        const StopToken early = stop.earlier(merges_kept_free * seconds_to_merge_);
        const std::uint64_t seed = random_.next();
        const LevelWindowSetting<Dim> setting{graph_, &tree_, &cells,
                                              &hubs,  hops_,  shallow_root(*problem_, *graph_).v};
        std::vector<LevelChange> changes(efforts.size());
        parallel_for(threads_, efforts.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end && !early.expired(); ++k) {
                changes[k] =
                    LevelWindow<Dim, Norm>(setting, k).anneal(efforts[k], moves_per_step, Random(seed, k), early);
            }
        });
        const auto began = StopToken::Clock::now();
        std::int64_t done = 0;
        std::vector<std::int16_t> levels = levels_now();
        for (const LevelChange& change : changes) {
            done += change.steps;
            for (const auto& [v, level] : change.levels) levels[index(v)] = static_cast<std::int16_t>(level);
        }
        hang_by_levels<Reach>(tree_, reach_, levels, threads_);
        keep_if_best();
        seconds_to_merge_ = seconds_since(began);
        return done;
    }

    [[nodiscard]] rooted::WindowCells next_cells() {
        std::vector<Vertex> all(index(graph_->size()));
        std::iota(all.begin(), all.end(), 0);
        return rooted::cells_in_plane(graph_->weights().points(), std::move(all), window_size,
                                      Random(random_.next(), 0));
    }

    /// The hubs of as many first levels as have few.
    [[nodiscard]] std::vector<Vertex> first_hubs() const {
        std::vector<std::vector<Vertex>> of_level(index(hops_) + 1);
        for (Vertex v = 0; v < graph_->size(); ++v) {
            auto& hubs = of_level[index(tree_.level(v))];
            if (hubs.size() <= most_hubs) hubs.push_back(v);
        }
        std::vector<Vertex> result;
        for (const auto& hubs : of_level) {
            if (result.size() + hubs.size() > most_hubs) break;
            result.insert(result.end(), hubs.begin(), hubs.end());
        }
        return result;
    }

    [[nodiscard]] std::vector<std::int16_t> levels_now() const {
        std::vector<std::int16_t> result(index(graph_->size()));
        for (Vertex v = 0; v < graph_->size(); ++v) result[index(v)] = static_cast<std::int16_t>(tree_.level(v));
        return result;
    }

    void keep_if_best() {
        if (tree_.cost() >= best_cost_) return;
        best_cost_ = tree_.cost();
        best_ = levels_now();
        best_parent_.resize(index(graph_->size()));
        for (Vertex v = 0; v < graph_->size(); ++v) best_parent_[index(v)] = tree_.parent(v);
    }

    const Problem* problem_;
    const PlacedPoints<Dim>* graph_;
    int hops_;
    int threads_;
    Random random_;
    LevelTree tree_;
    Reach reach_;
    std::optional<Tree> adopted_;     // not taken over yet
    std::vector<std::int16_t> best_;  // (n) levels
    std::vector<Vertex> best_parent_;
    double best_cost_ = Weights::infinity;
    double seconds_to_price_ = 0;  // an adopted tree
    double seconds_to_merge_ = 0;  // windows, the last time
    Cooling cooling_;
    std::int64_t moves_of_cycle_ = 0;  // per vertex
    std::int64_t passes_ = 0;
    std::int64_t pass_ = 0;
    bool is_last_ = false;
    rooted::CyclePlan plan_;
};

}  // namespace neuroprim::levels
