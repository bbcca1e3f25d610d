#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::formats {

/// From `low` to `high` on both axes.
struct GeoBox {
    Point low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    Point high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

    void include(Point p);
    void include(const GeoBox& box);
    [[nodiscard]] bool overlaps(const GeoBox& box) const;
    [[nodiscard]] bool contains(Point p) const;

    /// Squared distance of `p`, with x counted `x_scale` times. 0 inside.
    [[nodiscard]] double squared_distance(Point p, double x_scale) const;
};

/// The box around a segment.
[[nodiscard]] GeoBox box_of(Point a, Point b);

/// Boxes in a tree, packed by sorting tiles (Leutenegger et al., 1997): finds what is near or what overlaps in
/// O(log n) where boxes do not crowd.
class BoxTree {
public:
    explicit BoxTree(const std::vector<GeoBox>& boxes);

    struct Hit {
        std::size_t item = 0;
        double squared_distance = 0;
    };

    /// The nearest item by `squared_distance(item)`, which is never below that of its box; infinity passes it over.
    /// Nothing when all are farther than `most`. Of equals the first item.
    template <class SquaredDistance>
    [[nodiscard]] std::optional<Hit> nearest(Point p, double x_scale, double most,
                                             SquaredDistance&& squared_distance) const;

    /// Calls `visit(item)` for every item whose box overlaps; one that returns false ends the search.
    template <class Visit>
    void overlapping(const GeoBox& box, Visit&& visit) const;

private:
    static constexpr std::size_t fan_out = 16;

    struct Node {
        GeoBox box;
        std::uint32_t begin = 0;  // children: nodes, or places in items_ for leaves
        std::uint32_t end = 0;
        bool leaf = true;
    };

    std::vector<std::uint32_t> items_;
    std::vector<GeoBox> boxes_;  // as items_
    std::vector<Node> nodes_;    // the root is the last
};

template <class SquaredDistance>
std::optional<BoxTree::Hit> BoxTree::nearest(Point p, double x_scale, double most,
                                             SquaredDistance&& squared_distance) const {
    if (nodes_.empty()) return std::nullopt;
    struct Open {
        double bound;
        std::uint32_t node;
        bool operator<(const Open& other) const { return bound > other.bound; }
    };
    std::optional<Hit> best;
    double limit = most;
    std::priority_queue<Open> open;
    const auto root = static_cast<std::uint32_t>(nodes_.size() - 1);
    open.push({nodes_[root].box.squared_distance(p, x_scale), root});
    while (!open.empty() && open.top().bound <= limit) {
        const Node& node = nodes_[open.top().node];
        open.pop();
        for (std::uint32_t k = node.begin; k < node.end; ++k) {
            const double bound = (node.leaf ? boxes_[k] : nodes_[k].box).squared_distance(p, x_scale);
            if (bound > limit) continue;
            if (!node.leaf) {
                open.push({bound, k});
                continue;
            }
            const double found = squared_distance(std::size_t{items_[k]});
            if (!(found <= limit) || found == std::numeric_limits<double>::infinity()) continue;
            if (best && found == best->squared_distance && items_[k] > best->item) continue;
            best = Hit{items_[k], found};
            limit = found;
        }
    }
    return best;
}

template <class Visit>
void BoxTree::overlapping(const GeoBox& box, Visit&& visit) const {
    if (nodes_.empty()) return;
    std::vector<std::uint32_t> open = {static_cast<std::uint32_t>(nodes_.size() - 1)};
    while (!open.empty()) {
        const Node& node = nodes_[open.back()];
        open.pop_back();
        if (!node.box.overlaps(box)) continue;
        for (std::uint32_t k = node.begin; k < node.end; ++k) {
            if (!node.leaf) {
                open.push_back(k);
            } else if (boxes_[k].overlaps(box) && !visit(std::size_t{items_[k]})) {
                return;
            }
        }
    }
}

}  // namespace neuroprim::formats
