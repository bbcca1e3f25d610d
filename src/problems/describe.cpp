#include <fmt/format.h>

#include <algorithm>

#include "neuroprim/limits.hpp"

namespace neuroprim {

namespace {

std::string objective_of(const TreeSpec& spec) {
    switch (spec.objective) {
        case Objective::length:
            return spec.prizes.empty() ? spec.other_roots.empty() ? "shortest tree" : "shortest forest"
                                       : "least length and lost prizes";
        case Objective::routing_cost:
            return spec.masses.empty() ? "least routing cost" : "least routing cost between masses";
        case Objective::communication:
            return "least communication cost";
        case Objective::cables:
            return fmt::format("least cost of cables ({} type{})", spec.cables.size(),
                               spec.cables.size() == 1 ? "" : "s");
    }
    return {};
}

/// The preset of an objective, and of a coverage; empty: the usual one.
std::string_view preset_of(Objective objective) {
    switch (objective) {
        case Objective::length:
            return {};
        case Objective::routing_cost:
            return "mrcst";
        case Objective::communication:
            return "ocst";
        case Objective::cables:
            return "cables";
    }
    return {};
}

std::string_view preset_of(Coverage coverage) {
    switch (coverage) {
        case Coverage::all:
            return {};
        case Coverage::terminals:
            return "stp";
        case Coverage::groups:
            return "gmst";
        case Coverage::optional:
            return "pcst";
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

bool is_told_by(std::string_view preset, const TreeSpec& spec) {
    std::vector<std::string_view> asked;
    if (!preset_of(spec.objective).empty()) asked.push_back(preset_of(spec.objective));
    if (!preset_of(spec.coverage).empty()) asked.push_back(preset_of(spec.coverage));
    for (const NumberLimit& line : number_limits()) {
        if (line.limit == Limit::degree ? spec.has(Limit::degree) : line.of(spec).has_value()) {
            asked.push_back(line.preset);
        }
    }
    if (asked.empty()) asked.emplace_back("mst");
    const bool is_plain = !spec.no_crossings && spec.other_roots.empty() && spec.included_edges.empty() &&
                          spec.excluded_edges.empty() && spec.masses.empty();
    return is_plain && asked.size() == 1 && asked.front() == preset;
}

std::string describe(const TreeSpec& spec, const Instance& instance) {
    const bool is_forest = !spec.other_roots.empty();
    const std::string root = is_forest ? "its root" : spec.root ? instance.label(*spec.root) : "";
    std::string text = objective_of(spec) + coverage_of(spec);
    if (is_forest) text += ", " + roots_of(spec, instance);
    if (spec.has(Limit::degree)) text += degrees_of(spec);
    bool names_root = is_forest;
    for (const NumberLimit& line : number_limits()) {
        const std::optional<double> number = line.of(spec);
        if (!number) continue;
        text += ", " + line.phrase(*number, root);
        names_root = names_root || !line.counted.empty();
    }
    if (spec.no_crossings) text += ", no crossings";
    if (spec.root && !names_root) text += fmt::format(", rooted at {}", root);
    const auto edges = [](std::size_t count) { return fmt::format("{} edge{}", count, count == 1 ? "" : "s"); };
    if (!spec.included_edges.empty()) text += fmt::format(", with {}", edges(spec.included_edges.size()));
    if (!spec.excluded_edges.empty()) text += fmt::format(", without {}", edges(spec.excluded_edges.size()));
    return text;
}

}  // namespace neuroprim
