#include "policy/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

#include "policy/model.hpp"

namespace neuroprim::policy {

namespace {

constexpr double batch_norm_epsilon = 1e-5;

/// What the panels of all layers take together.
std::size_t panels_size(const std::map<std::string, StoredTensor>& tensors) {
    std::size_t result = 0;
    for (const auto& [name, tensor] : tensors) {
        if (tensor.shape.size() != 2) continue;
        result += packed_size(static_cast<int>(tensor.shape[1]), static_cast<int>(tensor.shape[0]));
    }
    return result;
}

/// The tensors with the few ways in which the engine reshapes them.
class Source {
public:
    Source(const PolicyConfig& config, const std::map<std::string, StoredTensor>& tensors, const Kernels& kernels)
        : config_(config), tensors_(tensors), kernels_(kernels), panels_(panels_size(tensors)) {}

    /// Several linear layers of one input side by side: output block k is `names[k]` scaled by `scales[k]`.
    /// `in` and `out` say which channel of the file stands at a place of the packed layer.
    template <class In, class Out>
    Linear linear(const std::vector<std::string>& names, const std::vector<double>& scales, In in, Out out) {
        const auto& shape = tensors_.at(names[0] + ".weight").shape;
        const int size = static_cast<int>(shape[0]);
        Linear result;
        result.inputs = static_cast<int>(shape[1]);
        result.outputs = size * static_cast<int>(names.size());
        result.bias.assign(static_cast<std::size_t>(rounded_up(result.outputs)), 0);
        float* panels = room_for(result);
        for (std::size_t block = 0; block < names.size(); ++block) {
            const StoredTensor& weight = tensors_.at(names[block] + ".weight");
            const std::vector<float> bias = values(names[block] + ".bias");
            for (int k = 0; k < size; ++k) {
                const int o = static_cast<int>(block) * size + k;
                result.bias[static_cast<std::size_t>(o)] =
                    static_cast<float>(scales[block] * bias[static_cast<std::size_t>(out(k))]);
                const float* row = read(weight, out(k) * result.inputs, result.inputs);
                pack_row(row, static_cast<float>(scales[block]), in, result, o, panels);
            }
        }
        return result;
    }

    Linear without_bias(const std::string& name) {
        const StoredTensor& weight = tensors_.at(name + ".weight");
        Linear result;
        result.inputs = static_cast<int>(weight.shape[1]);
        result.outputs = static_cast<int>(weight.shape[0]);
        float* panels = room_for(result);
        for (int o = 0; o < result.outputs; ++o) {
            pack_row(read(weight, o * result.inputs, result.inputs), 1, same, result, o, panels);
        }
        return result;
    }

    Linear plain(const std::string& name, double scale = 1) { return linear({name}, {scale}, same, same); }

    /// Lane order: place c·H + h holds channel h·(d_e/H) + c.
    [[nodiscard]] int lane(int place) const {
        const int size = config_.d_e / config_.heads;
        return place % config_.heads * size + place / config_.heads;
    }
    Linear into_lanes(const std::vector<std::string>& names, const std::vector<double>& scales) {
        return linear(names, scales, same, [this](int o) { return lane(o); });
    }
    Linear from_lanes(const std::string& name) {
        return linear(
            {name}, {1.0}, [this](int i) { return lane(i); }, same);
    }

    /// Half of the columns of the edge layer.
    Linear edge_half(int first_column, bool with_bias) {
        Linear result;
        result.inputs = config_.d_v;
        result.outputs = config_.d_e;
        float* panels = room_for(result);
        const StoredTensor& weight = tensors_.at("edge.weight");
        for (int o = 0; o < result.outputs; ++o) {
            const float* row = read(weight, o * 2 * config_.d_v + first_column, config_.d_v);
            pack_row(row, 1, same, result, o, panels);
        }
        if (with_bias) {
            result.bias = values("edge.bias");
            result.bias.resize(static_cast<std::size_t>(rounded_up(result.outputs)));
        }
        return result;
    }

    /// A small tensor (rows, columns) as (columns, rows), scaled.
    [[nodiscard]] std::vector<float> transposed(const std::string& name, std::size_t columns, double scale) const {
        const std::vector<float> original = values(name);
        const std::size_t rows = original.size() / columns;
        std::vector<float> result(original.size());
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < columns; ++c) {
                result[c * rows + r] = static_cast<float>(scale * original[r * columns + c]);
            }
        }
        return result;
    }

    [[nodiscard]] Norm layer_norm(const std::string& name) const {
        return {false, values(name + ".weight"), values(name + ".bias")};
    }

    [[nodiscard]] Norm batch_norm(const std::string& name) const {
        Norm result = layer_norm(name);
        result.is_folded = true;
        const std::vector<float> mean = values(name + ".running_mean");
        const std::vector<float> variance = values(name + ".running_var");
        for (std::size_t k = 0; k < result.scale.size(); ++k) {
            const double scale = result.scale[k] / std::sqrt(variance[k] + batch_norm_epsilon);
            result.shift[k] = static_cast<float>(result.shift[k] - scale * mean[k]);
            result.scale[k] = static_cast<float>(scale);
        }
        return result;
    }

    [[nodiscard]] Norm vertex_norm(const std::string& name) const {
        return has_layer_norms(config_) ? layer_norm(name) : batch_norm(name);
    }

    /// Once all layers are packed.
    [[nodiscard]] AlignedFloats take_panels() { return std::move(panels_); }

private:
    static int same(int k) { return k; }
    [[nodiscard]] std::vector<float> values(const std::string& name) const { return tensors_.at(name).values(); }

    /// The next part of the panels, zero where no output stands.
    float* room_for(Linear& layer) {
        float* result = panels_.data() + used_;
        const std::size_t size = packed_size(layer.inputs, layer.outputs);
        if (layer.outputs % panel_width != 0) std::fill_n(result, size, 0.0f);
        used_ += size;
        layer.panels = result;
        return result;
    }

    /// Some neighbouring numbers as floats, till the next call.
    const float* read(const StoredTensor& tensor, int first, int count) {
        const auto size = static_cast<std::size_t>(count);
        row_.resize(std::max(row_.size(), size));
        if (tensor.halved) {
            kernels_.widen(tensor.data + first * sizeof(std::uint16_t), size, row_.data());
        } else {
            std::memcpy(row_.data(), tensor.data + first * sizeof(float), size * sizeof(float));
        }
        return row_.data();
    }

    template <class In>
    static void pack_row(const float* row, float factor, In in, const Linear& layer, int output, float* panels) {
        float* column = panels + output / panel_width * panel_width * layer.inputs + output % panel_width;
        for (int i = 0; i < layer.inputs; ++i) column[i * panel_width] = factor * row[in(i)];
    }

    const PolicyConfig& config_;
    const std::map<std::string, StoredTensor>& tensors_;
    const Kernels& kernels_;
    AlignedFloats panels_;
    std::size_t used_ = 0;
    std::vector<float> row_;
};

std::vector<std::string> query_key_value(const std::string& attention) {
    return {attention + ".query", attention + ".key", attention + ".value"};
}

}  // namespace

Prepared prepare(const PolicyConfig& config, const std::map<std::string, StoredTensor>& tensors,
                 const Kernels& kernels) {
    Source source(config, tensors, kernels);
    Prepared result;
    result.terminal_input = source.plain("input.terminal");
    result.other_input = source.plain("input.other");
    if (sees_specification(config)) {
        result.specification = source.without_bias("specification");
        result.row_expand = source.plain("row.expand");
        result.row_contract = source.plain("row.contract");
    }

    const double vertex_scale = std::numbers::log2e / std::sqrt(static_cast<double>(config.d_v) / config.heads);
    for (int l = 0; l < config.encoder_layers; ++l) {
        const std::string name = fmt::format("encoder.{}", l);
        EncoderLayer layer;
        const auto keep = [](int k) { return k; };
        layer.query_key_value =
            source.linear(query_key_value(name + ".attention"), {vertex_scale, 1.0, 1.0}, keep, keep);
        if (sees_distances(config)) {
            layer.distance = source.transposed(name + ".attention.distance", 1, std::numbers::log2e);
        }
        layer.output = source.plain(name + ".attention.output");
        layer.attention_norm = source.vertex_norm(name + ".attention_norm");
        layer.expand = source.plain(name + ".expand");
        layer.contract = source.plain(name + ".contract");
        layer.output_norm = source.vertex_norm(name + ".output_norm");
        result.encoder.push_back(std::move(layer));
    }
    if (!has_layer_norms(config)) {
        const Norm closing = source.batch_norm("encoder_norm");
        Norm& last = result.encoder.back().output_norm;
        for (std::size_t k = 0; k < last.scale.size(); ++k) {
            last.shift[k] = closing.scale[k] * last.shift[k] + closing.shift[k];
            last.scale[k] *= closing.scale[k];
        }
    }

    result.graph = source.plain("graph");
    result.edge_difference = source.edge_half(0, false);
    result.edge_maximum = source.edge_half(config.d_v, true);
    if (sees_distances(config)) result.distance = source.transposed("distance.weight", 2, 1);

    const double head_scale = std::numbers::log2e / std::sqrt(static_cast<double>(config.d_e) / config.heads);
    for (int l = 0; l < config.decoder_layers; ++l) {
        const std::string name = fmt::format("decoder.{}", l);
        DecoderLayer layer;
        layer.self_query_key_value =
            source.into_lanes(query_key_value(name + ".self_attention"), {head_scale, 1.0, 1.0});
        layer.self_output = source.from_lanes(name + ".self_attention.output");
        layer.self_norm = source.layer_norm(name + ".self_norm");
        const std::string edges = name + ".edge_attention";
        layer.edge_query = source.into_lanes({edges + ".query"}, {head_scale});
        layer.edge_key_value = source.into_lanes({edges + ".key", edges + ".value"}, {1.0, 1.0});
        layer.edge_output = source.from_lanes(edges + ".output");
        layer.edge_norm = source.layer_norm(name + ".edge_norm");
        layer.expand = source.plain(name + ".expand");
        layer.contract = source.plain(name + ".contract");
        layer.output_norm = source.layer_norm(name + ".output_norm");
        result.decoder.push_back(std::move(layer));
    }
    result.action_query = source.plain("action.query", 1 / std::sqrt(static_cast<double>(config.d_e)));
    result.action_key = source.plain("action.key");
    result.panels = source.take_panels();
    return result;
}

}  // namespace neuroprim::policy
