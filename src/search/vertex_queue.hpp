#pragma once

#include <cstddef>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim {

/// The vertices that a local search has yet to look at: first come, first served, each at most once. What others call
/// don't-look bits.
class VertexQueue {
public:
    explicit VertexQueue(Vertex n) : ring_(index(n)), waits_(index(n), 0) {}

    [[nodiscard]] bool empty() const { return count_ == 0; }

    void push(Vertex v) {
        if (waits_[index(v)]) return;
        waits_[index(v)] = 1;
        const std::size_t tail = head_ + count_;
        ring_[tail >= ring_.size() ? tail - ring_.size() : tail] = v;
        ++count_;
    }

    /// The queue must not be empty.
    Vertex pop() {
        const Vertex v = ring_[head_];
        head_ = head_ + 1 == ring_.size() ? 0 : head_ + 1;
        --count_;
        waits_[index(v)] = 0;
        return v;
    }

    void clear() {
        while (!empty()) pop();
    }

private:
    std::vector<Vertex> ring_;
    std::vector<char> waits_;  // (n)
    std::size_t head_ = 0;
    std::size_t count_ = 0;
};

}  // namespace neuroprim
