#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim {

/// Union-find with path halving and union by size.
class DisjointSets {
public:
    explicit DisjointSets(Vertex n) : parent_(static_cast<std::size_t>(n)), size_(static_cast<std::size_t>(n), 1) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    [[nodiscard]] Vertex find(Vertex v) {
        while (parent_[index(v)] != v) {
            parent_[index(v)] = parent_[index(parent_[index(v)])];
            v = parent_[index(v)];
        }
        return v;
    }

    /// False when both were in one set already.
    bool join(Vertex u, Vertex v) {
        u = find(u);
        v = find(v);
        if (u == v) return false;
        if (size_[index(u)] < size_[index(v)]) std::swap(u, v);
        parent_[index(v)] = u;
        size_[index(u)] += size_[index(v)];
        return true;
    }

    [[nodiscard]] Vertex size_of(Vertex v) { return size_[index(find(v))]; }

private:
    std::vector<Vertex> parent_;
    std::vector<Vertex> size_;
};

}  // namespace neuroprim
