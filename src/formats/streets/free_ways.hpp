#pragma once

#include <optional>
#include <span>
#include <vector>

#include "formats/streets/box_tree.hpp"
#include "formats/streets/forbidden_areas.hpp"

namespace neuroprim::formats {

/// Which straight ways are free of a set of areas. The outlines belong to the outside: a way may run along them, but
/// not between two areas that touch. Longitudes and latitudes are taken as plane coordinates, as GeoJSON does.
class FreeWays {
public:
    /// The areas must outlive it; `points` are where ways may begin and end.
    FreeWays(const std::vector<MapFeatures::Area>& areas, std::span<const Point> points);

    /// Does the way between two points that lie in no area pass one?
    [[nodiscard]] bool is_blocked(Point a, Point b) const;

    /// The area that holds the point, unless it is on the outline.
    [[nodiscard]] std::optional<std::size_t> holding(Point at) const;

private:
    struct Side {
        Point from;
        Point to;
    };

    [[nodiscard]] GeoBox widened(GeoBox box) const;

    /// Is the point on the line through this side? It must be in its widened box.
    [[nodiscard]] bool is_near(const Side& side, Point at) const;

    /// Is there an area on both sides of a point of the way in direction `along`?
    [[nodiscard]] bool is_between_areas(Point at, Point along) const;

    ForbiddenAreas areas_;
    std::vector<Side> sides_;
    BoxTree side_tree_;
    double slack_ = 0;  ///< what is nearer than this counts as touching

    static std::vector<Side> sides_of(const std::vector<MapFeatures::Area>& areas);
};

}  // namespace neuroprim::formats
