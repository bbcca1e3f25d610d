#pragma once

#include <cstddef>

namespace neuroprim {

/// Trees held at once: enough to keep every thread busy, few enough for large instances.
inline constexpr std::size_t neural_batch = 2048;

}  // namespace neuroprim
