#include "cli/solve_arguments.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

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
    options.augment = augment;
    options.spread = spread;
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

nlohmann::json SolveArguments::deciding() const {
    static constexpr std::array initial_names = {"best", "classical", "policy", "both"};
    const SolveArguments defaults;
    nlohmann::json result = nlohmann::json::object();
    const auto text = [&](const char* name, const std::string& value) {
        if (!value.empty()) result[name] = value;
    };
    const auto optional = [&](const char* name, const auto& value) {
        if (value) result[name] = *value;
    };
    const auto changed = [&](const char* name, const auto& value, const auto& usual) {
        if (value != usual) result[name] = value;
    };
    text("problem", problem.problem);
    optional("degree", problem.degree);
    text("root", problem.root);
    optional("hops", problem.hops);
    text("format", input.format);
    text("metric", input.metric);
    text("terminals", input.terminals);
    text("method", method);
    text("start", start);
    text("model", model);
    changed("starts", starts, defaults.starts);
    changed("samples", samples, defaults.samples);
    changed("beam", beam, defaults.beam);
    changed("augment", augment, defaults.augment);
    changed("spread", spread, defaults.spread);
    changed("rounds", rounds, defaults.rounds);
    changed("temperature", temperature, defaults.temperature);
    optional("time-limit", time_limit);
    optional("target-gap", target_gap);
    optional("max-iterations", max_iterations);
    optional("no-improvement", no_improvement);
    text("warm-start", warm_start);
    if (initial != defaults.initial) {
        result["initial"] = initial_names.at(static_cast<std::size_t>(initial));
    }
    changed("seed", common.seed, defaults.common.seed);
    return result;
}

}  // namespace neuroprim::cli
