#include "train/policy_parts.hpp"

#include <fmt/format.h>

#include "train/policy_module.hpp"

namespace neuroprim::train {

namespace {

using Modules = torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>>;

template <class Holder>
Holder find(const Modules& modules, const std::string& name) {
    return Holder(std::dynamic_pointer_cast<typename Holder::ContainedType>(modules[name]));
}

AttentionParts find_attention(const Modules& modules, const std::string& name) {
    const auto linear = [&](const char* part) { return find<torch::nn::Linear>(modules, name + part); };
    return {linear(".query"), linear(".key"), linear(".value"), linear(".output"),
            find<Attention>(modules, name)->distance};
}

}  // namespace

PolicyParts parts_of(const PolicyModuleImpl& policy) {
    const Modules modules = policy.named_modules();
    const auto linear = [&](const std::string& name) { return find<torch::nn::Linear>(modules, name); };
    const auto vertex_norm = [&](const std::string& name) { return find<VertexNorm>(modules, name); };
    const auto layer_norm = [&](const std::string& name) { return find<torch::nn::LayerNorm>(modules, name); };
    std::vector<EncoderParts> encoder;
    for (int l = 0; l < policy.config().encoder_layers; ++l) {
        const std::string layer = fmt::format("encoder.{}.", l);
        encoder.push_back({find_attention(modules, layer + "attention"), vertex_norm(layer + "attention_norm"),
                           linear(layer + "expand"), linear(layer + "contract"), vertex_norm(layer + "output_norm")});
    }
    std::vector<DecoderParts> decoder;
    for (int l = 0; l < policy.config().decoder_layers; ++l) {
        const std::string layer = fmt::format("decoder.{}.", l);
        decoder.push_back({find_attention(modules, layer + "self_attention"), layer_norm(layer + "self_norm"),
                           find_attention(modules, layer + "edge_attention"), layer_norm(layer + "edge_norm"),
                           linear(layer + "expand"), linear(layer + "contract"), layer_norm(layer + "output_norm")});
    }
    return {policy.config(),        linear("input.terminal"), linear("input.other"), policy.specification,
            policy.row_expand,      policy.row_contract,      std::move(encoder),    policy.encoder_norm,
            linear("graph"),        linear("edge"),           policy.distance,       std::move(decoder),
            linear("action.query"), linear("action.key")};
}

}  // namespace neuroprim::train
