#include "policy/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"
#include "policy/kernels/kernels.hpp"
#include "policy/model.hpp"
#include "policy/safetensors.hpp"

namespace neuroprim::testing {

namespace {

constexpr const char* variable = "NEUROPRIM_ISA";

PolicyCase make_case(const std::string& title, const std::string& problem, const GenerateOptions& options,
                     ProblemOptions rules = {}, std::vector<int> limits = {}) {
    PolicyCase result;
    result.title = title;
    result.instance = std::make_unique<Instance>(generate(options));
    result.instance->degree_limits = std::move(limits);
    result.problem = make_problem(problem, *result.instance, rules);
    return result;
}

}  // namespace

std::vector<PolicyCase> policy_cases(Vertex n, std::uint64_t seed) {
    using Shape = GenerateOptions::Shape;
    std::vector<PolicyCase> result;
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        GenerateOptions options;
        options.n = n;
        options.seed = seed;
        options.shape = shape;
        const std::string form = std::string(to_string(shape)) + " ";
        result.push_back(make_case(form + "mst", "mst", options));
        result.push_back(make_case(form + "mrcst", "mrcst", options));
        GenerateOptions marked = options;
        marked.terminals = (n + 1) / 2;
        result.push_back(make_case(form + "stp", "stp", marked));
        if (shape == Shape::sparse) {
            result.push_back(make_case(form + "hmst", "hmst", options, {.degree = {}, .root = 0, .hops = n}));
            result.push_back(make_case(form + "dcmst 3", "dcmst", options, {.degree = 3, .root = {}, .hops = {}}));
            continue;
        }
        result.push_back(make_case(form + "hmst", "hmst", options, {.degree = {}, .root = n / 2, .hops = 2}));
        for (const int degree : {2, 3}) {
            result.push_back(make_case(form + "dcmst " + std::to_string(degree), "dcmst", options,
                                       {.degree = degree, .root = {}, .hops = {}}));
        }
        std::vector<int> limits;
        for (Vertex v = 0; v < n; ++v) limits.push_back(v % 3 == 0 ? 4 : 1 + v % 2);
        result.push_back(make_case(form + "dcmst with limits", "dcmst", options, {}, limits));
        GenerateOptions busy = options;
        busy.requirements = true;
        if (n > 1) result.push_back(make_case(form + "ocst", "ocst", busy));
    }
    return result;
}

PolicyCase random_specification(Vertex n, std::uint64_t seed) {
    Random random(seed);
    const auto chance = [&](double p) { return random.uniform() < p; };
    const auto from = [&](int low, int high) {
        return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
    };
    GenerateOptions options;
    options.n = n;
    options.seed = seed;
    options.shape = chance(0.3) ? GenerateOptions::Shape::matrix : GenerateOptions::Shape::uniform;
    PolicyCase result;
    result.instance = std::make_unique<Instance>(generate(options));
    TreeSpec spec;
    const auto size = static_cast<std::size_t>(n);
    const bool is_rooted = chance(0.8);
    const int coverage = from(0, 4);
    if (is_rooted) spec.root = from(0, n - 1);
    if (coverage == 1) {
        spec.coverage = Coverage::terminals;
        for (Vertex v = 0; v < n; v += 1 + v % 2) spec.terminals.push_back(v);
    }
    if (coverage == 2) {
        spec.coverage = Coverage::groups;
        for (Vertex v = 0; v < n; ++v) spec.groups.push_back(v % std::max(1, n / 3));
    }
    if (coverage == 3) {
        spec.coverage = Coverage::optional;
        for (Vertex v = 0; v < n; ++v) spec.prizes.push_back(chance(0.6) ? 0.5 * random.uniform() : 0);
    }
    if (coverage == 0 && chance(0.3)) spec.objective = Objective::routing_cost;
    if (chance(0.5)) {
        for (Vertex v = 0; v < n; ++v) spec.degrees.push_back(n > 2 ? from(2, 4) : 1);
        if (n > 3 && chance(0.5)) spec.degrees[static_cast<std::size_t>(from(0, n - 1))] = 1;
    }
    if (is_rooted && chance(0.5)) spec.hops = from(2, 5);
    if (is_rooted && chance(0.4)) {
        double farthest = 0;
        for (Vertex v = 0; v < n; ++v) {
            if (v != *spec.root) farthest = std::max(farthest, result.instance->weights(*spec.root, v));
        }
        spec.length = farthest * (1 + random.uniform());
    }
    if (is_rooted && chance(0.5)) {
        spec.capacity = from(4, 9);
        for (std::size_t v = 0; v < size; ++v) spec.demands.push_back(1 + 3 * random.uniform());
    }
    if (chance(0.3)) spec.diameter = from(3, 7);
    result.title = describe(spec, *result.instance);
    result.problem = std::make_unique<Problem>(*result.instance, std::move(spec));
    return result;
}

PolicyCase policy_case(const std::string& problem, Vertex n, std::uint64_t seed, int degree) {
    GenerateOptions options;
    options.n = n;
    options.seed = seed;
    if (problem == "stp") options.terminals = (n + 1) / 2;
    ProblemOptions rules;
    if (degree > 0) rules.degree = degree;
    return make_case(problem, problem, options, rules);
}

PolicyConfig small_config(int d_e, int heads, int decoder_layers) {
    PolicyConfig config;
    config.heads = heads;
    config.d_v = 4 * heads;
    config.d_e = d_e;
    config.d_f = 40;
    config.encoder_layers = 2;
    config.decoder_layers = decoder_layers;
    config.attention_size = decoder_layers > 1 ? 7 : 0;
    if (decoder_layers > 1) config.features = {"distance"};
    return config;
}

PolicyConfig told_config(int d_e, int heads, int decoder_layers, bool layer_norms) {
    PolicyConfig config = small_config(d_e, heads, decoder_layers);
    config.features.emplace_back("specification");
    if (layer_norms) config.features.emplace_back("layer_norms");
    return config;
}

PolicyConfig with_weights(PolicyConfig config) {
    if (!policy::sees_distances(config)) config.features.emplace_back("distance");
    config.features.emplace_back("weights");
    return config;
}

namespace {

/// The same policy with the tensors of these names multiplied.
template <class IsMeant>
Policy scaled(const Policy& policy, float factor, IsMeant&& is_meant) {
    policy::TensorFile file{policy::to_metadata(policy.config()), policy.model().tensors()};
    for (auto& [name, tensor] : file.tensors) {
        if (!is_meant(name)) continue;
        for (float& value : tensor.values) value *= factor;
    }
    const auto path = std::filesystem::path(::testing::TempDir()) / "neuroprim_scaled.safetensors";
    policy::write_safetensors(path, file);
    Policy result = Policy::load(path);
    std::filesystem::remove(path);
    return result;
}

}  // namespace

Policy scaled_attention(const Policy& policy, float factor) {
    return scaled(policy, factor, [](const std::string& name) {
        return name.starts_with("decoder") && name.find("attention.query") != std::string::npos;
    });
}

Policy scaled_rows(const Policy& policy, float factor) {
    return scaled(policy, factor, [](const std::string& name) {
        return name.starts_with("row.contract") || name == "specification.weight";
    });
}

std::vector<std::string> instruction_sets() {
    std::vector<std::string> result;
    for (const auto* kernels : policy::available_kernels()) result.emplace_back(kernels->name);
    return result;
}

UseInstructionSet::UseInstructionSet(const std::string& name) {
    if (const char* value = std::getenv(variable)) before_ = value;
    ::setenv(variable, name.c_str(), 1);
}

UseInstructionSet::~UseInstructionSet() {
    if (before_.empty()) {
        ::unsetenv(variable);
    } else {
        ::setenv(variable, before_.c_str(), 1);
    }
}

}  // namespace neuroprim::testing
