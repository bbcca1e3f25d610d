#pragma once

#include <map>
#include <string>
#include <vector>

#include "neuroprim/policy.hpp"
#include "policy/aligned.hpp"
#include "policy/kernels/kernels.hpp"
#include "policy/safetensors.hpp"

namespace neuroprim::policy {

/// A linear layer as `Kernels::multiply` wants it.
struct Linear {
    int inputs = 0;
    int outputs = 0;
    const float* panels = nullptr;  // (outputs / 16 rounded up, inputs, 16), a part of Prepared::panels
    std::vector<float> bias;        // (outputs rounded up to 16), or empty

    void apply(const Kernels& kernels, const float* a, int rows, float* c, bool relu = false) const {
        apply(kernels, a, inputs, rows, c, outputs, relu);
    }
    void apply(const Kernels& kernels, const float* a, std::ptrdiff_t a_stride, int rows, float* c,
               std::ptrdiff_t c_stride, bool relu = false) const {
        kernels.multiply(a, a_stride, rows, panels, inputs, outputs, bias.empty() ? nullptr : bias.data(), relu, c,
                         c_stride);
    }
};

struct Norm {
    bool is_folded = false;  // a batch norm, which needs no statistics any more
    std::vector<float> scale;
    std::vector<float> shift;
};

struct EncoderLayer {
    Linear query_key_value;       // (d_v, 3·d_v); queries hold the scale 1/√(d_v/H) and log₂ e
    std::vector<float> distance;  // (heads), holds log₂ e; empty without the feature
    Linear output;
    Norm attention_norm;
    Linear expand;
    Linear contract;
    Norm output_norm;  // the last layer's holds the encoder's closing norm too
};

/// Attention widths are in the lane order of `Attention`; queries hold 1/√(d_e/H) and log₂ e.
struct DecoderLayer {
    Linear self_query_key_value;  // (d_e, 3·d_e)
    Linear self_output;
    Norm self_norm;
    Linear edge_query;
    Linear edge_key_value;  // (d_e, 2·d_e): makes the records of the edge tables
    Linear edge_output;
    Norm edge_norm;
    Linear expand;
    Linear contract;
    Norm output_norm;
};

/// The weights in the engine's own form: batch norms folded to a scale and a shift, attention scales folded into the
/// queries, matrices packed.
struct Prepared {
    Linear terminal_input;  // (2, d_v)
    Linear other_input;
    Linear specification;  // (input_facts, d_v), no bias; unused without the feature, as are the next two
    Linear row_expand;     // (row_facts, row_width)
    Linear row_contract;   // (row_width, row_terms)
    std::vector<EncoderLayer> encoder;
    Linear graph;                 // (d_v, d_e)
    Linear edge_difference;       // (d_v, d_e), no bias
    Linear edge_maximum;          // (d_v, d_e), with the edge layer's bias
    std::vector<float> distance;  // (2, d_e): what distances add to an edge; empty without the feature
    std::vector<DecoderLayer> decoder;
    Linear action_query;  // (d_e, d_e), holds 1/√d_e
    Linear action_key;
    AlignedFloats panels;  // of all layers, one after the other: so they lie in large pages
};

/// The tensors must be those of `expected_tensors(config)`.
[[nodiscard]] Prepared prepare(const PolicyConfig& config, const std::map<std::string, StoredTensor>& tensors,
                               const Kernels& kernels);

/// Columns that this many outputs take in panels.
[[nodiscard]] inline int rounded_up(int outputs) {
    return (outputs + panel_width - 1) / panel_width * panel_width;
}

/// Packs W (inputs, outputs) given by its entry (i, o).
template <class Entry>
void pack(float* panels, int inputs, int outputs, Entry&& entry) {
    for (int first = 0; first < outputs; first += panel_width) {
        for (int i = 0; i < inputs; ++i) {
            for (int o = first; o < first + panel_width; ++o) *panels++ = o < outputs ? entry(i, o) : 0.0f;
        }
    }
}

[[nodiscard]] inline std::size_t packed_size(int inputs, int outputs) {
    return static_cast<std::size_t>(inputs) * static_cast<std::size_t>(rounded_up(outputs));
}

}  // namespace neuroprim::policy
