#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace neuroprim::train {

class SideWork;

/// What the policy knows about G graphs of n vertices before the first step, shared by all their trajectories.
/// A head is a block of d_e/heads neighbouring numbers. Tensors carry gradients when they were made with them.
struct Tables {
    struct Layer {
        at::Tensor keys;    // (G, n, n, d_e) of edge attention, row = source
        at::Tensor values;  // (G, n, n, d_e)
    };

    at::Tensor graph;           // (G, d_e) h^g
    at::Tensor edges;           // (G, n, n, d_e) H^e; (v, v) stands for the start at v
    std::vector<Layer> layers;  // (decoder_layers)
    at::Tensor action_keys;     // (G, n, n, d_e)

    std::shared_ptr<SideWork> side;  ///< where their gradients may be computed; nothing: on the current stream

    [[nodiscard]] std::int64_t graphs() const { return edges.size(0); }
    [[nodiscard]] std::int64_t vertices() const { return edges.size(1); }
};

}  // namespace neuroprim::train
