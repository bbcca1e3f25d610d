#include "formats/read/numbered_points.hpp"

#include <fmt/format.h>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

void NumberedPoints::add(const Token& number, Point point) {
    entries_.push_back({to_vertex(*text_, number, n_, 1), number.at, point});
}

std::vector<Point> NumberedPoints::in_order(std::size_t at) const {
    const auto n = static_cast<std::size_t>(n_);
    if (entries_.size() < n) {
        text_->fail(at, fmt::format("expected coordinates of {} vertices, found {}", n, entries_.size()));
    }
    std::vector<Point> points(n);
    std::vector<bool> seen(n);
    for (const auto& [vertex, entry_at, point] : entries_) {
        const auto v = static_cast<std::size_t>(vertex);
        if (seen[v]) text_->fail(entry_at, fmt::format("vertex {} has coordinates twice", v + 1));
        seen[v] = true;
        points[v] = point;
    }
    return points;
}

}  // namespace neuroprim::formats
