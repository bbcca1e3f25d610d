#include "policy/cases.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "neuroprim/generate.hpp"
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

Policy scaled_attention(const Policy& policy, float factor) {
    policy::TensorFile file{policy::to_metadata(policy.config()), policy.model().tensors()};
    for (auto& [name, tensor] : file.tensors) {
        if (!name.starts_with("decoder") || name.find("attention.query") == std::string::npos) continue;
        for (float& value : tensor.values) value *= factor;
    }
    const auto path = std::filesystem::path(::testing::TempDir()) / "neuroprim_scaled.safetensors";
    policy::write_safetensors(path, file);
    Policy result = Policy::load(path);
    std::filesystem::remove(path);
    return result;
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
