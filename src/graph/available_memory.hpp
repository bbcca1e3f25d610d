#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace neuroprim {

/// Bytes that this process can still take without swapping: what the system has (MemAvailable of /proc/meminfo), or
/// what its control groups (v2 or v1) leave it, if that is less. Nothing where the system does not tell. `root` is
/// for tests: the folder that holds proc and sys.
[[nodiscard]] std::optional<std::size_t> available_memory(const std::filesystem::path& root = "/");

}  // namespace neuroprim
