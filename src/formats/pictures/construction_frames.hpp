#pragma once

#include <string>
#include <vector>

#include "formats/pictures/style.hpp"
#include "neuroprim/explanation.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim::formats {

/// The shapes of a construction on one canvas, piece by piece, for moving pictures and strips.
class ConstructionFrames {
public:
    ConstructionFrames(const Instance& instance, const Explanation& explanation, double width);

    [[nodiscard]] double width() const { return canvas_.width(); }
    [[nodiscard]] double height() const { return canvas_.height(); }
    [[nodiscard]] std::size_t steps() const { return explanation_.steps.size(); }

    /// Every vertex, before the first step.
    [[nodiscard]] std::vector<Shape> ground() const;

    /// The probable edges of a step: the more probable, the stronger.
    [[nodiscard]] std::vector<Shape> alternatives(std::size_t step) const;

    /// The edge that a step adds: below the vertices.
    [[nodiscard]] std::vector<Shape> added_line(std::size_t step, bool just_now) const;

    /// The vertex that a step reaches, now in the tree: above its first mark.
    [[nodiscard]] std::vector<Shape> added_mark(std::size_t step) const;

    /// `step 3: 0-17, p = 0.82, entropy 0.61`.
    [[nodiscard]] std::string words(std::size_t step) const;

private:
    [[nodiscard]] Segment segment(const Edge& edge) const;
    [[nodiscard]] bool is_terminal(Vertex v) const;

    const Instance& instance_;
    const Explanation& explanation_;
    std::vector<Point> at_;
    Canvas canvas_;
    std::vector<Point> pixels_;  // (n)
    Sizes sizes_;
    bool terminals_differ_;
};

}  // namespace neuroprim::formats
