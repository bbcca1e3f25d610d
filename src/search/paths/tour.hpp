#pragma once

#include <span>
#include <utility>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::paths {

/// A closed tour as an array of vertices and each vertex's place in it. Neighbours in O(1); a flip costs at most half
/// the tour, and in practice far less: what local moves turn around is short, and so is the way around the other
/// side.
class Tour {
public:
    /// `order` is a permutation of 0 … size − 1.
    explicit Tour(std::vector<Vertex> order) : order_(std::move(order)), place_(order_.size()) {
        for (std::size_t k = 0; k < order_.size(); ++k) place_[index(order_[k])] = static_cast<Vertex>(k);
    }

    [[nodiscard]] Vertex size() const { return static_cast<Vertex>(order_.size()); }
    [[nodiscard]] Vertex next(Vertex v) const { return order_[index(mirrored_ ? before(v) : after(v))]; }
    [[nodiscard]] Vertex prev(Vertex v) const { return order_[index(mirrored_ ? after(v) : before(v))]; }

    /// The vertex at this place of the array: places that are near each other hold vertices that are.
    [[nodiscard]] Vertex at(Vertex place) const { return order_[index(place)]; }

    /// Read the other way round from now on: `next` and `prev` change names. O(1).
    void mirror() { mirrored_ = !mirrored_; }

    /// Steps from `a` forward to `b`.
    [[nodiscard]] Vertex steps(Vertex a, Vertex b) const {
        const Vertex ahead = mirrored_ ? place_[index(a)] - place_[index(b)] : place_[index(b)] - place_[index(a)];
        return ahead < 0 ? ahead + size() : ahead;
    }

    /// Turns the way from `a` forward to `b` around: x a … b y becomes x b … a y. `flip(b, a)` undoes it.
    void flip(Vertex a, Vertex b) {
        if (mirrored_) std::swap(a, b);
        const Vertex first = place_[index(a)];
        const Vertex last = place_[index(b)];
        Vertex inside = last - first;
        if (inside < 0) inside += size();
        ++inside;
        if (2 * inside <= size()) {
            turn(first, last, inside);
        } else {
            turn(last + 1 == size() ? 0 : last + 1, first == 0 ? size() - 1 : first - 1, size() - inside);
            mirrored_ = !mirrored_;
        }
    }

private:
    [[nodiscard]] Vertex after(Vertex v) const {
        const Vertex k = place_[index(v)] + 1;
        return k == size() ? 0 : k;
    }
    [[nodiscard]] Vertex before(Vertex v) const {
        const Vertex k = place_[index(v)];
        return k == 0 ? size() - 1 : k - 1;
    }

    void turn(Vertex first, Vertex last, Vertex count) {
        for (Vertex swaps = count / 2; swaps > 0; --swaps) {
            const Vertex a = order_[index(first)];
            const Vertex b = order_[index(last)];
            order_[index(first)] = b;
            place_[index(b)] = first;
            order_[index(last)] = a;
            place_[index(a)] = last;
            if (++first == size()) first = 0;
            if (--last < 0) last = size() - 1;
        }
    }

    std::vector<Vertex> order_;  // (size)
    std::vector<Vertex> place_;  // (size)
    bool mirrored_ = false;
};

}  // namespace neuroprim::paths
