#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

/// The part of training that costs, as CUDA kernels behind plain pointers. Every pointer is device memory, every
/// array is dense and row by row in the shape beside it, every call only enqueues work on the stream. Errors are
/// thrown as std::runtime_error. B = graphs·per_graph trajectories of T = n − 1 steps; H = heads.
///
/// The numbers `enter`, `close` and `lengths` are those of train::Trajectories.
namespace neuroprim::train::cuda {

/// Whether kernels for these sizes were compiled; everything else is left to plain tensor operations.
[[nodiscard]] bool supports(int d_e, int heads);

/// The largest graph whose trajectories the rollout can keep on the chip, under limits or not.
[[nodiscard]] int largest_rollout(int d_e, int heads, bool limited = false);

struct Sizes {
    int graphs = 0;
    int per_graph = 0;
    int n = 0;
    int d_e = 0;
    int heads = 0;

    [[nodiscard]] int trajectories() const { return graphs * per_graph; }
    [[nodiscard]] int steps() const { return n - 1; }
    [[nodiscard]] bool is_empty() const { return trajectories() == 0 || steps() < 1; }
};

/// What tells which edges are open at which step.
struct Times {
    const std::int32_t* enter = nullptr;    // (B, n)
    const std::int32_t* close = nullptr;    // (B, n)
    const std::int32_t* lengths = nullptr;  // (B)
};

struct LinearWeights {
    const float* weight = nullptr;  // (d_e, d_e), row = output
    const float* bias = nullptr;    // (d_e)
};

struct NormWeights {
    const float* weight = nullptr;  // (d_e)
    const float* bias = nullptr;    // (d_e)
};

/// A decoder of one layer.
struct DecoderWeights {
    LinearWeights self_query, self_key, self_value, self_output;
    NormWeights self_norm;
    LinearWeights edge_query, edge_output;
    NormWeights edge_norm;
    LinearWeights expand, contract;
    NormWeights output_norm;
    LinearWeights action_query;
};

/// The numbers of policy::RowFacts about a tree vertex, and the width of the network that makes scores of them.
inline constexpr int row_facts = 14;
inline constexpr int row_width = 32;

/// Limits beyond the outer product of open rows and outside columns. Null or 0: there is no such limit.
struct Limits {
    int degree = 0;
    int start_degree = 0;  ///< edges that the start counts as having before the first
    int hops = 0;
    int diameter = 0;
    float capacity = 0;
    bool has_root = false;

    const float* points = nullptr;               // (G, n, 2)
    const float* edge_weights = nullptr;         // (G, n, n); null: straight distances
    const float* length_limits = nullptr;        // (G), from the root
    const float* units = nullptr;                // (G) feature distance per unit of length
    const float* demands = nullptr;              // (G, n), and the next two where there is a capacity
    const float* mean_demands = nullptr;         // (G)
    const float* least_demands = nullptr;        // (G)
    const std::int64_t* groups = nullptr;        // (G, n) of which one vertex each may be in
    const std::int32_t* group_counts = nullptr;  // (G)
    std::uint8_t* distances = nullptr;           // (B, n, n) scratch where there is a diameter
};

/// The network that tells a row from what it has left; no weights: the policy has none.
struct RowNetwork {
    const float* expand_weight = nullptr;    // (row_width, row_facts)
    const float* expand_bias = nullptr;      // (row_width)
    const float* contract_weight = nullptr;  // (H + 1, row_width): heads of attention, then the action
    const float* contract_bias = nullptr;    // (H + 1)
};

/// What the rows of all steps have left, from the actions alone. Only rows that are open at their step are written.
struct RowStates {
    Sizes sizes;
    Limits limits;
    const std::int64_t* start = nullptr;    // (B)
    const std::int64_t* sources = nullptr;  // (B, T)
    const std::int64_t* targets = nullptr;  // (B, T)
    Times times;
    float* facts = nullptr;        // (B, T, n, row_facts), or nothing
    float* length_left = nullptr;  // (B, T, n) the longest edge that a child may have; or nothing
    float* load_left = nullptr;    // (B, T, n) the largest demand; or nothing
};

void row_states(const RowStates& call, cudaStream_t stream);

/// What a replay knows about rows and pairs beyond `Times`. Null: nothing.
struct StepLimits {
    const float* terms = nullptr;         // (B, T, n, H) of attention's scores, or (B, T, n) of the action's
    const float* length_left = nullptr;   // (B, T, n)
    const float* load_left = nullptr;     // (B, T, n)
    const float* points = nullptr;        // (G, n, 2), or
    const float* edge_weights = nullptr;  // (G, n, n), where they are not straight distances
    const float* demands = nullptr;       // (G, n)
    const std::int32_t* leave = nullptr;  // (B, n) from when a vertex cannot join

    [[nodiscard]] bool any() const {
        return terms != nullptr || length_left != nullptr || load_left != nullptr || leave != nullptr;
    }
};

/// The rows of d_e numbers that a step leaves for the backward pass.
enum class StepRow {
    input,
    past_context,
    self_sum,  ///< of a norm, as the other sums
    states,
    edge_query,
    edge_context,
    edge_sum,
    seen,
    inner,
    output_sum,
    output,
    action_query,
    count
};

/// What a rollout keeps of every step, as a replay of its trees would compute it, so that none is needed before the
/// backward pass. Steps past the end are zero. Null: nothing is kept.
struct StepRecord {
    static constexpr int row_count = static_cast<int>(StepRow::count);
    float* rows = nullptr;        // (row_count, B, T, d_e)
    float* qkv = nullptr;         // (B, T, 3·d_e)
    float* lse = nullptr;         // (2, B, T, H) as in SelfAttention: over the past, over the edges
    float* action_lse = nullptr;  // (B, T) as in ActionChoice
    std::int64_t stride = 0;      ///< from a row of a step to its next one, B·T·d_e; `roll_out` fills it in
};

struct Rollout {
    Sizes sizes;
    DecoderWeights weights;
    float clip = 10;

    int degree_limit = 0;  ///< 0: none
    int start_degree = 0;  ///< edges that the start counts as having before the first
    int hop_limit = 0;     ///< 0: none
    bool routing_cost = false;
    bool terminals_only = false;
    float pruned_edge_penalty = 0;  ///< share of their weight that pruned edges cost

    bool greedy = false;
    const std::int64_t* seed = nullptr;  ///< one number, on the device so that a captured graph may change it
    std::int64_t first = 0;              ///< number of the first trajectory in the whole batch

    const float* graph = nullptr;             // (G, d_e)
    const float* edges = nullptr;             // (G, n, n, d_e)
    const float* keys = nullptr;              // (G, n, n, d_e)
    const float* values = nullptr;            // (G, n, n, d_e)
    const float* action_keys = nullptr;       // (G, n, n, d_e)
    const float* points = nullptr;            // (G, n, 2), or
    const float* edge_weights = nullptr;      // (G, n, n), where they are not straight distances
    const std::uint8_t* terminals = nullptr;  // (G, n), where `terminals_only`
    const std::int64_t* starts = nullptr;     // (B)

    std::int64_t* sources = nullptr;     // (B, T)
    std::int64_t* targets = nullptr;     // (B, T)
    std::int32_t* lengths = nullptr;     // (B)
    std::int32_t* enter = nullptr;       // (B, n)
    std::int32_t* close = nullptr;       // (B, n)
    float* costs = nullptr;              // (B)
    float* log_probabilities = nullptr;  // (B), or nothing
    StepRecord record;                   ///< with `log_probabilities` only

    float* packed_weights = nullptr;  ///< (packed_weight_count(d_e)) scratch

    bool is_limited = false;  ///< `limits` and `rows` count, `degree_limit`, `start_degree` and `hop_limit` do not
    Limits limits;
    RowNetwork rows;
    std::int32_t* missing = nullptr;  // (B)

    int warps = 0;        ///< per trajectory: 1, 2, 4 or 8; 0 lets the kernel choose
    int warp_groups = 0;  ///< trajectories per block; 0 lets the kernel choose
};

[[nodiscard]] int packed_weight_count(int d_e);

/// All steps of all trajectories in one launch. What a trajectory draws depends on (seed, first + b, step, edge)
/// only.
void roll_out(const Rollout& rollout, cudaStream_t stream);

/// Causal self-attention of all steps, before the output projection. A step past the end of its trajectory attends
/// to nothing and gets zeros.
struct SelfAttention {
    Sizes sizes;
    const std::int32_t* lengths = nullptr;  // (B)
    const float* qkv = nullptr;             // (B, T, 3·d_e)
    float* context = nullptr;               // (B, T, d_e)
    float* lse = nullptr;                   // (B, T, H) log2 of the sum of exponentials of scaled scores

    const float* d_context = nullptr;  // (B, T, d_e)
    float* delta = nullptr;            // (B, T, H), scratch of the backward pass
    float* d_qkv = nullptr;            // (B, T, 3·d_e)
};

void self_attention_forward(const SelfAttention& call, cudaStream_t stream);
void self_attention_backward(const SelfAttention& call, cudaStream_t stream);

/// Attention of every step over its open edges, before the output projection.
struct EdgeAttention {
    Sizes sizes;
    Times times;
    const float* query = nullptr;   // (B, T, d_e)
    const float* keys = nullptr;    // (G, n, n, d_e)
    const float* values = nullptr;  // (G, n, n, d_e)
    StepLimits limits;
    float* context = nullptr;  // (B, T, d_e)
    float* lse = nullptr;      // (B, T, H) as in SelfAttention

    const float* d_context = nullptr;  // (B, T, d_e)
    float* delta = nullptr;            // (B, T, H), scratch of the backward pass
    float* d_query = nullptr;          // (B, T, d_e)
    float* d_keys = nullptr;           // (G, n, n, d_e)
    float* d_values = nullptr;         // (G, n, n, d_e)
    float* d_terms = nullptr;          // (B, T, n, H) zeros that are added to, or nothing
};

void edge_attention_forward(const EdgeAttention& call, cudaStream_t stream);
void edge_attention_queries(const EdgeAttention& call, cudaStream_t stream);  ///< `d_query`, `d_terms`, `delta`
void edge_attention_keys(const EdgeAttention& call, cudaStream_t stream);     ///< after it: `d_keys`, `d_values`

/// Log-probability of the chosen edge of every step under softmax(C·tanh(q·k/√d_e)) over its open edges.
struct ActionChoice {
    Sizes sizes;
    Times times;
    float clip = 10;
    const std::int64_t* sources = nullptr;  // (B, T)
    const std::int64_t* targets = nullptr;  // (B, T)
    const float* query = nullptr;           // (B, T, d_e)
    const float* keys = nullptr;            // (G, n, n, d_e)
    StepLimits limits;
    float* log_probabilities = nullptr;  // (B, T), zero past the end
    float* entropies = nullptr;          // (B, T), or nothing
    float* lse = nullptr;                // (B, T)

    const float* d_log_probability = nullptr;  // (B): the same for all steps of a trajectory
    float* d_query = nullptr;                  // (B, T, d_e)
    float* d_keys = nullptr;                   // (G, n, n, d_e)
    float* d_terms = nullptr;                  // (B, T, n) zeros that are added to, or nothing
};

void action_choice_forward(const ActionChoice& call, cudaStream_t stream);
void action_choice_queries(const ActionChoice& call, cudaStream_t stream);  ///< `d_query`, `d_terms`
void action_choice_keys(const ActionChoice& call, cudaStream_t stream);     ///< `d_keys`

/// Edge features: edges[g][i][j] = difference[g][i] − difference[g][j] + bias + W · max(h_i, h_j), where W is the
/// second half of the weight, the first half has made `difference` = W' · h, and the maximum over all pairs is never
/// stored. Features of graphs beside them: graph[g] = the mean of all h_i through a layer of their own.
struct PairFeatures {
    int graphs = 0;
    int n = 0;
    int d_v = 0;                          ///< a multiple of 32
    int d_e = 0;                          ///< 16, 32 or 64
    const float* vertices = nullptr;      // (G, n, d_v)
    const float* weight = nullptr;        // (d_e, 2·d_v)
    const float* bias = nullptr;          // (d_e)
    const float* graph_weight = nullptr;  // (d_e, d_v)
    const float* graph_bias = nullptr;    // (d_e)
    float* difference = nullptr;          // (G, n, d_e)
    float* graph = nullptr;               // (G, d_e)
    float* edges = nullptr;               // (G, n, n, d_e)

    const float* d_graph = nullptr;  // (G, d_e)
    const float* d_edges = nullptr;  // (G, n, n, d_e)
    float* d_vertices = nullptr;     // (G, n, d_v): in all three ways
    /// (G, pair_feature_weights): their sum over G is the gradient of weight, bias, graph_weight and graph_bias.
    float* parts = nullptr;
};

/// Numbers of the weights and the biases.
[[nodiscard]] inline int pair_feature_weights(int d_v, int d_e) {
    return d_e * (3 * d_v + 2);
}

[[nodiscard]] bool supports_pair_features(int d_v, int d_e);
void graph_features_forward(const PairFeatures& call, cudaStream_t stream);  ///< `difference` and `graph`
void pair_features_forward(const PairFeatures& call, cudaStream_t stream);   ///< after it: `edges`
void pair_features_backward(const PairFeatures& call, cudaStream_t stream);

/// Several linear layers of one width on the same edges: keys and values of the decoder's layers, and action keys.
struct EdgeProjections {
    static constexpr int most = 9;
    std::int64_t rows = 0;
    int width = 0;
    int count = 0;
    const float* weight[most] = {};  // (width, width) each
    const float* bias[most] = {};    // (width)
    const float* x = nullptr;        // (rows, width)
    float* y[most] = {};             // (rows, width)

    const float* d_y[most] = {};    // (rows, width)
    const float* others = nullptr;  // (rows, width): what else d_x is made of
    float* d_x = nullptr;           // (rows, width)
};

[[nodiscard]] bool supports_edge_projections(int width, int count);
void edge_projections_forward(const EdgeProjections& call, cudaStream_t stream);
void edge_projections_backward(const EdgeProjections& call, cudaStream_t stream);

/// What the decoder sees at each step: the graph feature and the feature of the last action, pooled in pairs.
struct DecoderInput {
    Sizes sizes;
    const std::int64_t* start = nullptr;    // (B)
    const std::int64_t* sources = nullptr;  // (B, T)
    const std::int64_t* targets = nullptr;  // (B, T)
    const std::int32_t* enter = nullptr;    // (B, n)
    const std::int32_t* lengths = nullptr;  // (B)
    const float* graph = nullptr;           // (G, d_e)
    const float* edges = nullptr;           // (G, n, n, d_e)
    float* input = nullptr;                 // (B, T, d_e)

    const float* d_input = nullptr;  // (B, T, d_e)
    float* d_graph = nullptr;        // (G, d_e)
    float* d_edges = nullptr;        // (G, n, n, d_e)
};

void decoder_input_forward(const DecoderInput& call, cudaStream_t stream);
void decoder_input_backward(const DecoderInput& call, cudaStream_t stream);

/// Sums over the rows of (rows, columns), in a fixed order.
struct ColumnSums {
    std::int64_t rows = 0;
    int columns = 0;
    const float* x = nullptr;  // (rows, columns)
    float* parts = nullptr;    // (column_sum_parts(rows), columns) scratch; nothing where there is one part
    float* sums = nullptr;     // (columns)
};

[[nodiscard]] int column_sum_parts(std::int64_t rows);
void column_sums(const ColumnSums& call, cudaStream_t stream);

/// Layer norm of x + update, for rows so short that a few lanes hold one.
struct NormOfSum {
    std::int64_t rows = 0;
    int width = 0;
    const float* x = nullptr;       // (rows, width)
    const float* update = nullptr;  // (rows, width)
    const float* weight = nullptr;  // (width)
    const float* bias = nullptr;    // (width)
    float* sum = nullptr;           // (rows, width) x + update, for the backward pass
    float* y = nullptr;             // (rows, width)

    const float* d_y = nullptr;          // (rows, width)
    float* d_sum = nullptr;              // (rows, width): the gradient of x and of update
    float* parts = nullptr;              // (norm_of_sum_parts(), 2, width) scratch
    float* d_weight_and_bias = nullptr;  // (2, width)
};

[[nodiscard]] bool supports_norm_of_sum(int width);
[[nodiscard]] int norm_of_sum_parts();
void norm_of_sum_forward(const NormOfSum& call, cudaStream_t stream);
void norm_of_sum_backward(const NormOfSum& call, cudaStream_t stream);  ///< `d_sum` and the parts
void norm_of_sum_weights(const NormOfSum& call, cudaStream_t stream);   ///< after it: `d_weight_and_bias`

/// Gradients of the weight and the bias of a narrow linear layer that was applied to very many rows.
struct LinearGradients {
    std::int64_t rows = 0;
    int inputs = 0;                      ///< 16, 32 or 64
    int outputs = 0;                     ///< a multiple of `inputs`
    const float* x = nullptr;            // (rows, inputs)
    const float* d_y = nullptr;          // (rows, outputs)
    float* parts = nullptr;              // (linear_gradient_parts(), outputs·(inputs + 1)) scratch
    float* d_weight_and_bias = nullptr;  // (outputs·inputs), then (outputs)
};

[[nodiscard]] bool supports_linear_gradients(int inputs, int outputs);
[[nodiscard]] int linear_gradient_parts();
void linear_gradients(const LinearGradients& call, cudaStream_t stream);

/// What rows add to scores, by the network that is told what they have left; backwards the gradients of its weights.
/// Only the rows that are open at their step are read and written.
struct RowNetworkPass {
    Sizes sizes;  ///< 4 or 8 heads
    Times times;
    RowNetwork network;
    const float* facts = nullptr;        // (B, T, n, row_facts)
    float* of_heads = nullptr;           // (B, T, n, H)
    float* of_action = nullptr;          // (B, T, n)
    const float* d_of_heads = nullptr;   // (B, T, n, H)
    const float* d_of_action = nullptr;  // (B, T, n)
    float* parts = nullptr;              // (row_term_parts(), row_term_weights(H)) scratch
    float* d_weights = nullptr;          // (row_term_weights(H)): the four parts of the network one after another
};

[[nodiscard]] bool supports_row_terms(int heads);
[[nodiscard]] int row_term_parts();
[[nodiscard]] int row_term_weights(int heads);
void row_terms_forward(const RowNetworkPass& call, cudaStream_t stream);
void row_terms_backward(const RowNetworkPass& call, cudaStream_t stream);

/// Gradient clipping and Adam without weight decay on one long vector of P parameters.
struct Adam {
    std::int64_t size = 0;
    float* values = nullptr;           // (P)
    const float* gradients = nullptr;  // (P)
    float* first_moments = nullptr;    // (P)
    float* second_moments = nullptr;   // (P)
    const float* factors = nullptr;  ///< (3) on the device: learning rate, 1 − β₁^k and 1 − β₂^k of update k
    float beta1 = 0.9f;
    float beta2 = 0.999f;
    float epsilon = 1e-8f;
    float largest_norm = 0;       ///< longer gradients are shortened to this; 0: never
    float* norm = nullptr;        ///< one number: the length of the gradient before
    float* norm_parts = nullptr;  ///< (norm_part_count()) scratch
};

[[nodiscard]] int norm_part_count();

void adam_update(const Adam& call, cudaStream_t stream);

}  // namespace neuroprim::train::cuda
