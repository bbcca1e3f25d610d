#include "search/neural_options.hpp"

#include "search/augmentation.hpp"
#include "search/windows/windowed_greedy.hpp"

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
        constexpr std::size_t enough_starts = 10;
        constexpr std::size_t enough_samples = 20 * enough_starts;  // as many per start as in smaller graphs
        if (result.starts == 0) result.starts = enough_starts;
        if (result.samples == 0) result.samples = enough_samples;
    }
    return result;
}

}  // namespace neuroprim
