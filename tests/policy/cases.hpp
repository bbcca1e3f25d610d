#pragma once

#include <memory>
#include <string>
#include <vector>

#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim::testing {

/// An instance with a problem on it; the instance stays where it is when the case is moved.
struct PolicyCase {
    std::string title;
    std::unique_ptr<Instance> instance;
    std::unique_ptr<Problem> problem;
};

/// Every problem of the registry on points, a full matrix and a sparse graph of n vertices, where that makes sense.
[[nodiscard]] std::vector<PolicyCase> policy_cases(Vertex n, std::uint64_t seed);

/// A random specification on n random points or a random matrix: some limits, an objective and a coverage.
[[nodiscard]] PolicyCase random_specification(Vertex n, std::uint64_t seed);

[[nodiscard]] PolicyCase policy_case(const std::string& problem, Vertex n, std::uint64_t seed, int degree = 0);

/// Small in the encoder, so that the reference is quick; the decoder as asked.
[[nodiscard]] PolicyConfig small_config(int d_e = 16, int heads = 8, int decoder_layers = 1);

/// The same, told the specification.
[[nodiscard]] PolicyConfig told_config(int d_e = 16, int heads = 8, int decoder_layers = 1, bool layer_norms = true);

/// The same, seeing distances and true weights.
[[nodiscard]] PolicyConfig with_weights(PolicyConfig config);

/// The same policy with all attention queries multiplied, so that attention becomes as sharp as one likes.
[[nodiscard]] Policy scaled_attention(const Policy& policy, float factor);

/// The same policy with what it makes of the specification multiplied.
[[nodiscard]] Policy scaled_rows(const Policy& policy, float factor);

/// The instruction sets this machine can run.
[[nodiscard]] std::vector<std::string> instruction_sets();

/// Sets NEUROPRIM_ISA for its lifetime: policies made meanwhile use it.
class UseInstructionSet {
public:
    explicit UseInstructionSet(const std::string& name);
    ~UseInstructionSet();
    UseInstructionSet(const UseInstructionSet&) = delete;
    UseInstructionSet& operator=(const UseInstructionSet&) = delete;

private:
    std::string before_;
};

}  // namespace neuroprim::testing
