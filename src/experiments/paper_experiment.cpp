#include "experiments/paper_experiment.hpp"

#include <fmt/format.h>

#include <chrono>

#include "graph/stop_token.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::experiments {

namespace {

/// Collects the measurements of one instance.
class CaseMeasurer {
public:
    CaseMeasurer(const LiteratureTable& table, const LiteratureCase& item, const Problem& problem,
                 const PaperOptions& options)
        : table_(table), item_(item), problem_(problem), options_(options) {}

    void quote(const char* name, const PublishedResult& result) {
        add(name, result.cost, result.seconds).gap_percent = result.gap_percent;
    }

    void construct(std::string_view classical) {
        const auto began = std::chrono::steady_clock::now();
        const Tree tree = problem_.pruned(method_named(classical).construct(problem_, {no_vertex, options_.threads}));
        price(method::baseline, tree, began);
    }

    void decode(const char* name, const Policy& policy, NeuralOptions neural) {
        neural.seed = options_.seed;
        neural.threads = options_.threads;
        neural.interrupted = options_.interrupted;
        neural.max_memory = options_.max_memory;
        const auto began = std::chrono::steady_clock::now();
        const NeuralAnswer answer = solve_neurally(policy, problem_, neural);
        Measurement& measurement = price(name, answer.tree, began);
        if (neural.mode == DecodeMode::sample) measurement.statistics = answer.statistics;
    }

    void search(double seconds) {
        SolveOptions solving;
        solving.time_limit = seconds;
        solving.seed = options_.seed;
        solving.threads = options_.threads;
        solving.interrupted = options_.interrupted;
        solving.max_memory = options_.max_memory;
        const auto began = std::chrono::steady_clock::now();
        price(method::search, solve(problem_, solving).tree, began);
    }

    [[nodiscard]] std::vector<Measurement> measurements() && { return std::move(measurements_); }

private:
    using Moment = std::chrono::steady_clock::time_point;

    Measurement& price(const char* name, const Tree& tree, Moment began) {
        const double seconds = seconds_since(began);
        if (options_.interrupted && options_.interrupted()) throw Infeasible("interrupted");
        if (const auto reason = problem_.violation(tree)) {
            throw Infeasible(fmt::format("{}: {} found no feasible tree: {}", item_.instance, name, *reason));
        }
        return add(name, problem_.cost(tree), seconds);
    }

    Measurement& add(const char* name, double cost, double seconds) {
        return measurements_.emplace_back(Measurement{std::string(table_.name), item_.instance, problem_.size(),
                                                      item_.best_known, name, cost,
                                                      percent_above(cost, item_.best_known), seconds});
    }

    const LiteratureTable& table_;
    const LiteratureCase& item_;
    const Problem& problem_;
    const PaperOptions& options_;
    std::vector<Measurement> measurements_;
};

}  // namespace

std::vector<std::string> paper_methods(const PaperOptions& options, bool with_published) {
    std::vector<std::string> result = {method::baseline};
    if (with_published) result.insert(result.end(), {method::paper_greedy, method::paper_sample});
    result.emplace_back(method::greedy);
    if (options.sample_max_n > 0) result.emplace_back(method::sample);
    result.emplace_back(method::greedy_x8);
    if (options.sample_max_n > 0) result.insert(result.end(), {method::sample_x8, method::sample_rounds});
    result.insert(result.end(), {method::greedy_spread, method::greedy_x8_spread});
    if (options.search_seconds) result.emplace_back(method::search);
    return result;
}

std::vector<Measurement> measure_case(const LiteratureTable& table, const LiteratureCase& item,
                                      const Instance& instance, const std::optional<Published>& published,
                                      const Policy& policy, const PaperOptions& options) {
    const auto problem = make_problem(table.name, instance, table.options);
    CaseMeasurer measurer(table, item, *problem, options);
    measurer.construct(table.baseline);
    if (published) {
        measurer.quote(method::paper_greedy, published->greedy);
        measurer.quote(method::paper_sample, published->sample);
    }
    measurer.decode(method::greedy, policy, {});
    if (instance.size() <= options.sample_max_n) {
        measurer.decode(method::sample, policy, {.mode = DecodeMode::sample});
    }
    measurer.decode(method::greedy_x8, policy, {.augmentations = 8});
    if (instance.size() <= options.sample_max_n) {
        measurer.decode(method::sample_x8, policy,
                        {.mode = DecodeMode::sample, .augmentations = 8, .augmentations_per_start = 1});
        measurer.decode(method::sample_rounds, policy,
                        {.mode = DecodeMode::sample,
                         .augmentations = most_augmentations,
                         .augmentations_per_start = 1,
                         .rounds = 3});
    }
    measurer.decode(method::greedy_spread, policy, {.augmentations = 8, .augmentations_per_start = 1});
    measurer.decode(method::greedy_x8_spread, policy,
                    {.augmentations = most_augmentations, .augmentations_per_start = 8});
    if (options.search_seconds) measurer.search(*options.search_seconds);
    return std::move(measurer).measurements();
}

}  // namespace neuroprim::experiments
