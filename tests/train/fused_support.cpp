#include "fused_support.hpp"

#include <ostream>

#include "train/encoder.hpp"
#include "train/fused.hpp"

namespace neuroprim::train {

namespace {

ProblemOptions options_of(const Case& c) {
    ProblemOptions options;
    if (c.degree > 0) options.degree = c.degree;
    if (c.hops > 0) options.hops = c.hops;
    if (c.diameter > 0) options.diameter = c.diameter;
    if (c.capacity > 0) options.capacity = c.capacity;
    if (c.length > 0) options.length = c.length;
    return options;
}

}  // namespace

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

Rules rules_of(const Case& c) {
    const Rules rules = make_rules(c.problem, options_of(c));
    return c.leaf_start ? from_a_leaf(rules) : rules;
}

World::World(const Case& c, at::ScalarType type, std::uint64_t seed)
    : rules(rules_of(c)), group(Place{}, true), policy(config_of(c)) {
    torch::manual_seed(seed);
    policy = PolicyModule(config_of(c));
    const torch::NoGradGuard no_gradients;
    for (auto& item : policy->named_parameters()) {
        const bool decides = item.key().find("decoder") == 0 || item.key().find("action") == 0;
        if (decides && item.value().dim() == 2) item.value().mul_(2.5);
        for (const char* name : {"distance", "specification", "row"}) {
            if (item.key().find(name) != std::string::npos) item.value().uniform_(-0.5, 0.5);
        }
    }
    policy->to(at::Device(at::kCUDA), type);
    policy->train();
    parts.emplace(parts_of(*policy));
    InstanceOptions instances;
    instances.n_min = instances.n_max = c.n;
    if (c.weighted) instances.weights = InstanceOptions::EdgeWeights::mixed;
    const BatchPart part{seed, 3, 0, c.graphs};
    drawn = draw_graphs(instances, rules, part, c.demands);
    starts = draw_starts(drawn, rules, c.per_graph, false, part).to(at::kCUDA);
    graphs = drawn.changed([&](const at::Tensor& x) {
        const auto there = x.to(at::kCUDA);
        return x.is_floating_point() ? there.to(type) : there;
    });
}

PolicyConfig World::config_of(const Case& c) {
    PolicyConfig config;
    config.d_v = c.d_v;
    config.d_e = c.d_e;
    config.d_f = 2 * c.d_v;
    config.heads = c.heads;
    config.encoder_layers = 2;
    if (c.n == 33) config.features = {"distance"};
    if (c.weighted) config.features = {"distance", "weights"};
    if (c.told) config.features.emplace_back("specification");
    return config;
}

Tables World::tables(const std::shared_ptr<SideWork>& side) {
    return encode(*parts, graphs, group, rules, side);
}

Tables detached(const Tables& tables) {
    Tables result;
    result.graph = tables.graph.detach();
    result.edges = tables.edges.detach();
    for (const auto& layer : tables.layers) result.layers.push_back({layer.keys.detach(), layer.values.detach()});
    result.action_keys = tables.action_keys.detach();
    return result;
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

double relative_error(const at::Tensor& value, const at::Tensor& reference) {
    const auto exact = reference.to(at::kDouble);
    return ((value.to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
}

at::Tensor open_rows(const Trajectories& t) {
    const auto step = at::arange(t.sources.size(1), t.enter.options()).view({1, -1, 1});
    return (t.enter.unsqueeze(1) <= step) & (step < t.close.unsqueeze(1)) & (step < t.lengths.view({-1, 1, 1}));
}

void Fused::SetUp() {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
    const Case& c = GetParam();
    if (!fused::supports(World::config_of(c), at::Device(at::kCUDA, 0), c.n)) GTEST_SKIP() << "built without CUDA";
}

void FusedOnGpu::SetUp() {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
    if (!fused::supports(PolicyConfig{}, at::Device(at::kCUDA, 0), 50)) GTEST_SKIP() << "built without CUDA";
}

}  // namespace neuroprim::train
