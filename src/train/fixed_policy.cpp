#include "train/fixed_policy.hpp"

#include <torch/torch.h>

#include "train/distributed.hpp"
#include "train/encoder.hpp"
#include "train/fused.hpp"
#include "train/policy_module.hpp"
#include "train/rollout.hpp"

namespace neuroprim::train {

struct FixedPolicy::State {
    State(const Policy& given, c10::Device where)
        : device(where), module(given.config()), group(Place{}, where.is_cuda()) {
        copy_weights(given, module);
        module->to(device);
        module->eval();
        parts = std::make_unique<PolicyParts>(parts_of(*module));
    }

    c10::Device device;
    PolicyModule module;
    ProcessGroup group;  // of one: each process has its own graphs
    std::unique_ptr<PolicyParts> parts;
};

FixedPolicy::FixedPolicy(const Policy& policy, c10::Device device)
    : state_(std::make_unique<State>(policy, device)) {}

FixedPolicy::~FixedPolicy() = default;

const PolicyConfig& FixedPolicy::config() const {
    return state_->module->config();
}

bool FixedPolicy::is_fused(std::int64_t n) const {
    return fused::supports(config(), state_->device, n);
}

Trajectories FixedPolicy::roll_out(const Graphs& graphs, const Rules& rules, const at::Tensor& starts,
                                   const Choice& choice) const {
    const torch::NoGradGuard no_gradients;
    const State& state = *state_;
    const Tables tables = encode(*state.parts, graphs, state.group, rules);
    return is_fused(graphs.vertices()) ? fused::roll_out(*state.parts, tables, graphs, rules, starts, choice)
                                       : train::roll_out(*state.parts, tables, graphs, rules, starts, choice);
}

}  // namespace neuroprim::train
