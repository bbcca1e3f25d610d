#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::cli {

/// What `neuroprim solve` was asked to do.
struct SolveArguments {
    CommonOptions common;
    InputOptions input;
    ProblemArguments problem;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string method;
    std::string start;
    std::string model;
    std::size_t starts = 0;
    std::size_t samples = 0;
    std::size_t beam = 4;
    int augmentations = 0;
    int augmentations_per_start = 0;
    int rounds = 1;
    double temperature = 1;
    MemoryOption max_memory;
    std::optional<double> time_limit;
    std::optional<double> target_gap;
    std::optional<std::int64_t> max_iterations;
    std::optional<std::int64_t> no_improvement;
    std::string warm_start;
    Initial initial = Initial::best;
    std::string log;
    int jobs = 1;
    std::string results;
    std::string shard;
    nlohmann::json deciding;  ///< the options that decide the answer (`deciding_options`)

    /// Every instance that is solved at the same time gets its share of the threads, at least one.
    [[nodiscard]] int threads_per_job() const;

    /// How to solve this instance. Throws InputError when it has no such vertex or the warm start is none of its
    /// trees.
    [[nodiscard]] SolveOptions options_for(const Instance& instance) const;
};

}  // namespace neuroprim::cli
