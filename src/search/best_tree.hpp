#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"

namespace neuroprim {

/// Keeps the cheapest tree, and sums for the mean and deviation of all (Welford's way, which loses no digits).
class BestTree {
public:
    BestTree(const Problem& problem, const NeuralOptions& options)
        : problem_(problem), keep_(options.keep + 1), interrupted_(options.interrupted) {}

    /// Returns the cost of each; infinity for those that are not complete.
    std::vector<double> take(std::vector<Rollout> rollouts, int threads) {
        // A construction that was cut short might have been completed: it is no dead end.
        const bool cut_short = interrupted_ && interrupted_();
        std::vector<double> cost(rollouts.size(), std::numeric_limits<double>::infinity());
        parallel_for(threads, rollouts.size(), 16, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                if (!rollouts[k].complete) continue;
                rollouts[k].tree = problem_.tidied(std::move(rollouts[k].tree));
                cost[k] = problem_.cost(rollouts[k].tree);
            }
        });
        for (std::size_t k = 0; k < rollouts.size(); ++k) {
            if (rollouts[k].complete) {
                count(std::move(rollouts[k].tree), cost[k]);
            } else if (cut_short) {
                ++unfinished_;
            } else {
                ++answer_.statistics.dead_ends;
            }
        }
        return cost;
    }

    [[nodiscard]] NeuralAnswer answer() && {
        auto& statistics = answer_.statistics;
        if (statistics.trees == 0 && unfinished_ > 0) {
            throw Infeasible("no tree: stopped before the first one was complete");
        }
        if (statistics.trees == 0) {
            throw Infeasible(
                fmt::format("no feasible tree: all {} constructions ended in a dead end", statistics.dead_ends));
        }
        answer_.cost = best_.begin()->first;
        answer_.tree = std::move(best_.begin()->second);
        for (auto other = std::next(best_.begin()); other != best_.end(); ++other) {
            answer_.others.push_back(std::move(other->second));
        }
        statistics.deviation = std::sqrt(squares_ / static_cast<double>(statistics.trees));
        return std::move(answer_);
    }

private:
    void count(Tree&& tree, double cost) {
        auto& statistics = answer_.statistics;
        if (best_.size() < keep_ || cost < best_.rbegin()->first) {
            best_.try_emplace(cost, std::move(tree));
            if (best_.size() > keep_) best_.erase(std::prev(best_.end()));
        }
        ++statistics.trees;
        const double difference = cost - statistics.mean;
        statistics.mean += difference / static_cast<double>(statistics.trees);
        squares_ += difference * (cost - statistics.mean);
    }

    const Problem& problem_;
    std::size_t keep_;
    std::function<bool()> interrupted_;
    std::map<double, Tree> best_;  // by cost; of equals the first stays
    NeuralAnswer answer_;
    std::size_t unfinished_ = 0;
    double squares_ = 0;
};

}  // namespace neuroprim
