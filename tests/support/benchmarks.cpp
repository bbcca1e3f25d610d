#include "support/benchmarks.hpp"

#include <cstdlib>

namespace neuroprim::testing {

std::optional<std::filesystem::path> benchmarks() {
    const char* named = std::getenv("NEUROPRIM_BENCHMARKS");
    const std::filesystem::path folder = named ? named : NEUROPRIM_SOURCE_DIR "/../shared/benchmarks";
    if (!std::filesystem::is_regular_file(folder / "best_known.csv")) return std::nullopt;
    return folder;
}

}  // namespace neuroprim::testing
