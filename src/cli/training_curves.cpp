#include "cli/training_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "neuroprim/error.hpp"

namespace neuroprim::cli {

namespace {

using Curve = std::vector<Point>;

struct Panel {
    const char* title;
    const char* key;
    bool validation;  ///< measured now and then: dots on the line
};

constexpr Panel panels[] = {
    {"cost of greedy trees on the validation set", "validation_cost", true},
    {"cost of sampled trees", "cost", false},
    {"entropy, nats per step", "entropy", false},
    {"length of the gradient", "gradient_norm", false},
};

constexpr Colour palette[] = {{31, 119, 180}, {214, 39, 40},  {44, 160, 44}, {148, 103, 189},
                              {255, 127, 14}, {23, 190, 207}, {140, 86, 75}, {127, 127, 127}};
constexpr Colour ink{60, 60, 60};
constexpr Colour faint{225, 225, 225};

Curve curve_of(const TrainingRun& run, const std::string& x, const char* y) {
    Curve curve;
    for (const auto& line : run.lines) {
        const auto a = line.find(x);
        const auto b = line.find(y);
        if (a == line.end() || b == line.end() || !a->is_number() || !b->is_number()) continue;
        curve.push_back({a->get<double>(), b->get<double>()});
    }
    return curve;
}

/// Round numbers that divide [low, high] into about four parts.
std::vector<double> ticks(double low, double high) {
    const double rough = (high - low) / 4;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
    std::vector<double> result;
    const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-9));
    for (auto k = static_cast<std::int64_t>(std::ceil(low / step)); k <= last; ++k) {
        result.push_back(static_cast<double>(k) * step);
    }
    return result;
}

std::string short_number(double value) {
    if (std::abs(value) >= 1e6) return fmt::format("{:g} M", value / 1e6);
    if (std::abs(value) >= 1e4) return fmt::format("{:g} k", value / 1e3);
    return fmt::format("{:g}", value);
}

/// A rectangle of the picture with axes, into which curves are drawn.
struct Frame {
    double left, top, width, height;
    double x_low, x_high, y_low, y_high;

    [[nodiscard]] Point place(Point p) const {
        return {left + width * (p.x - x_low) / (x_high - x_low),
                top + height * (1 - (std::clamp(p.y, y_low, y_high) - y_low) / (y_high - y_low))};
    }
};

/// The first measurements of an untrained policy would flatten all that follows, so the range leaves out the worst
/// twentieth of the values.
void fit_range(Frame& frame, const std::vector<Curve>& curves) {
    std::vector<double> values;
    double x_high = 0;
    for (const Curve& curve : curves) {
        for (const Point p : curve) {
            values.push_back(p.y);
            x_high = std::max(x_high, p.x);
        }
    }
    std::sort(values.begin(), values.end());
    const double low = values.front();
    const double high = values[static_cast<std::size_t>(0.95 * static_cast<double>(values.size() - 1))];
    const double margin = high > low ? 0.08 * (high - low) : std::max(1e-6, 0.1 * std::abs(low));
    frame.x_low = 0;
    frame.x_high = x_high > 0 ? x_high : 1;
    frame.y_low = low - margin;
    frame.y_high = high + margin;
}

void draw_axes(Picture& picture, const Frame& frame, const std::string& title) {
    Lines grid{{}, {{}, faint, 1, 1, 0}};
    for (const double y : ticks(frame.y_low, frame.y_high)) {
        const Point at = frame.place({frame.x_low, y});
        grid.segments.push_back({at, {frame.left + frame.width, at.y}});
        picture.shapes.emplace_back(Label{{frame.left - 6, at.y + 4}, short_number(y), {11, ink, Anchor::right}});
    }
    for (const double x : ticks(frame.x_low, frame.x_high)) {
        const Point at = frame.place({x, frame.y_low});
        grid.segments.push_back({at, {at.x, frame.top}});
        picture.shapes.emplace_back(Label{{at.x, at.y + 15}, short_number(x), {11, ink, Anchor::centre}});
    }
    picture.shapes.emplace_back(std::move(grid));
    picture.shapes.emplace_back(Label{{frame.left, frame.top - 6}, title, {12, ink, Anchor::left, true}});
}

void draw_curve(Picture& picture, const Frame& frame, const Curve& curve, Colour colour, bool dots) {
    Lines lines{{}, {{}, colour, 1.6, 1, 0}};
    for (std::size_t k = 1; k < curve.size(); ++k) {
        lines.segments.push_back({frame.place(curve[k - 1]), frame.place(curve[k])});
    }
    picture.shapes.emplace_back(std::move(lines));
    if (!dots && curve.size() > 1) return;
    for (const Point p : curve) {
        picture.shapes.emplace_back(Circle{frame.place(p), 2.2, {colour, {}, 1, 1, 0}, fmt::format("{:g}", p.y)});
    }
}

}  // namespace

TrainingRun read_training_run(const std::string& argument) {
    const bool is_folder = std::filesystem::is_directory(argument);
    const std::string path = is_folder ? (std::filesystem::path(argument) / "metrics.jsonl").string() : argument;
    std::ifstream in(path);
    if (!in) throw InputError(path, 0, fmt::format("cannot be read: {}", std::strerror(errno)));
    TrainingRun run;
    run.name = std::filesystem::path(is_folder ? argument : std::filesystem::path(path).parent_path().string())
                   .lexically_normal()
                   .string();
    if (run.name.empty() || run.name == ".") run.name = argument;
    long number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object() || !json.contains("step")) {
            if (in.peek() == std::ifstream::traits_type::eof()) break;  // cut short while the run writes it
            throw InputError(path, number, "expected a JSON object with the member \"step\"");
        }
        run.lines.push_back(std::move(json));
    }
    if (run.lines.empty()) throw InputError(path, 0, "holds no metrics yet");
    return run;
}

Picture draw_training_curves(std::span<const TrainingRun> runs, const std::string& x, double width) {
    constexpr double left = 70;
    constexpr double right = 20;
    constexpr double panel_height = 170;
    constexpr double gap = 52;
    Picture picture;
    picture.width = width;
    picture.title = "training curves";
    double y = 20;
    for (std::size_t r = 0; r < runs.size(); ++r, y += 18) {
        const Colour colour = palette[r % std::size(palette)];
        picture.shapes.emplace_back(Lines{{{{left, y - 4}, {left + 24, y - 4}}}, {{}, colour, 2.5, 1, 0}});
        picture.shapes.emplace_back(Label{{left + 32, y}, runs[r].name, {12, ink}});
    }
    for (const Panel& panel : panels) {
        std::vector<Curve> curves;
        bool empty = true;
        for (const TrainingRun& run : runs) {
            curves.push_back(curve_of(run, x, panel.key));
            empty = empty && curves.back().empty();
        }
        if (empty) continue;
        Frame frame{left, y + 20, width - left - right, panel_height, 0, 1, 0, 1};
        fit_range(frame, curves);
        draw_axes(picture, frame, panel.title);
        for (std::size_t r = 0; r < runs.size(); ++r) {
            draw_curve(picture, frame, curves[r], palette[r % std::size(palette)], panel.validation);
        }
        y += panel_height + gap;
    }
    const std::string axis = x == "step" ? "updates" : x;
    picture.shapes.emplace_back(Label{{width - right, y + 6}, axis, {12, ink, Anchor::right}});
    picture.height = y + 18;
    return picture;
}

}  // namespace neuroprim::cli
