#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::branches {

/// Distinct branches: sets of vertices, each with the cost of the shortest tree that spans it and the root.
class BranchPool {
public:
    explicit BranchPool(Vertex vertices);

    /// False when it is there already. O(vertices).
    bool add(std::span<const Vertex> vertices, double cost);

    [[nodiscard]] std::size_t size() const { return costs_.size(); }
    [[nodiscard]] std::span<const Vertex> vertices(std::size_t k) const {
        return std::span(vertices_).subspan(begin_[k], begin_[k + 1] - begin_[k]);
    }
    [[nodiscard]] std::size_t vertex_count() const { return vertices_.size(); }  // of all branches together
    [[nodiscard]] double cost(std::size_t k) const { return costs_[k]; }

    /// Forgets all branches but those that `keeps(vertices, cost)` names.
    template <class Keeps>
    void keep_if(Keeps&& keeps) {
        BranchPool kept(std::move(keys_));
        for (std::size_t k = 0; k < size(); ++k) {
            if (keeps(vertices(k), cost(k))) kept.add(vertices(k), cost(k));
        }
        *this = std::move(kept);
    }

private:
    explicit BranchPool(std::vector<std::uint64_t> keys) : keys_(std::move(keys)), begin_{0} {}

    std::vector<std::uint64_t> keys_;  // (n) random: the sum of its vertices' keys stands for a set
    std::vector<std::size_t> begin_;   // (size + 1)
    std::vector<Vertex> vertices_;
    std::vector<double> costs_;
    std::unordered_set<std::uint64_t> sets_;  // sums of keys
};

}  // namespace neuroprim::branches
