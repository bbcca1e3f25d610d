#pragma once

#include <cstdint>

namespace neuroprim {

/// How long a part of a large tree is searched.
struct WindowEffort {
    std::int64_t steps = 0;
    bool anneals = false;  ///< otherwise it descends
    double heat = 0;       ///< what temperatures are measured by; 0: the mean cost per vertex
};

}  // namespace neuroprim
