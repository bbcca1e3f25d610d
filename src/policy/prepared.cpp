#include "policy/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace neuroprim::policy {

namespace {

constexpr double batch_norm_epsilon = 1e-5;

/// The tensors with the few ways in which the engine reshapes them.
class Source {
public:
    Source(const PolicyConfig& config, const std::map<std::string, Tensor>& tensors)
        : config_(config), tensors_(tensors) {}

    /// Several linear layers of one input side by side: output block k is `names[k]` scaled by `scales[k]`.
    /// `in` and `out` say which channel of the file stands at a place of the packed layer.
    template <class In, class Out>
    Linear linear(const std::vector<std::string>& names, const std::vector<double>& scales, In in, Out out) const {
        const auto& shape = tensors_.at(names[0] + ".weight").shape;
        const int size = static_cast<int>(shape[0]);
        Linear result;
        result.inputs = static_cast<int>(shape[1]);
        result.outputs = size * static_cast<int>(names.size());
        result.panels = AlignedFloats(packed_size(result.inputs, result.outputs));
        result.bias.assign(static_cast<std::size_t>(rounded_up(result.outputs)), 0);
        std::fill_n(result.panels.data(), result.panels.size(), 0.0f);
        for (std::size_t block = 0; block < names.size(); ++block) {
            const float* weight = values(names[block] + ".weight");
            const float* bias = values(names[block] + ".bias");
            for (int k = 0; k < size; ++k) {
                const int o = static_cast<int>(block) * size + k;
                result.bias[static_cast<std::size_t>(o)] = static_cast<float>(scales[block] * bias[out(k)]);
                const float* row = weight + out(k) * result.inputs;
                const auto factor = static_cast<float>(scales[block]);
                float* column =
                    result.panels.data() + o / panel_width * panel_width * result.inputs + o % panel_width;
                for (int i = 0; i < result.inputs; ++i) column[i * panel_width] = factor * row[in(i)];
            }
        }
        return result;
    }

    Linear plain(const std::string& name, double scale = 1) const { return linear({name}, {scale}, same, same); }

    /// Lane order: place c·H + h holds channel h·(d_e/H) + c.
    [[nodiscard]] int lane(int place) const {
        const int size = config_.d_e / config_.heads;
        return place % config_.heads * size + place / config_.heads;
    }
    Linear into_lanes(const std::vector<std::string>& names, const std::vector<double>& scales) const {
        return linear(names, scales, same, [this](int o) { return lane(o); });
    }
    Linear from_lanes(const std::string& name) const {
        return linear(
            {name}, {1.0}, [this](int i) { return lane(i); }, same);
    }

    /// Half of the columns of the edge layer.
    Linear edge_half(int first_column, bool with_bias) const {
        Linear result;
        result.inputs = config_.d_v;
        result.outputs = config_.d_e;
        result.panels = AlignedFloats(packed_size(result.inputs, result.outputs));
        const float* weight = values("edge.weight");
        pack(result.panels.data(), result.inputs, result.outputs,
             [&](int i, int o) { return weight[o * 2 * config_.d_v + first_column + i]; });
        if (with_bias) {
            result.bias = tensors_.at("edge.bias").values;
            result.bias.resize(static_cast<std::size_t>(rounded_up(result.outputs)));
        }
        return result;
    }

    Norm layer_norm(const std::string& name) const {
        return {tensors_.at(name + ".weight").values, tensors_.at(name + ".bias").values};
    }

    Norm batch_norm(const std::string& name) const {
        Norm result = layer_norm(name);
        const float* mean = values(name + ".running_mean");
        const float* variance = values(name + ".running_var");
        for (std::size_t k = 0; k < result.scale.size(); ++k) {
            const double scale = result.scale[k] / std::sqrt(variance[k] + batch_norm_epsilon);
            result.shift[k] = static_cast<float>(result.shift[k] - scale * mean[k]);
            result.scale[k] = static_cast<float>(scale);
        }
        return result;
    }

private:
    static int same(int k) { return k; }
    [[nodiscard]] const float* values(const std::string& name) const { return tensors_.at(name).values.data(); }

    const PolicyConfig& config_;
    const std::map<std::string, Tensor>& tensors_;
};

std::vector<std::string> query_key_value(const std::string& attention) {
    return {attention + ".query", attention + ".key", attention + ".value"};
}

}  // namespace

Prepared prepare(const PolicyConfig& config, const std::map<std::string, Tensor>& tensors) {
    const Source source(config, tensors);
    Prepared result;
    result.terminal_input = source.plain("input.terminal");
    result.other_input = source.plain("input.other");

    const double vertex_scale = std::numbers::log2e / std::sqrt(static_cast<double>(config.d_v) / config.heads);
    for (int l = 0; l < config.encoder_layers; ++l) {
        const std::string name = fmt::format("encoder.{}", l);
        EncoderLayer layer;
        const auto keep = [](int k) { return k; };
        layer.query_key_value =
            source.linear(query_key_value(name + ".attention"), {vertex_scale, 1.0, 1.0}, keep, keep);
        layer.output = source.plain(name + ".attention.output");
        layer.attention_norm = source.batch_norm(name + ".attention_norm");
        layer.expand = source.plain(name + ".expand");
        layer.contract = source.plain(name + ".contract");
        layer.output_norm = source.batch_norm(name + ".output_norm");
        result.encoder.push_back(std::move(layer));
    }
    const Norm closing = source.batch_norm("encoder_norm");
    Norm& last = result.encoder.back().output_norm;
    for (std::size_t k = 0; k < last.scale.size(); ++k) {
        last.shift[k] = closing.scale[k] * last.shift[k] + closing.shift[k];
        last.scale[k] *= closing.scale[k];
    }

    result.graph = source.plain("graph");
    result.edge_difference = source.edge_half(0, false);
    result.edge_maximum = source.edge_half(config.d_v, true);

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
    return result;
}

}  // namespace neuroprim::policy
