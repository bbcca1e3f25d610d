#pragma once

#include <torch/types.h>

#include "train/cuda/kernels.hpp"
#include "train/known.hpp"
#include "train/resources.hpp"
#include "train/side_work.hpp"
#include "train/trajectories.hpp"

/// The kernels of train/cuda that replay trajectories, as differentiable functions of tensors.
namespace neuroprim::train::fused {

/// The sizes that follow from tables (G, n, n, d_e) and B trajectories on them.
[[nodiscard]] cuda::Sizes sizes_of(const at::Tensor& table, const Trajectories& trajectories, std::int64_t heads);

/// (B, T, d_e) from graph features (G, d_e) and edge features (G, n, n, d_e).
[[nodiscard]] at::Tensor decoder_input(const at::Tensor& graph, const at::Tensor& edges,
                                       const Trajectories& trajectories, const Known& known = {});

/// (B, T, d_e) from queries, keys and values side by side (B, T, 3·d_e). Known with the lse of SelfAttention.
[[nodiscard]] at::Tensor self_attention(const at::Tensor& query_key_value, const Trajectories& trajectories,
                                        std::int64_t heads, const Known& known = {});

/// (B, T, d_e) from queries (B, T, d_e), keys and values (G, n, n, d_e), and the rows' terms (B, T, n, heads) or
/// nothing. Known with the lse of EdgeAttention.
[[nodiscard]] at::Tensor edge_attention(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                                        const at::Tensor& terms, const Trajectories& trajectories, std::int64_t heads,
                                        const StepResources& resources, const std::shared_ptr<SideWork>& side,
                                        const Known& known = {});

struct ChoiceLikelihood {
    at::Tensor log_probabilities;  // (B)
    at::Tensor entropies;          // (B) without gradients, undefined when not asked for
};

/// From queries (B, T, d_e) and keys (G, n, n, d_e), and the rows' terms (B, T, n) or nothing. Known, without
/// entropies, with the lse of ActionChoice.
[[nodiscard]] ChoiceLikelihood action_choice(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& terms,
                                             const Trajectories& trajectories, std::int64_t heads, double clip,
                                             bool with_entropy, const StepResources& resources,
                                             const std::shared_ptr<SideWork>& side, const Known& known = {});

}  // namespace neuroprim::train::fused
