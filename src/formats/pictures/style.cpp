#include "formats/pictures/style.hpp"

#include <algorithm>
#include <cmath>

#include "formats/pictures/layout.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::size_t most_with_labels = 60;
constexpr std::size_t most_with_titles = 5'000;
constexpr std::size_t most_with_vertices = 30'000;

/// The distance to the nearest neighbour that the given share of vertices does not reach, judged by a sample.
double elbow_room(std::span<const Point> pixels, double share) {
    constexpr std::size_t sample_size = 200;
    const std::size_t stride = std::max<std::size_t>(1, pixels.size() / sample_size);
    std::vector<double> nearest;
    for (std::size_t u = 0; u < pixels.size(); u += stride) {
        double best = 1e6;
        for (std::size_t v = 0; v < pixels.size(); ++v) {
            const double dx = pixels[u].x - pixels[v].x;
            const double dy = pixels[u].y - pixels[v].y;
            if (u != v) best = std::min(best, dx * dx + dy * dy);
        }
        nearest.push_back(std::sqrt(best));
    }
    if (nearest.empty()) return 0;
    const auto place = nearest.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(nearest.size()));
    std::nth_element(nearest.begin(), place, nearest.end());
    return *place;
}

}  // namespace

Canvas::Canvas(std::span<const Point> at, double width, double margin) : width_(width), margin_(margin) {
    const Bounds bounds = bounds_of(at);
    middle_ = {(bounds.low.x + bounds.high.x) / 2, (bounds.low.y + bounds.high.y) / 2};
    const double inside = std::max(1.0, width - 2 * margin);
    const double shape = bounds.width() > 0 ? bounds.height() / bounds.width() : bounds.height() > 0 ? 1.0 : 0.3;
    const double inside_height = inside * std::clamp(shape, 0.3, 1.05);
    height_ = std::ceil(inside_height + 2 * margin);
    if (bounds.width() > 0 || bounds.height() > 0) {
        scale_ = std::min(bounds.width() > 0 ? inside / bounds.width() : Weights::infinity,
                          bounds.height() > 0 ? inside_height / bounds.height() : Weights::infinity);
    }
}

Point Canvas::operator()(Point p) const {
    return {width_ / 2 + (p.x - middle_.x) * scale_, height_ / 2 - (p.y - middle_.y) * scale_};
}

Sizes::Sizes(std::span<const Point> pixels, const Canvas& canvas, bool has_names) {
    const auto count = static_cast<double>(std::max<std::size_t>(pixels.size(), 1));
    const double spacing = std::sqrt(canvas.width() * canvas.height() / count);
    line = std::clamp(0.2 * std::sqrt(spacing), 0.3, 1.8);
    titles = pixels.size() <= most_with_titles;
    vertices = pixels.size() <= most_with_vertices;
    if (pixels.size() <= most_with_labels) {
        dot = std::clamp(0.4 * elbow_room(pixels, 0.1), 2.5, has_names ? 5 : 8.5);
        names = true;
        numbers = !has_names && dot >= 7;
    } else if (vertices) {
        dot = std::clamp(0.2 * elbow_room(pixels, 0.5), 0.6, 3.5);
    }
}

double Sizes::radius(int degree) const {
    return dot * std::min(numbers ? 2.0 : 3.0, 0.55 + 0.45 * std::sqrt(std::max(degree, 1)));
}

}  // namespace neuroprim::formats
