#pragma once

#include "train/known.hpp"
#include "train/policy_parts.hpp"
#include "train/replay.hpp"
#include "train/resources.hpp"
#include "train/rules.hpp"
#include "train/step_record.hpp"
#include "train/tables.hpp"
#include "train/trajectories.hpp"

/// The fast ways of what rollout.hpp and replay.hpp do plainly: same arguments, same answers up to rounding, on a
/// CUDA device through the kernels of train/cuda. They are compared with the plain ways by
/// tests/train/fused_test.cpp.
namespace neuroprim::train::fused {

/// Whether there are kernels for this policy on this device and graphs of n vertices, whatever the rules: a CUDA
/// build, a decoder of one layer, and one of the widths that were compiled. If not, the functions below must not be
/// called.
[[nodiscard]] bool supports(const PolicyConfig& config, c10::Device device, std::int64_t n);

/// The most vertices for which `supports` can be true; 0 where the other conditions fail.
[[nodiscard]] std::int64_t largest_graph(const PolicyConfig& config, c10::Device device);

/// All steps in one launch. Draws other numbers than the plain way for the same seed, from the same distribution.
[[nodiscard]] Trajectories roll_out(PolicyParts& policy, const Tables& tables, const Graphs& graphs,
                                    const Rules& rules, const at::Tensor& starts, const Choice& choice);

struct DeviceChoice {
    bool greedy = false;
    at::Tensor seed;         ///< (1) int64 on the device, so that a captured update may draw anew each time
    std::int64_t first = 0;  ///< as in Choice
    int warps = 0;           ///< per trajectory, and
    int warp_groups = 0;     ///< trajectories per block: for measuring; 0 chooses
};

/// The same; `record`, when not null, keeps what `log_probabilities` would compute of the trees.
[[nodiscard]] Trajectories roll_out(PolicyParts& policy, const Tables& tables, const Graphs& graphs,
                                    const Rules& rules, const at::Tensor& starts, const DeviceChoice& choice,
                                    StepRecord* record = nullptr);

/// Stores no scores: both passes visit the open edges again. Entropies carry no gradients. Decoders of any depth.
/// With a record of the rollout that grew these trees from these tables nothing is computed before the backward pass;
/// then the decoder has one layer, and there are no entropies.
[[nodiscard]] Likelihood log_probabilities(PolicyParts& policy, const Tables& tables,
                                           const Trajectories& trajectories, bool with_entropy = false,
                                           const StepResources& resources = {}, const StepRecord& record = {});

/// What `train::step_resources` says, all steps in one launch.
[[nodiscard]] StepResources step_resources(const Trajectories& trajectories, const Graphs& graphs, const Rules& rules,
                                           bool with_facts);

struct Features {
    at::Tensor edges;  // (G, n, n, d_e)
    at::Tensor graph;  // (G, d_e)
};

/// Features of all edges and of the graphs from those of the vertices (G, n, d_v), by the layers that make them and
/// without the maximum of all pairs in memory. Only when `supports_features` says so.
[[nodiscard]] Features features(const torch::nn::Linear& edge, const torch::nn::Linear& graph,
                                const at::Tensor& vertices, const std::shared_ptr<SideWork>& side = nullptr);
[[nodiscard]] bool supports_features(const torch::nn::Linear& edge, const at::Tensor& vertices);

/// W·x + b of (…, inputs). On a CUDA device the gradients of weight and bias are summed faster than LibTorch does,
/// which is slow for many short rows; elsewhere, and for other types, this is at::linear. `side` is where they may be
/// computed. Of a known result nobody reads the numbers where only gradients pass.
[[nodiscard]] at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                                const std::shared_ptr<SideWork>& side = nullptr, const Known& known = {});
[[nodiscard]] inline at::Tensor linear(const torch::nn::Linear& layer, const at::Tensor& x,
                                       const std::shared_ptr<SideWork>& side = nullptr, const Known& known = {}) {
    return linear(x, layer->weight, layer->bias, side, known);
}

/// Layer norm of x + update, in one pass on a CUDA device where there is a kernel for its width.
[[nodiscard]] at::Tensor norm_of_sum(torch::nn::LayerNorm& norm, const at::Tensor& x, const at::Tensor& update,
                                     const std::shared_ptr<SideWork>& side = nullptr, const Known& known = {});

/// Gradient clipping (largest_norm 0: none) and one step of Adam with β = (0.9, 0.999), ε = 1e-8 on long vectors (P).
/// `factors` (3) on the device: learning rate, 1 − β₁^k and 1 − β₂^k of update k. Returns the norm before clipping.
at::Tensor adam_update(at::Tensor& values, const at::Tensor& gradients, at::Tensor& first_moments,
                       at::Tensor& second_moments, const at::Tensor& factors, double largest_norm);

}  // namespace neuroprim::train::fused
