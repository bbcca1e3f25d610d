#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "train/checkpoint.hpp"
#include "train/configuration.hpp"
#include "train/distributed.hpp"
#include "train/fixed_policy.hpp"
#include "train/imitation_data.hpp"

namespace neuroprim::train {

/// REINFORCE with sampled POMO (Algorithm 2 of the paper): N trees per random graph from random starts, their mean
/// cost as the baseline, Adam on the flat return.
///
/// Update k depends on the configuration, the parameters and k alone. Processes of a group share the graphs of an
/// update and end it with the same parameters as one process alone would have, up to rounding.
class Trainer {
public:
    /// A fresh policy from the seed, or the one that `init` names.
    Trainer(const Configuration& configuration, c10::Device device, const ProcessGroup& group);
    ~Trainer();

    /// One update; on a GPU it may still be under way when this returns.
    void update();

    /// Sums over the updates since the last call and over all processes' trees: costs, log-probabilities, steps and
    /// how many ended in a dead end; then the lengths of the gradients before clipping, times the number of
    /// processes.
    struct Sums {
        double cost = 0;
        double log_probability = 0;
        double steps = 0;
        double gradient_norm = 0;
        double dead_ends = 0;
    };
    [[nodiscard]] Sums take_sums();

    /// The learning rate of the last update.
    [[nodiscard]] double learning_rate() const;

    /// Updates done.
    [[nodiscard]] std::int64_t step() const { return step_; }

    /// Mean cost of the greedy trees on the fixed validation set, one start per graph: of each kind of specification,
    /// and the mean over them.
    struct Validation {
        double cost = 0;
        std::vector<std::pair<std::string, double>> kinds;
    };
    [[nodiscard]] Validation validate();

    /// `seconds` is for the caller to fill.
    [[nodiscard]] Checkpoint checkpoint() const;

    /// Throws InputError when the tensors are not those of this policy.
    void restore(const Checkpoint& checkpoint);

    /// Makes every process go on from where process 0 is.
    void align();

    /// Whether the fused CUDA kernels do the decoding.
    [[nodiscard]] bool is_fused() const;

private:
    struct State;

    [[nodiscard]] InstanceOptions instances_at(std::int64_t update) const;
    [[nodiscard]] bool load_policies_to_imitate(c10::Device device);
    [[nodiscard]] double validate(const SpecificationKind& kind);
    [[nodiscard]] SolvedGraphs prepare_imitation_data(std::int64_t number) const;
    struct Batch {
        Rules rules;
        Graphs graphs;
        const FixedPolicy* imitated = nullptr;  // who grows its trees, if not the policy itself
    };
    [[nodiscard]] Batch draw_batch(const std::vector<SpecificationKind>& kinds, const InstanceOptions& instances,
                                   const BatchPart& part) const;
    void draw_inputs();
    void learn();

    Configuration configuration_;
    std::vector<SpecificationKind> kinds_;
    const ProcessGroup* group_;
    int teacher_threads_;
    std::int64_t step_ = 0;
    std::unique_ptr<State> state_;
    std::map<std::string, FixedPolicy> imitated_;    // by their files
    std::unique_ptr<ImitationData> imitation_data_;  // where there is a teacher; last, for its thread uses the others
};

/// Graphs first … first + count − 1 of `graphs` belong to process `rank` of `size`.
struct Share {
    std::int64_t first = 0;
    std::int64_t count = 0;
};
[[nodiscard]] Share share_of(std::int64_t graphs, int rank, int size);

}  // namespace neuroprim::train
