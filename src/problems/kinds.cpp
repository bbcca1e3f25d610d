#include "problems/kinds.hpp"

#include <algorithm>

namespace neuroprim {

namespace {

bool is(const Problem& problem, Objective objective, Coverage coverage, std::initializer_list<Limit> limits) {
    const TreeSpec& spec = problem.spec();
    return problem.is_plain() && spec.objective == objective && spec.coverage == coverage && spec.has_only(limits);
}

}  // namespace

bool is_spanning_tree(const Problem& problem) {
    return is(problem, Objective::length, Coverage::all, {});
}

bool limits_degrees(const Problem& problem) {
    return is(problem, Objective::length, Coverage::all, {Limit::degree}) && problem.spec().has(Limit::degree);
}

bool asks_for_a_path(const Problem& problem) {
    const auto& limits = problem.spec().degrees;
    return limits_degrees(problem) && std::all_of(limits.begin(), limits.end(), [](int limit) { return limit == 2; });
}

bool limits_hops(const Problem& problem) {
    return is(problem, Objective::length, Coverage::all, {Limit::hops}) && problem.spec().has(Limit::hops);
}

bool limits_diameter(const Problem& problem) {
    return is(problem, Objective::length, Coverage::all, {Limit::diameter}) && problem.spec().has(Limit::diameter);
}

bool limits_hops_and_diameter(const Problem& problem) {
    return is(problem, Objective::length, Coverage::all, {Limit::hops, Limit::diameter}) &&
           problem.spec().has(Limit::hops) && problem.spec().has(Limit::diameter);
}

bool is_routing(const Problem& problem) {
    return is(problem, Objective::routing_cost, Coverage::all, {});
}

bool is_communication(const Problem& problem) {
    return is(problem, Objective::communication, Coverage::all, {});
}

bool is_steiner(const Problem& problem) {
    return is(problem, Objective::length, Coverage::terminals, {});
}

bool collects_prizes(const Problem& problem) {
    return is(problem, Objective::length, Coverage::optional, {});
}

}  // namespace neuroprim
