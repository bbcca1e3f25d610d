#pragma once

#include <span>
#include <vector>

#include "formats/pictures/style.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim::formats {

/// What the mark of a vertex tells. Drawn in this order, so that the important ones lie on top.
enum class Role { hidden, outside, degree_1, degree_2, degree_3, hub, steiner, terminal, start, start_terminal };

/// One role per vertex of a tree with these degrees, grown from `start`. Where there are terminals, the other
/// vertices of the tree are Steiner vertices.
[[nodiscard]] std::vector<Role> tree_roles(const Instance& instance, std::span<const int> degree,
                                           std::span<const Vertex> starts);

/// Appends the mark of one vertex: a circle, or a box for terminals.
void append_mark(std::vector<Shape>& shapes, Role role, Point at, double radius, std::string title = {});

struct Marks {
    const Instance& instance;
    std::span<const Role> role;     // (n)
    std::span<const int> degree;    // (n), or empty where there is no tree
    std::span<const Point> pixels;  // (n)
    std::span<const Edge> edges;    // which names keep clear of
    const Sizes& sizes;
    const Canvas& canvas;
};

/// Appends the marks of plain vertices with their titles. In crowded pictures the dots of one role become one
/// shape, and in very crowded ones there are none.
void append_plain_marks(std::vector<Shape>& shapes, const Marks& marks);

/// Appends the marks of terminals and the start, which are always there.
void append_important_marks(std::vector<Shape>& shapes, const Marks& marks);

/// Appends numbers or names where there is room.
void append_labels(std::vector<Shape>& shapes, const Marks& marks);

}  // namespace neuroprim::formats
