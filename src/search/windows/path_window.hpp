#pragma once

#include <memory>
#include <span>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// A path and where each vertex comes on it.
struct PlacedPath {
    explicit PlacedPath(std::vector<Vertex> vertices);

    /// Those and the ones before and after each of them, in the path's order.
    [[nodiscard]] std::vector<Vertex> with_neighbours(std::span<const Vertex> vertices) const;

    std::vector<Vertex> order;
    std::vector<Vertex> place;  // (n) in `order`
};

/// Some vertices of a path as a problem of their own. The path runs through them in stretches. What lies between two
/// stretches becomes an edge that must be in the tree; where the path goes on before the first stretch and after the
/// last, it must end. So a shorter path of the window makes the whole path shorter by as much: it may take the pieces
/// outside in another order, and either way round.
class PathWindow {
public:
    /// `members` come in the path's order; at least two.
    PathWindow(const Problem& whole, const PlacedPath& path, std::span<const Vertex> members);
    PathWindow(const PathWindow&) = delete;
    PathWindow& operator=(const PathWindow&) = delete;

    [[nodiscard]] const Problem& problem() const { return *problem_; }

    /// The window's part of the path, with what lies between stretches as one edge each.
    [[nodiscard]] const Tree& tree() const { return tree_; }

    /// In the whole problem, increasing.
    [[nodiscard]] std::span<const Vertex> vertices() const { return vertices_; }

    /// The edges in the whole problem of a tree of the window, without those that stand for what lies outside.
    [[nodiscard]] std::vector<Edge> edges_of(const Tree& tree) const;

private:
    [[nodiscard]] Vertex local(Vertex v) const;

    std::vector<Vertex> vertices_;
    Instance instance_;
    std::unique_ptr<const Problem> problem_;
    Tree tree_;
};

}  // namespace neuroprim
