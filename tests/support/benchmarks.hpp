#pragma once

#include <filesystem>
#include <optional>

namespace neuroprim::testing {

/// The folder of literature instances: $NEUROPRIM_BENCHMARKS, or `shared/benchmarks` beside the checkout.
/// Nothing when absent: a test that needs it then skips with a message.
[[nodiscard]] std::optional<std::filesystem::path> benchmarks();

}  // namespace neuroprim::testing
