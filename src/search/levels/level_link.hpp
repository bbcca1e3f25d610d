#pragma once

#include "neuroprim/types.hpp"
#include "neuroprim/weights.hpp"

namespace neuroprim::levels {

/// An edge to the vertex that another could hang from; `no_vertex` when there is none.
struct LevelLink {
    Vertex to = no_vertex;
    double weight = Weights::infinity;
};

}  // namespace neuroprim::levels
