#pragma once

#include "formats/streets/map_features.hpp"
#include "formats/text/text.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/map_options.hpp"

namespace neuroprim::formats {

/// The instance that a map stands for: streets where it holds lines, points that go around its areas otherwise.
[[nodiscard]] Instance map_instance(const Text& text, const MapFeatures& map, const MapOptions& options);

/// The areas of a map, called as the map calls them.
[[nodiscard]] std::vector<Obstacle> obstacles_of(const MapFeatures& map);

}  // namespace neuroprim::formats
