#include "cli/solve_arguments.hpp"

#include <algorithm>

#include "cli/interrupt.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::cli {

int SolveArguments::threads_per_job() const {
    return std::max(1, common.thread_count() / jobs);
}

SolveOptions SolveArguments::options_for(const Instance& instance) const {
    SolveOptions options{method, no_vertex, common.seed, threads_per_job()};
    if (!start.empty()) options.start = vertex_named(instance, start);
    options.model = model;
    options.starts = starts;
    options.samples = samples;
    options.beam = beam;
    options.augmentations = augmentations;
    options.augmentations_per_start = augmentations_per_start;
    options.rounds = rounds;
    options.temperature = temperature;
    options.max_memory = max_memory.most;
    options.time_limit = time_limit;
    options.target_gap = target_gap;
    options.max_iterations = max_iterations;
    options.no_improvement = no_improvement;
    options.initial = initial;
    if (!warm_start.empty()) options.warm_start = read_tree(warm_start, instance, input.max_input);
    options.interrupted = interrupted;
    return options;
}

}  // namespace neuroprim::cli
