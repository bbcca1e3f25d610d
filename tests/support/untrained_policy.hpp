#pragma once

#include <cstdint>

#include "neuroprim/policy.hpp"

namespace neuroprim::testing {

/// A small policy that never learned anything: what it grows is poor, and must be feasible all the same.
[[nodiscard]] inline Policy untrained_policy(std::uint64_t seed = 3) {
    PolicyConfig config;
    config.d_v = 16;
    config.d_f = 16;
    config.encoder_layers = 1;
    return Policy::random(config, seed);
}

}  // namespace neuroprim::testing
