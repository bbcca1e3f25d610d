#pragma once

#include "train/policy_parts.hpp"
#include "train/side_work.hpp"
#include "train/tables.hpp"

/// What all trajectories share of the edges, in one launch.
namespace neuroprim::train::fused {

/// Whether there is a kernel for edges (G, n, n, d_e) and the layers that project them.
[[nodiscard]] bool supports_edge_projections(const PolicyParts& policy, const at::Tensor& edges);

/// Fills in keys, values and action keys from the edges. These become what all gradients of the edges go through, so
/// that they are added up in one launch, too.
void project_edges(PolicyParts& policy, Tables& tables);

}  // namespace neuroprim::train::fused
