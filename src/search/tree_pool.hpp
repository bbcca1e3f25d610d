#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A feasible tree, what it costs and where it came from.
struct Candidate {
    Tree tree;
    double cost = 0;
    std::string source;
};

/// The trees that searches begin with, cheapest first, no two of the same cost.
class TreePool {
public:
    explicit TreePool(const Problem& problem) : problem_(&problem) {}

    /// Takes the tree in, if it is feasible and not there yet. Says whether it is feasible.
    bool offer(Tree tree, std::string source);

    /// How long it took to check and price the tree that was offered last.
    [[nodiscard]] double seconds_of_last_check() const { return seconds_of_last_check_; }

    [[nodiscard]] bool empty() const { return candidates_.empty(); }
    [[nodiscard]] std::size_t size() const { return candidates_.size(); }
    [[nodiscard]] const Candidate& operator[](std::size_t place) const { return candidates_[place]; }

private:
    const Problem* problem_;
    std::vector<Candidate> candidates_;
    double seconds_of_last_check_ = 0;
};

}  // namespace neuroprim
