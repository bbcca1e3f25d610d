#pragma once

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/neural.hpp"
#include "search/branches/shortest_branches.hpp"

namespace neuroprim {

/// Keeps the cheapest tree, and sums for the mean and deviation of all (Welford's way, which loses no digits).
class BestTree {
public:
    BestTree(const Problem& problem, std::size_t keep) : problem_(problem), keep_(keep + 1) {}

    /// Returns the cost of each; infinity for dead ends. Thousands of large trees take longer than whoever asks to
    /// stop wants to wait: once `interrupted` says so, the trees count whose costs are known some milliseconds later.
    std::vector<double> take(std::vector<Rollout> rollouts, int threads, const std::function<bool()>& interrupted) {
        const bool cut_short = interrupted && interrupted();
        std::vector<double> cost(rollouts.size(), std::numeric_limits<double>::infinity());
        std::vector<char> is_known(rollouts.size(), 0);
        std::atomic<bool> has_one = !empty();
        const GracePeriod grace(interrupted);
        const int helpers =
            interrupted && interrupted() ? 1 : threads;  // to start a thread may take longer than pricing
        parallel_for(helpers, rollouts.size(), 16, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                if (!rollouts[k].complete || (has_one && grace.is_over())) continue;
                rollouts[k].tree = with_shortest_branches(problem_, problem_.pruned(std::move(rollouts[k].tree)));
                cost[k] = problem_.cost(rollouts[k].tree);
                is_known[k] = 1;
                has_one = true;
            }
        });
        for (std::size_t k = 0; k < rollouts.size(); ++k) {
            if (rollouts[k].complete) {
                if (is_known[k]) count(std::move(rollouts[k].tree), cost[k]);
            } else if (cut_short) {
                continue;  // it might have been completed: it is no dead end
            } else {
                ++answer_.statistics.dead_ends;
            }
        }
        return cost;
    }

    [[nodiscard]] bool empty() const { return answer_.statistics.trees == 0; }

    [[nodiscard]] NeuralAnswer answer() && {
        auto& statistics = answer_.statistics;
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
    /// Some milliseconds after the first question that was answered by a request to stop.
    class GracePeriod {
    public:
        explicit GracePeriod(const std::function<bool()>& interrupted) : interrupted_(interrupted) {}

        [[nodiscard]] bool is_over() const {
            constexpr std::int64_t nanoseconds = 10'000'000;
            if (!interrupted_ || !interrupted_()) return false;
            const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
            std::int64_t never = 0;
            const bool is_first = since_.compare_exchange_strong(never, now);
            return !is_first && now - never > nanoseconds;
        }

    private:
        const std::function<bool()>& interrupted_;
        mutable std::atomic<std::int64_t> since_ = 0;
    };

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
    std::map<double, Tree> best_;  // by cost; of equals the first stays
    NeuralAnswer answer_;
    double squares_ = 0;
};

}  // namespace neuroprim
