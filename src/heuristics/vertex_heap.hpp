#pragma once

#include <cassert>
#include <utility>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim {

/// A priority queue of vertices whose keys may change: the least key first, equal keys by the smaller vertex.
///
/// O(log n) per change and O(n) memory, also on complete graphs, where a queue of edges would hold n² of them.
template <class Key>
class VertexHeap {
public:
    explicit VertexHeap(Vertex n) : place_(static_cast<std::size_t>(n), absent) {}

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] bool contains(Vertex v) const { return place_[static_cast<std::size_t>(v)] != absent; }

    /// The key of a vertex that is in the heap.
    [[nodiscard]] const Key& key(Vertex v) const {
        assert(contains(v));
        return entries_[place_[static_cast<std::size_t>(v)]].key;
    }

    [[nodiscard]] Vertex top() const { return entries_.front().vertex; }

    /// Puts `v` in, or moves it to where its new key belongs.
    void set(Vertex v, const Key& key) {
        std::size_t at = place_[static_cast<std::size_t>(v)];
        if (at == absent) {
            at = entries_.size();
            entries_.push_back({key, v});
        }
        entries_[at].key = key;
        sift_down(sift_up(at));
    }

    Vertex pop() {
        const Vertex v = entries_.front().vertex;
        place_[static_cast<std::size_t>(v)] = absent;
        const Entry last = std::move(entries_.back());
        entries_.pop_back();
        if (!entries_.empty()) {
            entries_.front() = last;
            sift_down(0);
        }
        return v;
    }

private:
    static constexpr std::size_t absent = static_cast<std::size_t>(-1);

    struct Entry {
        Key key;
        Vertex vertex;

        [[nodiscard]] bool before(const Entry& other) const {
            if (key < other.key) return true;
            if (other.key < key) return false;
            return vertex < other.vertex;
        }
    };

    void put(std::size_t at, Entry entry) {
        place_[static_cast<std::size_t>(entry.vertex)] = at;
        entries_[at] = std::move(entry);
    }

    std::size_t sift_up(std::size_t at) {
        const Entry entry = entries_[at];
        while (at > 0 && entry.before(entries_[(at - 1) / 2])) {
            put(at, entries_[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        put(at, entry);
        return at;
    }

    void sift_down(std::size_t at) {
        const Entry entry = entries_[at];
        while (true) {
            std::size_t child = 2 * at + 1;
            if (child >= entries_.size()) break;
            if (child + 1 < entries_.size() && entries_[child + 1].before(entries_[child])) ++child;
            if (!entries_[child].before(entry)) break;
            put(at, entries_[child]);
            at = child;
        }
        put(at, entry);
    }

    std::vector<Entry> entries_;
    std::vector<std::size_t> place_;  // (n) position in entries_
};

}  // namespace neuroprim
