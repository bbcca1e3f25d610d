#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neuroprim/street_map.hpp"
#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim {

/// One input: a weighted graph and what else its file says about the vertices. Empty vectors mean "not given".
struct Instance {
    std::string name;
    Weights weights;
    std::vector<Point> layout;                  // (n) where to draw the vertices of a graph given by weights
    std::vector<Vertex> terminals;              // increasing, for Steiner trees
    std::vector<int> degree_limits;             // (n)
    std::vector<Vertex> leaves;                 // increasing: vertices that may have one tree edge only
    std::vector<double> demands;                // (n) for capacities and cables
    std::vector<double> masses;                 // (n) for routing cost
    std::vector<double> prizes;                 // (n) lost when the vertex is left out
    std::vector<int> groups;                    // (n) numbers from 0 without gaps; −1: in none
    std::optional<Vertex> root;                 // where hops, lengths and loads are counted from
    std::vector<Vertex> other_roots;            // increasing: further ones, so that the answer is a forest
    std::vector<Point> root_ends;               // (n) of contracted roots: where the root's edge to each begins
    std::vector<double> requirements;           // (n(n−1)/2) lower triangle: traffic between each pair
    std::vector<std::string> names;             // (n)
    std::shared_ptr<const StreetMap> map = {};  // how edges run, where the graph is one of streets

    [[nodiscard]] Vertex size() const { return weights.size(); }

    /// Where each vertex is drawn: its own point, or the layout; empty when the input has neither.
    [[nodiscard]] std::span<const Point> positions() const;

    /// The vertex's name, or its number.
    [[nodiscard]] std::string label(Vertex v) const;
};

/// Index of the pair {u, v}, u ≠ v, in a lower triangle stored row by row without its diagonal.
[[nodiscard]] inline std::size_t pair_index(Vertex u, Vertex v) {
    const auto high = static_cast<std::size_t>(u > v ? u : v);
    const auto low = static_cast<std::size_t>(u > v ? v : u);
    return high * (high - 1) / 2 + low;
}

}  // namespace neuroprim
