#include "search/neural_options.hpp"

#include "search/augmentation.hpp"

namespace neuroprim {

NeuralOptions neural_options(const SolveOptions& options) {
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
    return result;
}

}  // namespace neuroprim
