#pragma once

#include <memory>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/instance.hpp"

namespace neuroprim::formats {

/// How the edges of a graph run on a map: `{"shapes": [[u, v, [[lon, lat], …]], …], "areas": [[[lon, lat], …], …]}`.
/// The instance must have its weights and its layout, which are longitude and latitude then.
[[nodiscard]] std::shared_ptr<const StreetMap> read_json_map(JsonCursor& cursor, const Instance& instance);

}  // namespace neuroprim::formats
