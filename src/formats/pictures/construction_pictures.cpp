#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/pictures/caption.hpp"
#include "formats/pictures/construction_frames.hpp"
#include "formats/pictures/svg.hpp"
#include "neuroprim/explanation_files.hpp"

namespace neuroprim {
using namespace formats;

namespace {

constexpr double caption_height = 34;

Label caption(const std::string& text, double height) {
    LabelStyle style;
    style.size = 14;
    style.colour = palette::dark_slate;
    return {{24, height + caption_height - 14}, text, style};
}

/// A group that is hidden but from `begin` to `end` of each round, in seconds.
void append_timed(std::string& out, const std::vector<Shape>& shapes, double begin, const std::string& end) {
    out += "<g visibility=\"hidden\">\n";
    out += fmt::format(
        "<set attributeName=\"visibility\" to=\"visible\" begin=\"round.begin+{:.2f}s\" end=\"{}\"/>\n", begin, end);
    append_svg_shapes(out, shapes);
    out += "</g>\n";
}

std::string at_second(double seconds) {
    return fmt::format("round.begin+{:.2f}s", seconds);
}

Shape moved(Shape shape, Point by) {
    const auto shift = [&](Point& p) { p = {p.x + by.x, p.y + by.y}; };
    if (auto* lines = std::get_if<Lines>(&shape)) {
        for (auto& segment : lines->segments) {
            shift(segment.from);
            shift(segment.to);
        }
    } else if (auto* circle = std::get_if<Circle>(&shape)) {
        shift(circle->centre);
    } else if (auto* box = std::get_if<Box>(&shape)) {
        shift(box->centre);
    } else {
        shift(std::get<Label>(shape).at);
    }
    return shape;
}

std::string summary(const Instance& instance, const Explanation& explanation) {
    const std::string outcome =
        explanation.complete ? fmt::format("cost {}", readable(explanation.cost)) : "a dead end";
    return fmt::format("{}  ·  {}  ·  n = {}  ·  {}  ·  log p = {:.2f}", instance.name, explanation.problem,
                       instance.size(), outcome, explanation.log_probability);
}

}  // namespace

std::string explanation_to_animation(const Instance& instance, const Explanation& explanation,
                                     double seconds_per_step) {
    const ConstructionFrames frames(instance, explanation, 800);
    const auto steps = static_cast<double>(frames.steps());
    const double pause = 3;
    Picture picture{frames.width(), frames.height() + caption_height, instance.name, {}};
    std::string out;
    append_svg_head(out, picture);
    out += fmt::format(
        "<rect width=\"0\" height=\"0\"><animate id=\"round\" attributeName=\"x\" from=\"0\" to=\"0\" "
        "dur=\"{:.2f}s\" "
        "begin=\"0s;round.end\"/></rect>\n",
        steps * seconds_per_step + pause);
    for (std::size_t k = 0; k < frames.steps(); ++k) {
        const double end = static_cast<double>(k + 1) * seconds_per_step;
        append_timed(out, frames.added_line(k, false), end, "round.end");
    }
    for (std::size_t k = 0; k < frames.steps(); ++k) {
        const double begin = static_cast<double>(k) * seconds_per_step;
        const double choice = begin + 0.6 * seconds_per_step;
        const double end = begin + seconds_per_step;
        append_timed(out, frames.alternatives(k), begin, at_second(choice));
        append_timed(out, frames.added_line(k, true), choice, at_second(end));
        append_timed(out, {caption(frames.words(k), frames.height())}, begin, at_second(end));
    }
    append_svg_shapes(out, frames.ground());
    for (std::size_t k = 0; k < frames.steps(); ++k) {
        append_timed(out, frames.added_mark(k), (static_cast<double>(k) + 0.6) * seconds_per_step, "round.end");
    }
    append_timed(out, {caption(summary(instance, explanation), frames.height())}, steps * seconds_per_step,
                 "round.end");
    append_svg_tail(out);
    return out;
}

Picture explanation_to_strip(const Instance& instance, const Explanation& explanation, int frames) {
    const ConstructionFrames cells(instance, explanation, 300);
    const std::size_t steps = cells.steps();
    const std::size_t count = std::min(static_cast<std::size_t>(std::max(frames, 2)), steps + 1);
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count) * 2)));
    const std::size_t rows = (count + columns - 1) / columns;
    const double cell_height = cells.height() + caption_height;
    Picture picture{static_cast<double>(std::min(columns, count)) * cells.width(),
                    static_cast<double>(rows) * cell_height,
                    summary(instance, explanation),
                    {}};
    for (std::size_t k = 0; k < count; ++k) {
        // The last frame is the finished tree; the others show a step while it is decided.
        const std::size_t step = count == 1 ? steps : k * steps / (count - 1);
        const std::size_t row = k / columns;
        const Point corner{static_cast<double>(k % columns) * cells.width(), static_cast<double>(row) * cell_height};
        std::vector<Shape> shapes;
        const auto append = [&](std::vector<Shape> more) { shapes.insert(shapes.end(), more.begin(), more.end()); };
        for (std::size_t done = 0; done < step; ++done) append(cells.added_line(done, false));
        if (step < steps) append(cells.alternatives(step));
        append(cells.ground());
        for (std::size_t done = 0; done < step; ++done) append(cells.added_mark(done));
        const std::string text =
            step == steps ? (explanation.complete ? fmt::format("cost {}", readable(explanation.cost))
                                                  : std::string("dead end"))
                          : fmt::format("step {}, p = {:.2f}", step + 1, explanation.steps[step].probability);
        shapes.emplace_back(caption(text, cells.height()));
        for (auto& shape : shapes) picture.shapes.push_back(moved(std::move(shape), corner));
    }
    return picture;
}

}  // namespace neuroprim
