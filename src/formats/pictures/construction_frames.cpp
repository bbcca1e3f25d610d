#include "formats/pictures/construction_frames.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/pictures/layout.hpp"
#include "formats/pictures/marks.hpp"

namespace neuroprim::formats {

namespace {

constexpr double frame_margin = 24;

std::vector<Point> positions(const Instance& instance, const Tree& tree) {
    auto given = planar_positions(instance);
    return given.empty() ? radial_layout(tree, instance.size()).at : given;
}

std::vector<Point> mapped(const std::vector<Point>& at, const Canvas& canvas) {
    std::vector<Point> result;
    result.reserve(at.size());
    for (const Point p : at) result.push_back(canvas(p));
    return result;
}

}  // namespace

ConstructionFrames::ConstructionFrames(const Instance& instance, const Explanation& explanation, double width)
    : instance_(instance),
      explanation_(explanation),
      at_(positions(instance, explanation.tree)),
      canvas_(at_, width, frame_margin),
      pixels_(mapped(at_, canvas_)),
      sizes_(pixels_, canvas_, false),
      terminals_differ_(explanation.problem == "stp") {}

std::vector<Shape> ConstructionFrames::ground() const {
    std::vector<Shape> shapes;
    for (Vertex v = 0; v < instance_.size(); ++v) {
        Role role = Role::outside;
        if (is_terminal(v)) role = Role::terminal;
        if (v == explanation_.start) role = role == Role::terminal ? Role::start_terminal : Role::start;
        append_mark(shapes, role, pixels_[static_cast<std::size_t>(v)], sizes_.radius(1), instance_.label(v));
    }
    return shapes;
}

std::vector<Shape> ConstructionFrames::alternatives(std::size_t step) const {
    std::vector<Shape> shapes;
    const auto& list = explanation_.steps[step].alternatives;
    for (auto choice = list.rbegin(); choice != list.rend(); ++choice) {
        Paint paint;
        paint.stroke = palette::blue;
        paint.stroke_width = sizes_.line * (1 + 3 * choice->probability);
        paint.opacity = std::clamp(0.15 + 0.85 * choice->probability, 0.0, 1.0);
        paint.dash = choice->edge == explanation_.steps[step].chosen ? 0 : 4 * sizes_.line;
        shapes.emplace_back(Lines{{segment(choice->edge)}, paint});
    }
    return shapes;
}

std::vector<Shape> ConstructionFrames::added_line(std::size_t step, bool just_now) const {
    Paint paint;
    paint.stroke = just_now ? palette::red : palette::slate;
    paint.stroke_width = just_now ? 2 * sizes_.line : sizes_.line;
    std::vector<Shape> shapes;
    shapes.emplace_back(Lines{{segment(explanation_.steps[step].chosen)}, paint});
    return shapes;
}

std::vector<Shape> ConstructionFrames::added_mark(std::size_t step) const {
    const Edge edge = explanation_.steps[step].chosen;
    std::vector<Shape> shapes;
    append_mark(shapes, is_terminal(edge.v) ? Role::terminal : Role::degree_3,
                pixels_[static_cast<std::size_t>(edge.v)], sizes_.radius(2), instance_.label(edge.v));
    return shapes;
}

std::string ConstructionFrames::words(std::size_t step) const {
    const ExplainedStep& what = explanation_.steps[step];
    return fmt::format("step {}: {} – {}, p = {:.2f}, entropy {:.2f}, {} open edges", step + 1,
                       instance_.label(what.chosen.u), instance_.label(what.chosen.v), what.probability, what.entropy,
                       what.open_edges);
}

Segment ConstructionFrames::segment(const Edge& edge) const {
    return {pixels_[static_cast<std::size_t>(edge.u)], pixels_[static_cast<std::size_t>(edge.v)]};
}

bool ConstructionFrames::is_terminal(Vertex v) const {
    return terminals_differ_ && std::binary_search(instance_.terminals.begin(), instance_.terminals.end(), v);
}

}  // namespace neuroprim::formats
