#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

/// The way back through the parts of a decoder layer that see each step for itself: products of d_e numbers,
/// residuals and norms. One launch for each stretch between two attentions. All rows are (rows, d_e), as in
/// kernels.hpp.
namespace neuroprim::train::cuda {

/// A policy with rows of this width has these kernels.
[[nodiscard]] bool supports_decoder_rows(int d_e);

/// From the action query back to the context of edge attention and to what went around that.
struct RowsAfterEdges {
    std::int64_t rows = 0;
    const float* edge_output = nullptr;  // (d_e, d_e) weights, and the next three
    const float* expand = nullptr;
    const float* contract = nullptr;
    const float* action_query = nullptr;
    const float* edge_norm = nullptr;  // (d_e) gains, and the next
    const float* output_norm = nullptr;

    const float* edge_sum = nullptr;  // of the norms and the relu: what the forward pass made
    const float* inner = nullptr;
    const float* output_sum = nullptr;

    const float* d_action_query = nullptr;
    float* d_output = nullptr;  // what the gradients of weights are made of, and the next four
    float* d_output_sum = nullptr;
    float* d_inner = nullptr;
    float* d_seen = nullptr;
    float* d_edge_sum = nullptr;  ///< also of what went around
    float* d_context = nullptr;
};

/// From the query of edge attention, and what goes around that, back to the context of self-attention and to what
/// went around this one.
struct RowsBeforeEdges {
    std::int64_t rows = 0;
    const float* self_output = nullptr;  // (d_e, d_e) weights, and the next
    const float* edge_query = nullptr;
    const float* self_norm = nullptr;  // (d_e) gains
    const float* self_sum = nullptr;   // of the norm

    const float* d_edge_query = nullptr;
    const float* around = nullptr;  ///< the gradient of what goes around edge attention
    float* d_states = nullptr;
    float* d_self_sum = nullptr;
    float* d_context = nullptr;
};

/// From queries, keys and values side by side, and what goes around self-attention, back to the decoder's input.
struct RowsOfInput {
    std::int64_t rows = 0;
    const float* weight[3] = {};    // (d_e, d_e) of queries, keys and values
    const float* d_qkv = nullptr;   // (rows, 3·d_e)
    const float* around = nullptr;  ///< the gradient of what goes around self-attention
    float* d_input = nullptr;
};

void rows_after_edges(const RowsAfterEdges& call, cudaStream_t stream);
void rows_before_edges(const RowsBeforeEdges& call, cudaStream_t stream);
void rows_of_input(const RowsOfInput& call, cudaStream_t stream);

}  // namespace neuroprim::train::cuda
