#pragma once

#include <torch/torch.h>

#include <vector>

#include "neuroprim/policy.hpp"
#include "train/vertex_norm.hpp"

namespace neuroprim::train {

/// The policy of docs/model.md as LibTorch modules, written the plain way: what the trainer differentiates, and the
/// reference that the engine is compared with. Shapes: B graphs, S trajectories, T steps, n vertices.
///
/// The module tree gives the tensor names of the weights file by itself.

/// Multi-head attention with biases; heads lie side by side in the channels.
class AttentionImpl : public torch::nn::Module {
public:
    AttentionImpl(int size, int head_count, bool sees_distances = false);

    /// (B, Q, d) from queries (B, Q, d) and others (B or 1, K, d); `allowed` (B, Q, K) may be undefined. Scores are
    /// multiplied with `sharpness`, then lowered by what each head makes of `distances` (B, Q, K), where it sees
    /// them, and raised by `terms` (B, heads, Q, K), where they are defined.
    torch::Tensor forward(const torch::Tensor& queries, const torch::Tensor& others,
                          const torch::Tensor& allowed = {}, double sharpness = 1,
                          const torch::Tensor& distances = {}, const torch::Tensor& terms = {});

    int heads;
    torch::nn::Linear query, key, value, output;
    torch::Tensor distance;  // (heads), or undefined

private:
    [[nodiscard]] torch::Tensor split(const torch::Tensor& x) const;  // (B, heads, K, d/heads)
};
TORCH_MODULE(Attention);

class EncoderLayerImpl : public torch::nn::Module {
public:
    explicit EncoderLayerImpl(const PolicyConfig& config);
    /// (B, n, d_v); `distances` (B, n, n) may be undefined.
    torch::Tensor forward(torch::Tensor x, double sharpness, const torch::Tensor& distances);

    Attention attention;
    VertexNorm attention_norm;
    torch::nn::Linear expand, contract;
    VertexNorm output_norm;
};
TORCH_MODULE(EncoderLayer);

class DecoderLayerImpl : public torch::nn::Module {
public:
    explicit DecoderLayerImpl(const PolicyConfig& config);

    /// `x` (S, Q, d_e) are the last Q of the inputs `past` (S, T, d_e); `causal` (1, Q, T) says which of those each
    /// may see, `allowed` (S, Q, n²) which of the edges (1 or S, n², d_e); `terms` (S, heads, Q, n²) or undefined.
    torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& past, const torch::Tensor& causal,
                          const torch::Tensor& edges, const torch::Tensor& allowed, const torch::Tensor& terms);

    Attention self_attention;
    torch::nn::LayerNorm self_norm;
    Attention edge_attention;
    torch::nn::LayerNorm edge_norm;
    torch::nn::Linear expand, contract;
    torch::nn::LayerNorm output_norm;
};
TORCH_MODULE(DecoderLayer);

/// What the encoder says about B graphs.
struct GraphFeatures {
    torch::Tensor graph;  // (B, d_e)
    torch::Tensor edges;  // (B, n, n, d_e), (u, v); the diagonal stands for starts
};

/// (B, n, n) ln(1 + √n·distance) of points (B, n, 2) in the unit square. Where `weights` (B, n, n) are defined, in
/// the same unit, they take the place of distances; infinity stands for "no such edge".
[[nodiscard]] torch::Tensor log_distances(const torch::Tensor& points, const torch::Tensor& weights = {});

/// What an edge's length ln(1 + s), of any shape, tells: (…, 2) that and 1 / (1 + s).
[[nodiscard]] torch::Tensor distance_features(const torch::Tensor& lengths);

class PolicyModuleImpl : public torch::nn::Module {
    PolicyConfig config_;

public:
    explicit PolicyModuleImpl(const PolicyConfig& config);

    [[nodiscard]] const PolicyConfig& config() const { return config_; }

    /// `coordinates` (B, n, 2) in the unit square, `is_terminal` (B, n) of bool, `facts` (B, n, input_facts) for a
    /// policy that is told the specification, `weights` (B, n, n) as for `log_distances` for one that sees them.
    GraphFeatures encode(const torch::Tensor& coordinates, const torch::Tensor& is_terminal,
                         const torch::Tensor& facts = {}, const torch::Tensor& weights = {});

    /// (…, row_terms) scores that the facts of rows (…, row_facts) add; undefined for a policy that is not told.
    [[nodiscard]] torch::Tensor row_terms(const torch::Tensor& facts);

    /// The decoder's input after the actions (u, v), each (S, T): (S, T, d_e). Row s looks at graph s, or all at
    /// graph 0.
    [[nodiscard]] torch::Tensor inputs(const GraphFeatures& features, const torch::Tensor& u,
                                       const torch::Tensor& v) const;

    /// Logits of all steps at once, −∞ where `allowed` (S, T, n²) is false: (S, T, n²). `terms` (S, T, n, row_terms)
    /// where the policy has them.
    torch::Tensor logits(const GraphFeatures& features, const torch::Tensor& inputs, const torch::Tensor& allowed,
                         const torch::Tensor& terms = {});

    /// Inputs of every decoder layer at the steps so far, for decoding step by step.
    struct Memory {
        std::vector<torch::Tensor> past;  // per layer (S, t, d_e)
    };

    /// Logits of one step, (S, n²), given the input (S, 1, d_e) of that step, and `terms` (S, 1, n, row_terms).
    torch::Tensor step(const GraphFeatures& features, const torch::Tensor& input, const torch::Tensor& allowed,
                       Memory& memory, const torch::Tensor& terms = {});

    torch::nn::Linear terminal_input{nullptr}, other_input{nullptr};
    torch::nn::Linear specification{nullptr};                      // where the policy is told it, as the next two
    torch::nn::Linear row_expand{nullptr}, row_contract{nullptr};  // the network of rows
    torch::nn::ModuleList encoder;
    VertexNorm encoder_norm{nullptr};  // none where norms are of each vertex
    torch::nn::Linear graph, edge;
    torch::nn::Linear distance{nullptr};  // where distances are seen
    torch::nn::ModuleList decoder;
    torch::nn::Linear action_query{nullptr}, action_key{nullptr};

private:
    [[nodiscard]] torch::Tensor flat_edges(const GraphFeatures& features) const;
    [[nodiscard]] torch::Tensor head_terms(const torch::Tensor& terms, std::size_t layer) const;
    torch::Tensor action_logits(const torch::Tensor& x, const torch::Tensor& edges, const torch::Tensor& allowed,
                                const torch::Tensor& terms);
};
TORCH_MODULE(PolicyModule);

/// Gives the module the weights of a policy.
void copy_weights(const Policy& from, PolicyModule& to);

/// Writes the module as a weights file that Policy::load reads.
void save_weights(const PolicyModule& module, const std::filesystem::path& path);

/// One tree per start, greedily, step by step with full n × n masks as the paper decodes.
[[nodiscard]] std::vector<Tree> decode_greedily(PolicyModule& module, const Problem& problem,
                                                std::span<const Start> starts);

/// Log-probability of each tree, all its steps at once (teacher forcing). The trees must have equally many edges.
[[nodiscard]] torch::Tensor log_probabilities(PolicyModule& module, const Problem& problem,
                                              std::span<const Tree> trees);

}  // namespace neuroprim::train
