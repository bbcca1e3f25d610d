#include "experiments/generalization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "experiments/measurement.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/random.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::experiments {

namespace {

constexpr std::array sizes = {50, 100, 200, 500, 1000, 2000};

const std::array studies = {
    GeneralizationStudy{"dcmst", "dcmst, d = 2", "search", {.degree = 2}},
    GeneralizationStudy{"mrcst", "mrcst", "campos-strict", {}},  // the reading that gives the paper's own table
    GeneralizationStudy{"stp", "stp, n/2 terminals", "search", {}},
};

/// A line of Table 4 of the paper, in the order of the sizes.
struct PublishedLine {
    std::string_view problem;
    std::array<double, 5> gaps;
};

constexpr std::array published_lines = {
    PublishedLine{"dcmst", {1.67, 3.89, 7.80, 11.74, 13.44}},
    PublishedLine{"mrcst", {-4.86, -4.08, -3.20, -1.90, -1.27}},
    PublishedLine{"stp", {0.82, 0.91, 1.08, 1.39, 1.44}},
};

/// Neighbouring numbers and sizes must not share points.
std::uint64_t instance_seed(std::uint64_t seed, Vertex n, std::size_t number) {
    return Random(seed, static_cast<std::uint64_t>(n) * 1'000'003 + number).next();
}

struct Reference {
    double cost = 0;
    bool proven = false;
};

Reference reference_for(const GeneralizationStudy& study, const Problem& problem,
                        const GeneralizationOptions& options) {
    if (study.reference != "search") {
        const Tree tree =
            problem.pruned(method_named(study.reference).construct(problem, {no_vertex, options.threads}));
        return {problem.cost(tree), false};
    }
    SolveOptions solving;
    solving.initial = Initial::classical;
    solving.time_limit = options.reference_seconds;
    solving.seed = options.seed;
    solving.threads = options.threads;
    solving.interrupted = options.interrupted;
    const Solution solution = solve(problem, solving);
    return {solution.cost, solution.proven()};
}

}  // namespace

std::span<const GeneralizationStudy> generalization_studies() {
    return studies;
}

std::vector<Vertex> generalization_sizes(Vertex min_n, Vertex max_n) {
    std::vector<Vertex> result;
    for (const Vertex n : sizes) {
        if (n >= min_n && n <= max_n) result.push_back(n);
    }
    return result;
}

std::size_t generalization_count(Vertex n) {
    return static_cast<std::size_t>(10000 / n);
}

std::optional<double> published_generalization(std::string_view problem, Vertex n) {
    const auto column = static_cast<std::size_t>(std::find(sizes.begin(), sizes.end(), n) - sizes.begin());
    for (const auto& line : published_lines) {
        if (line.problem == problem && column < line.gaps.size()) return line.gaps[column];
    }
    return std::nullopt;
}

GeneralizationCase measure_generalization(const GeneralizationStudy& study, Vertex n, std::size_t number,
                                          const std::string& model, const GeneralizationOptions& options) {
    const Instance instance = generate(
        {.n = n, .terminals = study.name == "stp" ? n / 2 : 0, .seed = instance_seed(options.seed, n, number)});
    const auto problem = make_problem(study.name, instance, study.options);
    const Policy policy = load_policy(*problem, model);
    const auto decode = [&](int sides) {
        NeuralOptions neural;
        neural.starts = options.starts;
        neural.augmentations = sides;
        neural.augmentations_per_start = 1;
        neural.threads = options.threads;
        neural.interrupted = options.interrupted;
        neural.max_memory = options.max_memory;
        NeuralAnswer answer = solve_neurally(policy, *problem, neural);
        if (const auto reason = problem->violation(answer.tree)) {
            throw Infeasible(fmt::format("{}: greedy found no feasible tree: {}", instance.name, *reason));
        }
        return answer.cost;
    };
    const auto began = std::chrono::steady_clock::now();
    const double cost = decode(1);
    const double seconds = seconds_since(began);
    const double spread_cost = decode(8);
    const Reference reference = reference_for(study, *problem, options);
    if (options.interrupted && options.interrupted()) throw Infeasible("interrupted");
    return {std::string(study.name),
            n,
            number,
            reference.cost,
            reference.proven,
            cost,
            percent_above(cost, reference.cost),
            seconds,
            spread_cost,
            percent_above(spread_cost, reference.cost)};
}

std::string generalization_row(const GeneralizationCase& c) {
    return fmt::format("{},{},{},{:.10g},{},{:.10g},{:.4f},{:.6g},{:.10g},{:.4f}", c.problem, c.n, c.instance,
                       c.reference, c.proven ? "yes" : "no", c.cost, c.gap_percent, c.seconds, c.spread_cost,
                       c.spread_gap_percent);
}

GeneralizationSummary summary_of(std::span<const GeneralizationCase> cases) {
    GeneralizationSummary result;
    result.instances = cases.size();
    const auto count = static_cast<double>(cases.size());
    for (const auto& item : cases) {
        result.proven += item.proven ? 1 : 0;
        result.gap_percent += item.gap_percent / count;
        result.seconds += item.seconds / count;
        result.spread_gap_percent += item.spread_gap_percent / count;
    }
    double squares = 0;
    for (const auto& item : cases) squares += std::pow(item.gap_percent - result.gap_percent, 2);
    result.deviation = cases.empty() ? 0 : std::sqrt(squares / count);
    return result;
}

}  // namespace neuroprim::experiments
