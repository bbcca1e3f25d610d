#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "neuroprim/policy.hpp"
#include "policy/safetensors.hpp"

namespace neuroprim::policy {

/// The tensors of a policy of twice the vertex features that says the same (Net2Net): each feature stands there
/// twice, and what reads it reads both. How much it takes of each is drawn from the seed, so that training tells them
/// apart.
[[nodiscard]] std::map<std::string, Tensor> widened(const std::map<std::string, Tensor>& tensors,
                                                    const PolicyConfig& config, std::uint64_t seed);

}  // namespace neuroprim::policy
