#include "neuroprim/policy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "neuroprim/error.hpp"
#include "neuroprim/random.hpp"
#include "policy/model.hpp"
#include "policy/widen.hpp"

namespace neuroprim {

namespace {

using policy::Model;

/// The sum of two things of variance one: so batch norms keep random features at the size that trained ones have.
constexpr double residual_variance = 2;

/// Makes the choices decided enough to tell one policy from another.
constexpr double action_gain = 2;

std::shared_ptr<const Model> assembled(PolicyConfig config, policy::StoredTensors stored) {
    auto model = std::make_shared<Model>();
    model->kernels = &policy::chosen_kernels();
    model->prepared = policy::prepare(config, stored.tensors, *model->kernels);
    model->config = std::move(config);
    model->stored = std::move(stored);
    return model;
}

}  // namespace

Policy Policy::load(const std::filesystem::path& path) {
    const std::string source = path.string();
    policy::StoredTensors file = policy::map_safetensors(path);
    PolicyConfig config = policy::config_from_metadata(file.metadata, source);
    policy::require_checksum(file, source);
    const auto expected = policy::expected_tensors(config);
    for (const auto& [name, shape] : expected) {
        const auto found = file.tensors.find(name);
        if (found == file.tensors.end()) throw InputError(source, 0, fmt::format("tensor {} is missing", name));
        if (found->second.shape != shape) {
            throw InputError(source, 0,
                             fmt::format("tensor {} has shape ({}), its configuration says ({})", name,
                                         fmt::join(found->second.shape, ", "), fmt::join(shape, ", ")));
        }
        if (!name.ends_with(".running_var")) continue;
        for (const float variance : found->second.values()) {
            if (variance < 0) throw InputError(source, 0, fmt::format("tensor {} holds a negative variance", name));
        }
    }
    policy::require_finite(file, source);
    for (const auto& [name, tensor] : file.tensors) {
        if (!expected.contains(name)) {
            throw InputError(source, 0, fmt::format("tensor {} is not part of such a policy", name));
        }
    }
    return Policy(assembled(std::move(config), std::move(file)));
}

Policy Policy::random(const PolicyConfig& config, std::uint64_t seed) {
    policy::check(config, "policy");
    Random random(seed);
    std::map<std::string, policy::Tensor> tensors;
    for (const auto& [name, shape] : policy::expected_tensors(config)) {
        std::size_t count = 1;
        for (const auto extent : shape) count *= static_cast<std::size_t>(extent);
        const bool is_gain = name.ends_with("norm.weight");
        const bool is_variance = name.ends_with(".running_var");
        double reach = shape.size() == 2 ? std::sqrt(3.0 / static_cast<double>(shape[1])) : 0.2;
        if (name == "action.query.weight") reach *= action_gain;
        policy::Tensor tensor{shape, std::vector<float>(count)};
        for (float& value : tensor.values) {
            const double draw = 2 * random.uniform() - 1;
            const double level = is_variance ? residual_variance : is_gain ? 1 : 0;
            value = static_cast<float>(level + (level > 0 ? 0.5 * level : reach) * draw);
        }
        tensors[name] = std::move(tensor);
    }
    return Policy(assembled(config, policy::stored(std::move(tensors))));
}

Policy Policy::sharpened(double factor) const {
    if (!std::isfinite(factor) || factor <= 0) {
        throw InputError(fmt::format("sharpening by {}: expected a positive number", factor));
    }
    PolicyConfig config = model_->config;
    std::string& fact = config.facts["sharpened"];
    const double before = std::strtod(fact.c_str(), nullptr);
    fact = fmt::format("{}", before > 0 ? before * factor : factor);
    auto tensors = model_->tensors();
    for (auto& [name, tensor] : tensors) {
        const bool of_vertices = name.starts_with("encoder.") && name.find(".attention.query.") != std::string::npos;
        const bool of_edges = name.find(".edge_attention.query.") != std::string::npos;
        if (!of_vertices && !of_edges) continue;
        for (float& value : tensor.values) value *= static_cast<float>(factor);
    }
    policy::StoredTensors stored = policy::stored(std::move(tensors));
    policy::require_finite(stored, fmt::format("sharpened by {}", factor));
    return Policy(assembled(std::move(config), std::move(stored)));
}

Policy Policy::widened(std::uint64_t seed) const {
    PolicyConfig config = model_->config;
    auto tensors = policy::widened(model_->tensors(), config, seed);
    config.d_v *= 2;
    return Policy(assembled(std::move(config), policy::stored(std::move(tensors))));
}

Policy Policy::averaged_with(const Policy& earlier, double share) const {
    if (!(share >= 0 && share <= 1)) {
        throw InputError(fmt::format("a mean with a share of {}: expected a number from 0 to 1", share));
    }
    auto tensors = model_->tensors();
    auto others = earlier.model_->tensors();
    if (config().heads != earlier.config().heads || config().attention_size != earlier.config().attention_size) {
        throw InputError("policies of different heads or attention_size have no mean");
    }
    for (auto& [name, tensor] : tensors) {
        const auto other = others.extract(name);
        if (!other.empty() && other.mapped().shape != tensor.shape) {
            throw InputError(fmt::format("policies whose tensors {} differ in shape have no mean", name));
        }
        for (std::size_t k = 0; k < tensor.values.size(); ++k) {
            const double before = other.empty() ? 0 : static_cast<double>(other.mapped().values[k]);
            tensor.values[k] =
                static_cast<float>((1 - share) * static_cast<double>(tensor.values[k]) + share * before);
        }
    }
    if (!others.empty()) {
        throw InputError(
            fmt::format("the policy to average with has a tensor {}, this one has not", others.begin()->first));
    }
    PolicyConfig config = model_->config;
    config.facts["averaged"] = fmt::format("{}", share);
    return Policy(assembled(std::move(config), policy::stored(std::move(tensors))));
}

void Policy::save(const std::filesystem::path& path, Precision precision) const {
    policy::write_safetensors(path, policy::to_metadata(model_->config), model_->stored, precision);
}

const PolicyConfig& Policy::config() const {
    return model_->config;
}

std::string_view Policy::checksum() const {
    return model_->stored.checksum;
}

std::string_view Policy::instruction_set() const {
    return model_->kernels->name;
}

}  // namespace neuroprim
