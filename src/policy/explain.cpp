#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "neuroprim/error.hpp"
#include "neuroprim/explanation.hpp"

namespace neuroprim {

namespace {

ExplainedStep explained(const DecodeStep& step, std::size_t alternatives) {
    ExplainedStep result;
    result.chosen = step.edges[step.chosen];
    result.probability = step.probabilities[step.chosen];
    result.open_edges = step.edges.size();
    for (const double p : step.probabilities) {
        if (p > 0) result.entropy -= p * std::log(p);
    }
    std::vector<std::size_t> order(step.edges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto kept = static_cast<std::ptrdiff_t>(std::min(alternatives, order.size()));
    std::partial_sort(order.begin(), order.begin() + kept, order.end(), [&](std::size_t a, std::size_t b) {
        const float pa = step.probabilities[a];
        const float pb = step.probabilities[b];
        return pa != pb ? pa > pb : a < b;
    });
    order.resize(static_cast<std::size_t>(kept));
    // A sampled edge may be an improbable one; it is listed all the same.
    if (!order.empty() && std::find(order.begin(), order.end(), step.chosen) == order.end())
        order.back() = step.chosen;
    for (const std::size_t k : order) result.alternatives.push_back({step.edges[k], step.probabilities[k]});
    return result;
}

}  // namespace

Explanation explain(const Encoded& encoded, const Problem& problem, const ExplainOptions& options) {
    Explanation result;
    result.problem = problem.name();
    result.start = options.start;
    DecodeOptions decoding;
    decoding.mode = options.mode;
    decoding.temperature = options.temperature;
    decoding.seed = options.seed;
    decoding.interrupted = options.interrupted;
    decoding.observer = [&](const DecodeStep& step) {
        result.steps.push_back(explained(step, options.alternatives));
    };
    const std::array starts = {Start{options.start, 0}};
    Rollout rollout = std::move(decode(encoded, problem, starts, decoding).front());
    if (!rollout.complete && options.interrupted && options.interrupted()) throw Interrupted();
    result.complete = rollout.complete;
    result.log_probability = rollout.log_probability;
    result.tree = std::move(rollout.tree);
    if (result.complete) result.cost = problem.cost(problem.pruned(result.tree));
    return result;
}

}  // namespace neuroprim
