#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "neuroprim/policy.hpp"
#include "policy/kernels/kernels.hpp"
#include "policy/prepared.hpp"
#include "policy/safetensors.hpp"

namespace neuroprim::policy {

/// A policy as it is in memory: the tensors of its file where they lie, and what the engine made of them.
struct Model {
    PolicyConfig config;
    StoredTensors stored;
    Prepared prepared;
    const Kernels* kernels = nullptr;

    [[nodiscard]] std::vector<float> values(const std::string& name) const {
        return stored.tensors.at(name).values();
    }
    [[nodiscard]] std::map<std::string, Tensor> tensors() const { return stored.copied(); }
};

/// Name and shape of every tensor that a policy of this configuration has (docs/model.md).
[[nodiscard]] std::map<std::string, std::vector<std::int64_t>> expected_tensors(const PolicyConfig& config);

/// Does the policy see how far apart two vertices are, and not only where they lie?
[[nodiscard]] bool sees_distances(const PolicyConfig& config);

/// Does it see the weights of edges instead, where they are not those distances?
[[nodiscard]] bool sees_weights(const PolicyConfig& config);

/// Is the policy told the specification, and what is left of each resource at the vertices of the tree?
[[nodiscard]] bool sees_specification(const PolicyConfig& config);

/// Are the encoder's norms those of each vertex's own features, and not of a batch? There is no closing norm then.
[[nodiscard]] bool has_layer_norms(const PolicyConfig& config);

/// How many scores the network of rows makes: one for each head of each decoder layer, then one for the action.
[[nodiscard]] int row_terms(const PolicyConfig& config);

/// What scores of vertex attention are multiplied with in a graph of n vertices.
[[nodiscard]] double sharpness(const PolicyConfig& config, std::int64_t n);

/// Throws InputError naming the first size that makes no sense.
void check(const PolicyConfig& config, const std::string& source);

[[nodiscard]] std::map<std::string, std::string> to_metadata(const PolicyConfig& config);
[[nodiscard]] PolicyConfig config_from_metadata(const std::map<std::string, std::string>& metadata,
                                                const std::string& source);

}  // namespace neuroprim::policy
