#include <algorithm>

#include "neuroprim/neural.hpp"
#include "policy/trajectory_group.hpp"
#include "search/neural_batch.hpp"

namespace neuroprim {

namespace {

/// The most edges from tree vertices with residual capacity to vertices outside that there can be at a time.
std::size_t most_open_edges(const Problem& problem) {
    const auto n = static_cast<std::size_t>(problem.size());
    if (!problem.weights().is_complete()) return problem.weights().edge_count();
    const std::size_t open = std::min(static_cast<std::size_t>(problem.most_open()), n / 2);
    return open * (n - open);
}

/// What one tree takes while it grows: the decoder's memory, its state, the scores of its open edges.
std::size_t trajectory_bytes(const PolicyConfig& config, const Problem& problem, bool keeps_scores) {
    constexpr std::size_t state = 64;  // bytes a vertex
    const std::size_t width =
        2 * static_cast<std::size_t>(config.d_e) * static_cast<std::size_t>(config.decoder_layers);
    const auto n = static_cast<std::size_t>(problem.size());
    return n * (width * sizeof(float) + state) +
           (keeps_scores ? most_open_edges(problem) * sizeof(float) * 5 / 4 : 0);
}

}  // namespace

std::size_t memory_needed(const Policy& policy, const Problem& problem, const NeuralOptions& options) {
    const auto threads = static_cast<std::size_t>(std::max(1, options.threads));
    const std::size_t trees =
        options.mode == DecodeMode::sample ? neural_batch : std::min(neural_batch, index(problem.size()));
    const std::size_t growing = std::min(trees, threads * policy::TrajectoryGroup::capacity);
    const bool keeps_scores = options.mode == DecodeMode::sample || options.beam > 0;
    const std::size_t finished = trees * static_cast<std::size_t>(problem.size()) * sizeof(Edge);
    return memory_needed(policy, problem, EncodeOptions{.threads = options.threads}) + finished +
           growing * trajectory_bytes(policy.config(), problem, keeps_scores);
}

}  // namespace neuroprim
