#include "train/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "neuroprim/error.hpp"

namespace neuroprim::train {

namespace {

/// A small instance with what the preset asks of its input, so that it can say what it means.
Instance sample_for(const std::string& preset) {
    Instance instance;
    instance.weights = Weights::from_points({{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    if (preset == "stp") instance.terminals = {0, 1};
    if (preset == "pcst") instance.prizes = {1, 1, 1, 1};
    if (preset == "gmst") instance.groups = {0, 0, 1, 1};
    return instance;
}

/// How many vertices a tree of these limits can hold, up to `enough`.
double most_vertices(int degree, int hops, double enough) {
    double total = 1;
    double level = degree;
    for (int h = 0; h < hops && total < enough; ++h, level *= degree - 1) total += level;
    return total;
}

}  // namespace

bool supports(const TreeSpec& spec) {
    const auto differs = [&](int limit) { return limit != spec.degrees.front() || limit < 2; };
    return (spec.objective == Objective::length || spec.objective == Objective::routing_cost) &&
           spec.included_edges.empty() && spec.excluded_edges.empty() && spec.masses.empty() &&
           spec.has_only({Limit::degree, Limit::hops, Limit::length, Limit::capacity, Limit::diameter}) &&
           std::none_of(spec.degrees.begin(), spec.degrees.end(), differs);
}

Rules rules_of(const TreeSpec& spec) {
    Rules rules;
    if (!spec.degrees.empty()) rules.degree_limit = spec.degrees.front();
    rules.hop_limit = spec.hops.value_or(0);
    rules.diameter_limit = spec.diameter.value_or(0);
    rules.capacity = spec.capacity.value_or(0);
    rules.length_percent = spec.length.value_or(0);
    if (spec.objective == Objective::routing_cost) rules.cost = Rules::Cost::routing_cost;
    rules.coverage = spec.coverage;
    rules.one_start = spec.root.has_value();
    return rules;
}

Rules make_rules(const std::string& preset, const ProblemOptions& options) {
    const Instance sample = sample_for(preset);
    ProblemOptions rooted = options;
    if (options.hops || options.length || options.capacity || preset == "hmst") rooted.root = 0;
    const TreeSpec spec = specify(preset, sample, rooted);
    if (options.degree && *options.degree < 2) {
        throw InputError(fmt::format("degree limit {}: training needs at least 2", *options.degree));
    }
    if (!supports(spec)) {
        throw InputError(fmt::format("cannot train for \"{}\": only trees priced by length or routing cost", preset));
    }
    return rules_of(spec);
}

Rules from_a_leaf(Rules rules) {
    rules.leaf_start = true;
    rules.one_start = true;
    return rules;
}

Rules feasible(Rules rules, std::int64_t n, double mean_demand, double spare) {
    const double wanted = (1 + usual_spare) * static_cast<double>(n);
    if (rules.degree_limit > 0 && rules.hop_limit > 0) {
        while (most_vertices(rules.degree_limit, rules.hop_limit, wanted) < wanted) {
            ++(rules.degree_limit < 3 ? rules.degree_limit : rules.hop_limit);
        }
    }
    if (rules.degree_limit > 0 && rules.diameter_limit > 0) {
        while (most_vertices(rules.degree_limit, rules.diameter_limit / 2, wanted) < wanted) {
            ++(rules.degree_limit < 3 ? rules.degree_limit : rules.diameter_limit);
        }
    }
    if (rules.degree_limit > 0 && rules.capacity > 0) {
        const double demand = mean_demand * static_cast<double>(n - 1);
        rules.capacity = std::max(rules.capacity, std::ceil((1 + spare) * demand / rules.degree_limit));
    }
    return rules;
}

}  // namespace neuroprim::train
