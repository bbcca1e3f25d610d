#pragma once

#include <cstddef>
#include <vector>

#include "neuroprim/neural.hpp"

namespace neuroprim {

/// As in the paper.
inline constexpr std::size_t samples_per_start = 20;

/// The starts of all trees that a policy is to grow. They are worked out when they are asked for, so their number
/// takes no memory.
///
/// Greedy trees differ by how they begin. Without a root they begin at every vertex where a policy may
/// (`all_starts`); a few that are asked for are spread evenly over those where any construction may. With a root one
/// begins as the policy likes, and one with each of the root's shortest edges. Samples begin where any construction
/// may, as in the paper: they differ anyway.
class StartSequence {
public:
    StartSequence(const Problem& problem, const NeuralOptions& options);

    [[nodiscard]] std::size_t size() const { return size_; }

    [[nodiscard]] Start operator[](std::size_t k) const;

    /// Under how many augmentations it is decoded, where nothing is said: 0 for all of them. First edges take turns:
    /// together they are many, and each is worth little.
    [[nodiscard]] int usual_augmentations(std::size_t k) const { return first_edges_.empty() || k == 0 ? 0 : 1; }

    /// Where the part `round` of `rounds` equal parts begins.
    [[nodiscard]] std::size_t begin_of(std::size_t round, std::size_t rounds) const {
        return size_ / rounds * round + size_ % rounds * round / rounds;
    }

private:
    std::vector<Vertex> allowed_;
    std::vector<Edge> first_edges_;  // of a root
    bool evenly_;
    std::size_t size_ = 0;
};

/// Of a range of a sequence, the starts that are decoded under one augmentation: each start takes the next few of
/// them (`augmentations_per_start`), or as many as usual (0).
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
            if (has(next_)) result.push_back((*all_)[next_]);
        }
        return result;
    }

private:
    [[nodiscard]] bool has(std::size_t k) const {
        const int told = side_.augmentations_per_start;
        const auto each = static_cast<std::size_t>(told > 0 ? told : all_->usual_augmentations(k));
        if (each == 0 || each >= side_.of) return true;
        const std::size_t first = (k - range_.begin) % side_.of * each % side_.of;
        return (side_.number + side_.of - first) % side_.of < each;
    }

    const StartSequence* all_;
    Range range_;
    Side side_;
    std::size_t next_;
};

}  // namespace neuroprim
