#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

/// The encoder's layers as kernels, with the conventions of kernels.hpp. R = graphs·n vertices stand row by row. They
/// are made for updates of few graphs, where the number of launches counts and not the arithmetic: biases, residuals,
/// relu and their gradients are part of the products.
namespace neuroprim::train::cuda {

/// What the encoder sees: points in the unit square through a linear layer, one for terminals and one for the others.
struct VertexInput {
    static constexpr int kinds = 2;  ///< terminals, then others
    int graphs = 0;
    int n = 0;
    int width = 0;                            ///< a multiple of 32
    const float* points = nullptr;            // (G, n, 2)
    const std::uint8_t* terminals = nullptr;  // (G, n)
    const float* weight[kinds] = {};          // (width, 2)
    const float* bias[kinds] = {};            // (width)
    float* coordinates = nullptr;             // (G, n, 2) in the unit square
    float* x = nullptr;                       // (R, width)

    const float* d_x = nullptr;  // (R, width)
    float* d_weights = nullptr;  // (kinds, width, 2)
    float* d_biases = nullptr;   // (kinds, width)
};

void vertex_input_forward(const VertexInput& call, cudaStream_t stream);
void vertex_input_backward(const VertexInput& call, cudaStream_t stream);

/// A linear layer of up to three weights, whose outputs stand side by side.
struct JointWeights {
    static constexpr int most = 3;
    int count = 1;
    const float* weight[most] = {};  // (outputs/count, inputs) each
    const float* bias[most] = {};    // (outputs/count) each
};

/// y = W·x + b, then + residual or relu. Both widths are multiples of 32, also those of joint weights.
struct LinearForward {
    int rows = 0;
    int inputs = 0;
    int outputs = 0;
    JointWeights weights;
    const float* x = nullptr;         // (R, inputs)
    const float* residual = nullptr;  // (R, outputs), or nothing
    bool relu = false;
    float* y = nullptr;  // (R, outputs)
};

void linear_forward(const LinearForward& call, cudaStream_t stream);

/// d_x = Wᵀ·d_y, then + residual; zero where `rectified`, what a relu made of x, is zero.
struct LinearBackward {
    int rows = 0;
    int inputs = 0;
    int outputs = 0;
    JointWeights weights;
    const float* d_y = nullptr;        // (R, outputs)
    const float* residual = nullptr;   // (R, inputs), or nothing
    const float* rectified = nullptr;  // (R, inputs), or nothing
    float* d_x = nullptr;              // (R, inputs)
};

void linear_backward(const LinearBackward& call, cudaStream_t stream);

/// Gradients of the weights of several linear layers that saw the same rows, in one launch.
struct WeightGradients {
    struct Layer {
        int inputs = 0;
        int outputs = 0;
        const float* x = nullptr;    // (R, inputs)
        const float* d_y = nullptr;  // (R, outputs) of rows that are d_y_stride apart
        int d_y_stride = 0;
        float* d_weight = nullptr;  // (outputs, inputs)
        float* d_bias = nullptr;    // (outputs)
    };
    static constexpr int most = 6;
    int rows = 0;
    int count = 0;
    Layer layers[most];
};

void weight_gradients(const WeightGradients& call, cudaStream_t stream);

/// Attention among the vertices of each graph, before the output projection.
struct VertexAttention {
    int graphs = 0;
    int n = 0;
    int d_v = 0;
    int heads = 0;
    float scale = 1;                  ///< of the scores
    const float* qkv = nullptr;       // (R, 3·d_v)
    const float* lengths = nullptr;   // (G, n, n), or nothing
    const float* distance = nullptr;  // (H): what a head takes off a score for each unit of length
    float* probabilities = nullptr;   // (G, H, n, n)
    float* context = nullptr;         // (R, d_v)

    const float* d_context = nullptr;  // (R, d_v)
    float* d_qkv = nullptr;            // (R, 3·d_v)
    float* d_distance = nullptr;       // (G, H): parts of the gradient; or nothing
};

/// Whether a graph's part of one head fits into shared memory.
[[nodiscard]] bool supports_vertex_attention(int n, int d_v, int heads);
void vertex_attention_forward(const VertexAttention& call, cudaStream_t stream);
void vertex_attention_backward(const VertexAttention& call, cudaStream_t stream);

/// Norm of each column over all rows (batch norm in training) or of each row over its columns (layer norm).
struct WideNorm {
    int rows = 0;
    int width = 0;  ///< a multiple of 32
    float epsilon = 1e-5f;
    const float* x = nullptr;       // (R, width)
    const float* weight = nullptr;  // (width)
    const float* bias = nullptr;    // (width)
    float* y = nullptr;             // (R, width)
    float* mean = nullptr;          // of each column (width) or row (R), for the backward pass
    float* scale = nullptr;         // one over its deviation, likewise

    float momentum = 0.1f;          ///< of a batch norm's running statistics
    float* running_mean = nullptr;  // (width)
    float* running_var = nullptr;   // (width)

    const float* d_y = nullptr;          // (R, width)
    float* d_x = nullptr;                // (R, width)
    float* parts = nullptr;              // (row_norm_parts(R), 2, width) scratch of a layer norm
    float* d_weight_and_bias = nullptr;  // (2, width)
};

void column_norm_forward(const WideNorm& call, cudaStream_t stream);
void column_norm_backward(const WideNorm& call, cudaStream_t stream);

[[nodiscard]] int row_norm_parts(int rows);
void row_norm_forward(const WideNorm& call, cudaStream_t stream);
void row_norm_backward(const WideNorm& call, cudaStream_t stream);

}  // namespace neuroprim::train::cuda
