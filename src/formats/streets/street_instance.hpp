#pragma once

#include "formats/streets/map_features.hpp"
#include "formats/text/text.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/map_options.hpp"

namespace neuroprim::formats {

/// The graph of a map that holds lines (docs/formats.md, "Streets"). Fails on addresses that are too far from every
/// street; warns of all else that is not taken as it is. O(p log p) for p points.
[[nodiscard]] Instance street_instance(const Text& text, const MapFeatures& map, const MapOptions& options);

}  // namespace neuroprim::formats
