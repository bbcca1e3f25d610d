#pragma once

#include <vector>

#include "formats/streets/street_network.hpp"

namespace neuroprim::formats {

/// The graph that streets became, as far as its parts are concerned.
struct StreetParts {
    const MapFeatures& map;
    const StreetNetwork& streets;
    const std::vector<StreetNetwork::Piece>& pieces;  // edges only
    const std::vector<Vertex>& vertex_of_node;
    const std::vector<Vertex>& vertex_of_place;
    Vertex n;
};

/// Warns when the streets fall into parts that do not meet, with the gap between them.
void tell_parts(const Text& text, const StreetParts& parts);

}  // namespace neuroprim::formats
