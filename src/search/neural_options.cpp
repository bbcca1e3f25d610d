#include "search/neural_options.hpp"

#include <algorithm>

#include "search/augmentation.hpp"
#include "search/start_sequence.hpp"
#include "search/windows/large_graphs.hpp"

namespace neuroprim {

NeuralOptions neural_options(const SolveOptions& options, const Problem& problem) {
    NeuralOptions result;
    result.mode = options.method == "sample" ? DecodeMode::sample : DecodeMode::greedy;
    result.start = options.start;
    result.starts = options.starts;
    if (options.method == "beam") result.beam = options.beam;
    result.samples = options.samples;
    result.augmentations = augmentations_or(options, 1);
    result.augmentations_per_start = options.augmentations_per_start;
    result.rounds = options.rounds;
    result.temperature = options.temperature;
    result.seed = options.seed;
    result.threads = options.threads;
    result.max_memory = options.max_memory;
    result.interrupted = options.interrupted;
    if (problem.size() > most_trained) {
        const std::size_t allowed = options.start == no_vertex ? problem.starts().size() : 1;
        const std::size_t starts = std::min(allowed, usual_starts_of_large_graphs);
        if (result.starts == 0) result.starts = starts;
        if (result.samples == 0) result.samples = samples_per_start * starts;
    }
    return result;
}

}  // namespace neuroprim
