#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "neuroprim/error.hpp"
#include "policy/model.hpp"
#include "policy/specification.hpp"

namespace neuroprim::policy {

namespace {

constexpr const char* format_key = "format";
constexpr const char* format_version = "neuroprim-policy-1";
constexpr const char* attention_key = "attention_size";
constexpr const char* fact_prefix = "training.";
constexpr const char* distance_feature = "distance";
constexpr const char* weights_feature = "weights";
constexpr const char* specification_feature = "specification";
constexpr const char* layer_norms_feature = "layer_norms";

struct Size {
    const char* name;
    int PolicyConfig::*member;
    int most;
};

constexpr Size sizes[] = {
    {"d_v", &PolicyConfig::d_v, 1 << 14},
    {"d_e", &PolicyConfig::d_e, 1 << 12},
    {"d_f", &PolicyConfig::d_f, 1 << 16},
    {"heads", &PolicyConfig::heads, 64},
    {"encoder_layers", &PolicyConfig::encoder_layers, 64},
    {"decoder_layers", &PolicyConfig::decoder_layers, 64},
};

template <class Number>
Number parse(const std::map<std::string, std::string>& metadata, const char* key, const std::string& source) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) throw InputError(source, 0, fmt::format("metadata {} is missing", key));
    const std::string& text = found->second;
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw InputError(source, 0, fmt::format("metadata {}: expected a number, found \"{}\"", key, text));
    }
    return value;
}

bool has_feature(const PolicyConfig& config, const char* name) {
    return std::find(config.features.begin(), config.features.end(), name) != config.features.end();
}

}  // namespace

void check(const PolicyConfig& config, const std::string& source) {
    const auto fail = [&](const std::string& message) { throw InputError(source, 0, message); };
    for (const Size& size : sizes) {
        const int value = config.*size.member;
        if (value < 1 || value > size.most) {
            fail(fmt::format("{} is {}, expected a number from 1 to {}", size.name, value, size.most));
        }
    }
    if (config.d_v % config.heads != 0)
        fail(fmt::format("d_v {} is not a multiple of heads {}", config.d_v, config.heads));
    if (config.d_e % config.heads != 0)
        fail(fmt::format("d_e {} is not a multiple of heads {}", config.d_e, config.heads));
    if (config.d_e % 2 != 0) fail(fmt::format("d_e {} is odd, but numbers are pooled in pairs", config.d_e));
    if (!(config.clip > 0) || config.clip > 1000) fail(fmt::format("clip is {}, expected more than 0", config.clip));
    if (config.attention_size < 0 || config.attention_size == 1) {
        fail(fmt::format("attention_size is {}, expected 0 or a number from 2", config.attention_size));
    }
    for (const std::string& feature : config.features) {
        if (feature != distance_feature && feature != weights_feature && feature != specification_feature &&
            feature != layer_norms_feature) {
            fail(fmt::format("feature \"{}\" is unknown to this version", feature));
        }
        if (std::count(config.features.begin(), config.features.end(), feature) > 1) {
            fail(fmt::format("feature \"{}\" is named twice", feature));
        }
    }
    if (sees_weights(config) && !sees_distances(config)) {
        fail(fmt::format("feature \"{}\" needs feature \"{}\"", weights_feature, distance_feature));
    }
}

bool sees_distances(const PolicyConfig& config) {
    return has_feature(config, distance_feature);
}

bool sees_weights(const PolicyConfig& config) {
    return has_feature(config, weights_feature);
}

bool sees_specification(const PolicyConfig& config) {
    return has_feature(config, specification_feature);
}

bool has_layer_norms(const PolicyConfig& config) {
    return has_feature(config, layer_norms_feature);
}

int row_terms(const PolicyConfig& config) {
    return config.decoder_layers * config.heads + 1;
}

double sharpness(const PolicyConfig& config, std::int64_t n) {
    if (config.attention_size == 0 || n < 2) return 1;
    return std::log(static_cast<double>(n)) / std::log(static_cast<double>(config.attention_size));
}

std::map<std::string, std::string> to_metadata(const PolicyConfig& config) {
    std::map<std::string, std::string> result;
    result[format_key] = format_version;
    for (const Size& size : sizes) result[size.name] = fmt::format("{}", config.*size.member);
    result["clip"] = fmt::format("{}", config.clip);
    if (config.attention_size != 0) result[attention_key] = fmt::format("{}", config.attention_size);
    result["problem"] = config.problem;
    result["features"] = fmt::format("{}", fmt::join(config.features, ","));
    for (const auto& [key, value] : config.facts) result[fact_prefix + key] = value;
    return result;
}

PolicyConfig config_from_metadata(const std::map<std::string, std::string>& metadata, const std::string& source) {
    const auto format = metadata.find(format_key);
    if (format == metadata.end()) {
        throw InputError(source, 0, "metadata format is missing: not a neuroprim policy");
    }
    if (format->second != format_version) {
        throw InputError(source, 0,
                         fmt::format("metadata format is \"{}\", expected {}", format->second, format_version));
    }
    PolicyConfig config;
    for (const Size& size : sizes) config.*size.member = parse<int>(metadata, size.name, source);
    config.clip = parse<double>(metadata, "clip", source);
    if (metadata.contains(attention_key)) config.attention_size = parse<int>(metadata, attention_key, source);
    if (const auto found = metadata.find("problem"); found != metadata.end()) config.problem = found->second;
    if (const auto found = metadata.find("features"); found != metadata.end() && !found->second.empty()) {
        std::string rest = found->second;
        for (auto comma = rest.find(','); comma != std::string::npos; comma = rest.find(',')) {
            config.features.push_back(rest.substr(0, comma));
            rest.erase(0, comma + 1);
        }
        config.features.push_back(rest);
    }
    const std::string prefix = fact_prefix;
    for (const auto& [key, value] : metadata) {
        if (key.starts_with(prefix)) config.facts[key.substr(prefix.size())] = value;
    }
    check(config, source);
    return config;
}

std::map<std::string, std::vector<std::int64_t>> expected_tensors(const PolicyConfig& config) {
    std::map<std::string, std::vector<std::int64_t>> result;
    const auto linear = [&](const std::string& name, std::int64_t inputs, std::int64_t outputs) {
        result[name + ".weight"] = {outputs, inputs};
        result[name + ".bias"] = {outputs};
    };
    const auto norm = [&](const std::string& name, std::int64_t size, bool batch) {
        result[name + ".weight"] = {size};
        result[name + ".bias"] = {size};
        if (batch) {
            result[name + ".running_mean"] = {size};
            result[name + ".running_var"] = {size};
        }
    };
    const auto attention = [&](const std::string& name, std::int64_t size) {
        for (const char* part : {".query", ".key", ".value", ".output"}) linear(name + part, size, size);
    };
    const int d_v = config.d_v;
    const int d_e = config.d_e;
    const bool over_batch = !has_layer_norms(config);
    linear("input.terminal", 2, d_v);
    linear("input.other", 2, d_v);
    for (int l = 0; l < config.encoder_layers; ++l) {
        const std::string layer = fmt::format("encoder.{}", l);
        attention(layer + ".attention", d_v);
        if (sees_distances(config)) result[layer + ".attention.distance"] = {config.heads};
        norm(layer + ".attention_norm", d_v, over_batch);
        linear(layer + ".expand", d_v, config.d_f);
        linear(layer + ".contract", config.d_f, d_v);
        norm(layer + ".output_norm", d_v, over_batch);
    }
    if (over_batch) norm("encoder_norm", d_v, true);
    if (sees_specification(config)) {
        result["specification.weight"] = {d_v, input_facts};
        linear("row.expand", row_facts, row_width);
        linear("row.contract", row_width, row_terms(config));
    }
    linear("graph", d_v, d_e);
    linear("edge", 2 * d_v, d_e);
    if (sees_distances(config)) result["distance.weight"] = {d_e, 2};
    for (int l = 0; l < config.decoder_layers; ++l) {
        const std::string layer = fmt::format("decoder.{}", l);
        attention(layer + ".self_attention", d_e);
        norm(layer + ".self_norm", d_e, false);
        attention(layer + ".edge_attention", d_e);
        norm(layer + ".edge_norm", d_e, false);
        linear(layer + ".expand", d_e, d_e);
        linear(layer + ".contract", d_e, d_e);
        norm(layer + ".output_norm", d_e, false);
    }
    linear("action.query", d_e, d_e);
    linear("action.key", d_e, d_e);
    return result;
}

}  // namespace neuroprim::policy
