#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>

#include "train/distributed.hpp"
#include "train/instances.hpp"
#include "train/policy_module.hpp"
#include "train/policy_parts.hpp"
#include "train/rules.hpp"
#include "train/side_work.hpp"
#include "train/tables.hpp"
#include "train/trajectories.hpp"

/// What the tests of the fused kernels share: random policies and graphs on the GPU, and measures of error.
namespace neuroprim::train {

struct Case {
    const char* name;
    const char* problem;
    int degree = 0;
    int hops = 0;
    std::int64_t n = 50;
    int d_e = 16;
    int heads = 8;
    std::int64_t graphs = 2;
    std::int64_t per_graph = 6;
    int d_v = 64;
    bool told = false;  // the specification
    int diameter = 0;
    int capacity = 0;
    int length = 0;  // percent
    Range demands = {};
    bool weighted = false;  // weights that are not straight distances, and a policy that sees them
    bool leaf_start = false;
};

void PrintTo(const Case& c, std::ostream* out);

Rules rules_of(const Case& c);

/// A random policy whose choices are far from uniform, and random graphs, in the given type on the GPU.
struct World {
    World(const Case& c, at::ScalarType type, std::uint64_t seed = 7);

    static PolicyConfig config_of(const Case& c);

    Tables tables(const std::shared_ptr<SideWork>& side = nullptr);

    Rules rules;
    ProcessGroup group;
    PolicyModule policy;
    std::optional<PolicyParts> parts;
    Graphs drawn;  // on the CPU
    Graphs graphs;
    at::Tensor starts;
};

Tables detached(const Tables& tables);

double largest_difference(const at::Tensor& a, const at::Tensor& b);
double relative_error(const at::Tensor& value, const at::Tensor& reference);

/// (B, T, n) bool: rows that are open at their step. No other row is read or written.
at::Tensor open_rows(const Trajectories& t);

/// Tests of one case; skipped where it has no kernels.
class Fused : public testing::TestWithParam<Case> {
protected:
    void SetUp() override;
};

/// Other tests of kernels; skipped without a CUDA device.
class FusedOnGpu : public testing::Test {
protected:
    void SetUp() override;
};

}  // namespace neuroprim::train
