#include "neuroprim/tree_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/disjoint_sets.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/limits.hpp"
#include "problems/required.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

namespace {

void check_vertex(Vertex v, std::string_view what, const Instance& instance) {
    if (v < 0 || v >= instance.size()) {
        throw InputError(fmt::format("{} {} is not among the {} vertices", what, v, instance.size()));
    }
}

template <class Number>
void check_length(const std::vector<Number>& values, std::string_view what, const Instance& instance) {
    if (!values.empty() && values.size() != index(instance.size())) {
        throw InputError(
            fmt::format("{} {} for {} vertices: expected one each", values.size(), what, instance.size()));
    }
}

void check_not_negative(const std::vector<double>& values, std::string_view what, const Instance& instance) {
    check_length(values, fmt::format("{}s", what), instance);
    for (std::size_t v = 0; v < values.size(); ++v) {
        if (std::isfinite(values[v]) && values[v] >= 0) continue;
        throw InputError(fmt::format("{} {} at vertex {}: expected a number of at least 0", what, values[v],
                                     instance.label(static_cast<Vertex>(v))));
    }
}

bool is_root(const TreeSpec& spec, Vertex v) {
    return v == spec.root || std::find(spec.other_roots.begin(), spec.other_roots.end(), v) != spec.other_roots.end();
}

/// What is told about a forest has to be told of its trees one by one.
void check_roots(const TreeSpec& spec, const Instance& instance) {
    if (!spec.root) throw InputError("further roots are given without a first one");
    std::vector<Vertex> roots = spec.roots();
    for (const Vertex root : roots) check_vertex(root, "root", instance);
    if (!std::is_sorted(spec.other_roots.begin(), spec.other_roots.end())) {
        throw InputError("further roots are not in increasing order");
    }
    std::sort(roots.begin(), roots.end());
    if (const auto twice = std::adjacent_find(roots.begin(), roots.end()); twice != roots.end()) {
        throw InputError(fmt::format("root {} is given twice", instance.label(*twice)));
    }
    if (spec.objective == Objective::routing_cost || spec.objective == Objective::communication) {
        throw InputError("sums over pairs need one tree: give one root, not several");
    }
    if (spec.diameter) throw InputError("a diameter is of one tree: give one root, not several");
    for (const Vertex root : roots) {
        if (!spec.degrees.empty() && spec.degrees[index(root)] < instance.size() - 1) {
            throw InputError(fmt::format(
                "degree limit {} at root {}: with several roots only other vertices may have one (a limit "
                "per vertex in the input)",
                spec.degrees[index(root)], instance.label(root)));
        }
        if (spec.coverage == Coverage::groups && spec.group(root) >= 0) {
            throw InputError(
                fmt::format("root {} is in a group: with several roots they are in none", instance.label(root)));
        }
    }
}

void check_root(const TreeSpec& spec, const Instance& instance) {
    if (!spec.other_roots.empty()) check_roots(spec, instance);
    if (spec.root) return check_vertex(*spec.root, "root", instance);
    const auto needs = [](std::string_view what, std::string_view option) {
        throw InputError(fmt::format("{} counted from a root: give one (--root V) with --{}", what, option));
    };
    for (const NumberLimit& line : number_limits()) {
        if (!line.counted.empty() && line.of(spec)) needs(line.counted, line.name);
    }
    if (spec.objective == Objective::cables) needs("loads of cables are", "cables");
}

void check_degrees(const TreeSpec& spec, const Instance& instance) {
    check_length(spec.degrees, "degree limits", instance);
    for (std::size_t v = 0; v < spec.degrees.size(); ++v) {
        if (spec.degrees[v] >= 1) continue;
        throw InputError(fmt::format("degree limit {} at vertex {}: expected at least 1", spec.degrees[v],
                                     instance.label(static_cast<Vertex>(v))));
    }
}

void check_ranges(const TreeSpec& spec) {
    for (const NumberLimit& line : number_limits()) {
        const std::optional<double> number = line.of(spec);
        if (!number || (std::isfinite(*number) && (line.above ? *number > line.least : *number >= line.least))) {
            continue;
        }
        throw InputError(fmt::format("{} {}: expected {}", line.noun, *number, line.expected()));
    }
}

void check_crossings(const TreeSpec& spec, const Instance& instance) {
    if (spec.no_crossings && instance.positions().empty()) {
        throw InputError("which edges cross is told by positions, and this input has none: leave out --no-crossings");
    }
    if (spec.no_crossings && instance.map && !spec.other_roots.empty()) {
        throw InputError(
            "--no-crossings with several roots is for straight edges, and these bend: leave out one of them");
    }
}

void check_cables(const TreeSpec& spec) {
    if (spec.objective != Objective::cables) {
        if (!spec.cables.empty()) throw InputError("cables are given, but the tree is not priced by them");
        return;
    }
    if (spec.cables.empty()) throw InputError("prices by load need a table of cables: --cables FILE");
    for (std::size_t k = 0; k < spec.cables.size(); ++k) {
        const auto& [capacity, price] = spec.cables[k];
        if (!(capacity > 0) || !std::isfinite(price) || price < 0) {
            throw InputError(fmt::format("cable {}: capacity {}, price {}: expected a positive capacity and a price",
                                         k + 1, capacity, price));
        }
        if (k > 0 && !(capacity > spec.cables[k - 1].capacity && price >= spec.cables[k - 1].price)) {
            throw InputError(
                fmt::format("cable {}: expected more capacity than cable {}, and no lower price", k + 1, k));
        }
    }
}

/// The demand of any vertex that must be in has to fit into a branch of its own.
void check_demands(const TreeSpec& spec, const Instance& instance) {
    check_not_negative(spec.demands, "demand", instance);
    const double most = spec.branch_capacity();
    if (std::isinf(most)) return;
    const std::vector<bool> required = required_by(spec, instance.size());
    for (Vertex v = 0; v < instance.size(); ++v) {
        if (!required[index(v)] || spec.demand(v) <= most || is_root(spec, v)) continue;
        const bool by_cable = !spec.capacity || *spec.capacity > most;
        throw InputError(fmt::format("{} {}, but vertex {} has demand {}",
                                     by_cable ? "the largest cable carries" : "capacity", most, instance.label(v),
                                     spec.demand(v)));
    }
}

/// A tree holds one vertex of each group, so no group may have two that must be in.
void check_groups(const TreeSpec& spec, const Instance& instance) {
    if (spec.coverage != Coverage::groups) return;
    const std::vector<bool> required = required_by(spec, instance.size());
    std::vector<Vertex> first(static_cast<std::size_t>(spec.group_count()), no_vertex);
    for (Vertex v = 0; v < instance.size(); ++v) {
        if (!required[index(v)] || spec.group(v) < 0) continue;
        Vertex& other = first[static_cast<std::size_t>(spec.group(v))];
        if (other != no_vertex) {
            throw InputError(fmt::format("vertices {} and {} must be in the tree, but they are in one group",
                                         instance.label(other), instance.label(v)));
        }
        other = v;
    }
}

void check_coverage(const TreeSpec& spec, const Instance& instance) {
    for (const Vertex v : spec.terminals) check_vertex(v, "terminal", instance);
    if (spec.coverage == Coverage::terminals && spec.terminals.empty()) {
        throw InputError("a Steiner tree needs terminals: --terminals LIST, or marked in the input");
    }
    check_length(spec.groups, "groups", instance);
    if (spec.coverage == Coverage::groups && spec.group_count() == 0) {
        throw InputError("one vertex of each group: no vertex has a group (--groups, or marked in the input)");
    }
    check_groups(spec, instance);
    check_not_negative(spec.prizes, "prize", instance);
    if (!spec.prizes.empty() && spec.coverage != Coverage::optional) {
        throw InputError("prizes are for vertices that may be left out, but the coverage asks for all of them");
    }
    check_not_negative(spec.masses, "mass", instance);
    if (!spec.masses.empty() && spec.objective != Objective::routing_cost) {
        throw InputError("masses are given, but the tree is not priced by routing cost");
    }
    if (spec.coverage != Coverage::all && spec.objective != Objective::length &&
        spec.objective != Objective::cables) {
        throw InputError("sums over pairs need every vertex in the tree: no terminals, groups or prizes with them");
    }
    if (spec.objective == Objective::communication && instance.requirements.empty() && instance.size() > 1) {
        throw InputError("the traffic between every pair is missing: an input with requirements (OCST file or JSON)");
    }
}

void check_edges(const TreeSpec& spec, const Instance& instance) {
    const auto name = [&](const Edge& edge) {
        return fmt::format("{}-{}", instance.label(edge.u), instance.label(edge.v));
    };
    const auto same = [](const Edge& a, const Edge& b) {
        return (a.u == b.u && a.v == b.v) || (a.u == b.v && a.v == b.u);
    };
    DisjointSets parts(instance.size());
    for (const Vertex root : spec.other_roots) parts.join(*spec.root, root);
    std::vector<int> degree(index(instance.size()), 0);
    for (const auto& edge : spec.excluded_edges) {
        check_vertex(edge.u, "excluded edge: vertex", instance);
        check_vertex(edge.v, "excluded edge: vertex", instance);
        if (edge.u == edge.v)
            throw InputError(fmt::format("excluded edge {}: the graph has no such edge", name(edge)));
    }
    for (const auto& edge : spec.included_edges) {
        check_vertex(edge.u, "included edge: vertex", instance);
        check_vertex(edge.v, "included edge: vertex", instance);
        if (edge.u == edge.v || !instance.weights.has_edge(edge.u, edge.v)) {
            throw InputError(fmt::format("included edge {}: the graph has no such edge", name(edge)));
        }
        for (const auto& excluded : spec.excluded_edges) {
            if (same(edge, excluded)) throw InputError(fmt::format("edge {} is included and excluded", name(edge)));
        }
        if (parts.find(edge.u) == parts.find(edge.v)) {
            throw InputError(fmt::format("the included edges close a cycle{} with {}",
                                         spec.other_roots.empty() ? "" : " or join two roots", name(edge)));
        }
        parts.join(edge.u, edge.v);
        for (const Vertex v : {edge.u, edge.v}) {
            if (spec.degrees.empty() || ++degree[index(v)] <= spec.degrees[index(v)]) continue;
            throw InputError(fmt::format("degree limit {} at vertex {}, but {} included edges",
                                         spec.degrees[index(v)], instance.label(v), degree[index(v)]));
        }
    }
}

}  // namespace

bool TreeSpec::has(Limit limit) const {
    if (limit == Limit::degree) return !degrees.empty();
    if (limit == Limit::edges) return !included_edges.empty();
    if (limit == Limit::crossings) return no_crossings;
    const bool is_priced_by_load = limit == Limit::capacity && objective == Objective::cables;
    return is_priced_by_load || number_limit(limit).of(*this).has_value();
}

bool TreeSpec::has_only(std::initializer_list<Limit> limits) const {
    const auto may = [&](Limit limit) { return std::find(limits.begin(), limits.end(), limit) != limits.end(); };
    const auto lines = number_limits();
    const auto keeps = [&](Limit limit) { return may(limit) || !has(limit); };
    return keeps(Limit::edges) && keeps(Limit::crossings) &&
           std::all_of(lines.begin(), lines.end(), [&](const auto& line) { return keeps(line.limit); });
}

bool TreeSpec::counts_from_root() const {
    const auto lines = number_limits();
    const auto counts = [&](const NumberLimit& line) { return !line.counted.empty() && has(line.limit); };
    return std::any_of(lines.begin(), lines.end(), counts);
}

std::vector<Vertex> TreeSpec::roots() const {
    std::vector<Vertex> result = other_roots;
    if (root) result.insert(result.begin(), *root);
    return result;
}

int TreeSpec::group_count() const {
    return groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
}

double TreeSpec::branch_capacity() const {
    double result = capacity.value_or(std::numeric_limits<double>::infinity());
    if (objective == Objective::cables && !cables.empty()) result = std::min(result, cables.back().capacity);
    return result;
}

double TreeSpec::cable_price(double load) const {
    const auto fits = [&](const Cable& cable) { return load <= cable.capacity * (1 + sum_tolerance); };
    const auto cheapest = std::find_if(cables.begin(), cables.end(), fits);
    return cheapest == cables.end() ? std::numeric_limits<double>::infinity() : cheapest->price;
}

void check(const TreeSpec& spec, const Instance& instance) {
    check_degrees(spec, instance);
    check_root(spec, instance);
    check_ranges(spec);
    check_crossings(spec, instance);
    check_cables(spec);
    check_coverage(spec, instance);
    check_demands(spec, instance);
    check_edges(spec, instance);
}

}  // namespace neuroprim
