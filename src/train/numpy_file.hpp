#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "neuroprim/instance.hpp"

namespace neuroprim::train {

/// The graphs of a NumPy file (.npy) of points: float32 or float64 of shape (G, n, 2), or (n, 2) for one graph, in C
/// order. They are called by the file and their number: `batch-17`. Throws InputError naming the file and what was
/// expected.
[[nodiscard]] std::vector<Instance> read_numpy_points(const std::filesystem::path& path);

/// Writes int32 numbers of this shape, in C order, as a NumPy file that appears whole or not at all.
void write_numpy(const std::filesystem::path& path, std::span<const std::int64_t> shape,
                 std::span<const std::int32_t> numbers);

}  // namespace neuroprim::train
