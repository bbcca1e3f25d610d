#include <fmt/format.h>

#include <algorithm>

#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

namespace {

std::string objective_of(const TreeSpec& spec) {
    switch (spec.objective) {
        case Objective::length:
            return spec.prizes.empty() ? spec.other_roots.empty() ? "shortest tree" : "shortest forest" : "least length and lost prizes";
        case Objective::routing_cost:
            return "least routing cost";
        case Objective::communication:
            return "least communication cost";
        case Objective::cables:
            return fmt::format("least cost of cables ({} type{})", spec.cables.size(),
                               spec.cables.size() == 1 ? "" : "s");
    }
    return {};
}

std::string coverage_of(const TreeSpec& spec) {
    switch (spec.coverage) {
        case Coverage::all:
            return {};
        case Coverage::terminals:
            return fmt::format(" of {} terminals", spec.terminals.size());
        case Coverage::groups:
            return fmt::format(" of one vertex from each of {} groups", spec.group_count());
        case Coverage::optional:
            return {};
    }
    return {};
}

/// "from 2 roots (OSP1, OSP2)"; a long list is cut short.
std::string roots_of(const TreeSpec& spec, const Instance& instance) {
    constexpr std::size_t most_named = 6;
    const std::vector<Vertex> roots = spec.roots();
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(roots.size(), most_named); ++k) names.push_back(instance.label(roots[k]));
    if (roots.size() > most_named) names.emplace_back("…");
    return fmt::format("from {} roots ({})", roots.size(), fmt::join(names, ", "));
}

std::string degrees_of(const TreeSpec& spec) {
    const auto [least, most] = std::minmax_element(spec.degrees.begin(), spec.degrees.end());
    if (*least == *most) return fmt::format(", degree ≤ {}", *most);
    return fmt::format(", degree ≤ {} to {} by vertex", *least, *most);
}

}  // namespace

bool is_combined(const TreeSpec& spec) {
    int asked = (spec.objective == Objective::length ? 0 : 1) + (spec.coverage == Coverage::all ? 0 : 1);
    for (const Limit limit : {Limit::degree, Limit::hops, Limit::length, Limit::diameter}) {
        if (spec.has(limit)) ++asked;
    }
    if (spec.capacity) ++asked;
    return asked > 1 || !spec.other_roots.empty() || !spec.included_edges.empty() || !spec.excluded_edges.empty();
}

std::string describe(const TreeSpec& spec, const Instance& instance) {
    const bool is_forest = !spec.other_roots.empty();
    const std::string root = is_forest ? "its root" : spec.root ? instance.label(*spec.root) : "";
    const auto plural = [](int count, const char* one) {
        return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
    };
    std::string text = objective_of(spec) + coverage_of(spec);
    if (is_forest) text += ", " + roots_of(spec, instance);
    if (spec.has(Limit::degree)) text += degrees_of(spec);
    if (spec.hops) text += fmt::format(", at most {} from {}", plural(*spec.hops, "hop"), root);
    if (spec.length) text += fmt::format(", no farther than {:g} from {}", *spec.length, root);
    if (spec.capacity) {
        text += fmt::format(", at most {:g} per branch{}", *spec.capacity, is_forest ? "" : " of " + root);
    }
    if (spec.diameter) text += fmt::format(", at most {} between any two", plural(*spec.diameter, "hop"));
    if (spec.root && !is_forest && !spec.hops && !spec.length && !spec.capacity) text += fmt::format(", rooted at {}", root);
    const auto edges = [](std::size_t count) { return fmt::format("{} edge{}", count, count == 1 ? "" : "s"); };
    if (!spec.included_edges.empty()) text += fmt::format(", with {}", edges(spec.included_edges.size()));
    if (!spec.excluded_edges.empty()) text += fmt::format(", without {}", edges(spec.excluded_edges.size()));
    return text;
}

}  // namespace neuroprim
