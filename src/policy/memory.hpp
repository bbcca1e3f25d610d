#pragma once

#include <cstddef>
#include <optional>

#include "neuroprim/policy.hpp"

namespace neuroprim::policy {

/// Bytes of the records of all directed edges: exactly what `Encoded::bytes` will say.
[[nodiscard]] std::size_t table_bytes(const PolicyConfig& config, const Problem& problem);

/// The most that are in use at a time while they are made.
[[nodiscard]] std::size_t encoding_bytes(const PolicyConfig& config, const Problem& problem, int threads);

/// Throws TooLarge when the policy needs more than `most`, or more than `default_max_memory()` if that is not given.
/// Small needs are never refused by default, and cost no question to the system.
void require_memory(std::size_t needed, std::optional<std::size_t> most, Vertex n);

}  // namespace neuroprim::policy
