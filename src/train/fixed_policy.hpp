#pragma once

#include <c10/core/Device.h>

#include <memory>

#include "neuroprim/policy.hpp"
#include "train/rules.hpp"
#include "train/trajectories.hpp"

namespace neuroprim::train {

/// A trained policy on a device, where it grows trees and learns nothing more.
class FixedPolicy {
public:
    FixedPolicy(const Policy& policy, c10::Device device);
    ~FixedPolicy();

    [[nodiscard]] const PolicyConfig& config() const;

    /// Whether the fused CUDA kernels grow its trees of n vertices.
    [[nodiscard]] bool is_fused(std::int64_t n) const;

    /// One tree per start, B / G on each graph. Graphs and starts are on the device.
    [[nodiscard]] Trajectories roll_out(const Graphs& graphs, const Rules& rules, const at::Tensor& starts,
                                        const Choice& choice) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace neuroprim::train
