#pragma once

#include "neuroprim/weights.hpp"

namespace neuroprim {

/// Are all weights whole numbers? Then bounds on sums of them may be rounded up. O(1) for points, else O(m).
[[nodiscard]] bool has_whole_weights(const Weights& weights);

}  // namespace neuroprim
