#pragma once

#include <optional>
#include <span>
#include <vector>

#include "formats/streets/box_tree.hpp"
#include "formats/streets/map_features.hpp"

namespace neuroprim::formats {

/// Areas that no street may pass. Their edges belong to the outside: a street may run along them or end there.
class ForbiddenAreas {
public:
    explicit ForbiddenAreas(const std::vector<MapFeatures::Area>& areas);

    [[nodiscard]] bool empty() const { return areas_->empty(); }

    /// The area that the point lies in.
    [[nodiscard]] std::optional<std::size_t> holding(Point at) const;

    /// An area that the path passes.
    [[nodiscard]] std::optional<std::size_t> crossed_by(std::span<const Point> path) const;

private:
    struct Side {
        Point from;
        Point to;
        std::size_t area = 0;
    };

    const std::vector<MapFeatures::Area>* areas_;
    std::vector<GeoBox> boxes_;  // of the areas
    std::vector<Side> sides_;    // of all rings
    BoxTree side_tree_;
    BoxTree area_tree_;

    static std::vector<Side> sides_of(const std::vector<MapFeatures::Area>& areas);
};

}  // namespace neuroprim::formats
