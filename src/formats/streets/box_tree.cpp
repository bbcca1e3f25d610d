#include "formats/streets/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace neuroprim::formats {

void GeoBox::include(Point p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
}

void GeoBox::include(const GeoBox& box) {
    include(box.low);
    include(box.high);
}

bool GeoBox::overlaps(const GeoBox& box) const {
    return low.x <= box.high.x && box.low.x <= high.x && low.y <= box.high.y && box.low.y <= high.y;
}

bool GeoBox::contains(Point p) const {
    return low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y;
}

double GeoBox::squared_distance(Point p, double x_scale) const {
    const double dx = x_scale * std::max({low.x - p.x, 0.0, p.x - high.x});
    const double dy = std::max({low.y - p.y, 0.0, p.y - high.y});
    return dx * dx + dy * dy;
}

GeoBox box_of(Point a, Point b) {
    GeoBox box;
    box.include(a);
    box.include(b);
    return box;
}

BoxTree::BoxTree(const std::vector<GeoBox>& boxes) : items_(boxes.size()) {
    if (boxes.empty()) return;
    std::iota(items_.begin(), items_.end(), 0U);
    const auto by = [&](double Point::*axis) {
        return [&boxes, axis](std::uint32_t a, std::uint32_t b) {
            const double centre_a = boxes[a].low.*axis + boxes[a].high.*axis;
            const double centre_b = boxes[b].low.*axis + boxes[b].high.*axis;
            return centre_a != centre_b ? centre_a < centre_b : a < b;
        };
    };
    const std::size_t leaves = (boxes.size() + fan_out - 1) / fan_out;
    const auto slices = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(leaves))));
    const std::size_t per_slice = (boxes.size() + slices - 1) / slices;
    std::sort(items_.begin(), items_.end(), by(&Point::x));
    for (std::size_t begin = 0; begin < items_.size(); begin += per_slice) {
        const std::size_t end = std::min(begin + per_slice, items_.size());
        std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begin),
                  items_.begin() + static_cast<std::ptrdiff_t>(end), by(&Point::y));
    }
    boxes_.reserve(boxes.size());
    for (const std::uint32_t item : items_) boxes_.push_back(boxes[item]);

    const auto add_level = [this](std::size_t first, std::size_t last, bool leaf) {
        for (std::size_t begin = first; begin < last; begin += fan_out) {
            const std::size_t end = std::min(begin + fan_out, last);
            Node node{{}, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), leaf};
            for (std::size_t k = begin; k < end; ++k) node.box.include(leaf ? boxes_[k] : nodes_[k].box);
            nodes_.push_back(node);
        }
    };
    add_level(0, boxes_.size(), true);
    for (std::size_t first = 0; nodes_.size() - first > 1;) {
        const std::size_t last = nodes_.size();
        add_level(first, last, false);
        first = last;
    }
}

}  // namespace neuroprim::formats
