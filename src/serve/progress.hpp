#pragma once

#include <optional>
#include <string>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::serve {

/// Where a search stands, as it is told to a client.
struct Progress {
    double cost = 0;
    std::optional<double> bound;
    double seconds = 0;
    std::string found_by;
    std::optional<std::vector<Edge>> edges;  ///< of the best tree, when it has changed
};

}  // namespace neuroprim::serve
