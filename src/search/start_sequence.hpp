#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "neuroprim/neural.hpp"

namespace neuroprim {

/// As in the paper.
inline constexpr std::size_t samples_per_start = 20;

/// The starts of all trees that a policy is to grow. They are worked out when they are asked for, so their number
/// takes no memory.
class StartSequence {
public:
    StartSequence(const Problem& problem, const NeuralOptions& options)
        : allowed_(options.start == no_vertex ? problem.starts() : std::vector<Vertex>{options.start}),
          evenly_(options.mode == DecodeMode::greedy) {
        const std::size_t most = evenly_ ? allowed_.size() : samples_per_start * allowed_.size();
        const std::size_t asked = evenly_ ? std::min(options.starts, most) : options.samples;
        size_ = asked == 0 || allowed_.empty() ? most : asked;
    }

    [[nodiscard]] std::size_t size() const { return size_; }

    /// Greedily: so many of the allowed vertices, spread evenly. Sampling: all of them in turn.
    [[nodiscard]] Start operator[](std::size_t k) const {
        const std::size_t vertex = evenly_ ? k * allowed_.size() / size_ : k % allowed_.size();
        return {allowed_[vertex], k};
    }

    /// Where the part `round` of `rounds` equal parts begins.
    [[nodiscard]] std::size_t begin_of(std::size_t round, std::size_t rounds) const {
        return size_ / rounds * round + size_ % rounds * round / rounds;
    }

private:
    std::vector<Vertex> allowed_;
    bool evenly_;
    std::size_t size_ = 0;
};

/// Of a range of a sequence, the starts that are decoded under one augmentation: each start takes the next few of
/// them
/// (`augmentations_per_start`), or all of them (0).
class StartShare {
public:
    struct Range {
        std::size_t begin;
        std::size_t end;
    };
    struct Side {
        std::size_t number;
        std::size_t of;
        int augmentations_per_start;
    };

    StartShare(const StartSequence& all, Range range, Side side)
        : all_(&all), range_(range), side_(side), next_(range.begin) {}

    /// The next of them, at most so many; none when all were given.
    [[nodiscard]] std::vector<Start> next(std::size_t most) {
        std::vector<Start> result;
        for (; next_ < range_.end && result.size() < most; ++next_) {
            if (has(next_ - range_.begin)) result.push_back((*all_)[next_]);
        }
        return result;
    }

private:
    [[nodiscard]] bool has(std::size_t k) const {
        const auto each = static_cast<std::size_t>(side_.augmentations_per_start);
        if (each == 0 || each >= side_.of) return true;
        const std::size_t first = k % side_.of * each % side_.of;
        return (side_.number + side_.of - first) % side_.of < each;
    }

    const StartSequence* all_;
    Range range_;
    Side side_;
    std::size_t next_;
};

}  // namespace neuroprim
