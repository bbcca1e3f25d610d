#pragma once

#include <vector>

#include "formats/read/point_list.hpp"
#include "formats/streets/forbidden_areas.hpp"
#include "formats/streets/street_network.hpp"
#include "neuroprim/map_options.hpp"

namespace neuroprim::formats {

/// A point of the map and the node of the streets that stands for it.
struct SnappedPlace {
    std::uint32_t node = 0;
    double metres = 0;
};

/// Moves every place of the map to the nearest street outside forbidden areas, which is cut there. Fails on places
/// that are farther than `snap_distance` from all of them.
[[nodiscard]] std::vector<SnappedPlace> snapped_places(const Text& text, const MapFeatures& map,
                                                       const MapOptions& options, const ForbiddenAreas& areas,
                                                       StreetNetwork& streets, Findings& findings);

/// Tells the vertices what their places say: `vertex[i]` stands for place i. Where several places are one vertex,
/// their demands and prizes add up. A place that says nothing about its part is a terminal if none of them does.
void tell_vertices(const MapFeatures& map, const std::vector<Vertex>& vertex, PointList& vertices,
                   Findings& findings);

}  // namespace neuroprim::formats
