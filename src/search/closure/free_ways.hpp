#pragma once

#include <functional>
#include <span>
#include <vector>

#include "neuroprim/weights.hpp"

namespace neuroprim {

/// Shortest ways between parts of a graph through vertices that are in none of them.
class FreeWays {
public:
    /// Neither in a part nor in the way.
    static constexpr int free = -1;
    /// No way leads here.
    static constexpr int closed = -2;

    /// What a way costs beside its weight.
    struct Prices {
        double edge = 0;    ///< each edge
        double weight = 0;  ///< each unit of weight
    };

    /// `place` says which part a vertex belongs to, or one of the two above. A way to or from a vertex counts its
    /// `surcharge`, too. `weights` must outlive it.
    FreeWays(const Weights& weights, std::vector<int> place, std::vector<double> surcharge, Prices prices);

    /// Ways go on through the vertices of this part.
    void let_pass(int part) { passes_[static_cast<std::size_t>(part)] = 1; }

    [[nodiscard]] int place(Vertex v) const { return place_[index(v)]; }

    /// Looks for ways from a part, or from one free vertex, to all others. Ways end where they meet a part.
    /// Prices and surcharges count `factor` times.
    /// O(m log n) for what lies between the parts. `is_enough` hears of every free vertex that is reached, and may
    /// end the search.
    void search(std::span<const Vertex> sources, const std::function<bool(Vertex)>& is_enough = {},
                double factor = 1);

    /// The free vertices that the last search reached, nearest first.
    [[nodiscard]] std::span<const Vertex> reached() const { return reached_; }
    /// Where it met the parts, nearest first; each of them once.
    [[nodiscard]] std::span<const Vertex> met() const { return met_; }

    /// The weight of the way to a vertex of either list.
    [[nodiscard]] double weight(Vertex v) const { return weight_[index(v)]; }
    /// Its vertices, from v back to the source.
    [[nodiscard]] std::vector<Vertex> way_back(Vertex v) const;

private:
    const Weights* weights_;
    std::vector<int> place_;         // (n)
    std::vector<double> surcharge_;  // (n); empty: nothing
    Prices prices_;
    std::vector<double> price_;    // (n)
    std::vector<double> weight_;   // (n)
    std::vector<Vertex> before_;   // (n)
    std::vector<char> is_met_;     // (parts)
    std::vector<char> passes_;     // (parts)
    std::vector<Vertex> touched_;  // those whose price is known
    std::vector<Vertex> reached_;
    std::vector<Vertex> met_;
};

}  // namespace neuroprim
