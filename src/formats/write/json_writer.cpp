#include <fmt/format.h>

#include <iterator>
#include <span>

#include "formats/write/json_object.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

namespace {

void add_points(JsonObject& object, std::string_view key, std::span<const Point> points) {
    object.long_list(key, points.size(), [&](std::string& out, std::size_t i) {
        fmt::format_to(std::back_inserter(out), "[{}{}{}]", points[i].x, object.comma(), points[i].y);
    });
}

/// Row u holds the values of (u, 0) … (u, u − 1): row 0 is empty.
template <class Value>
void add_triangle(JsonObject& object, std::string_view key, Vertex n, Value&& value) {
    object.long_list(key, static_cast<std::size_t>(n), [&](std::string& out, std::size_t row) {
        const auto u = static_cast<Vertex>(row);
        out += '[';
        for (Vertex v = 0; v < u; ++v) {
            if (v > 0) out += object.comma();
            append_json_number(out, value(u, v));
        }
        out += ']';
    });
}

void add_graph(JsonObject& object, const Weights& weights) {
    switch (weights.form()) {
        case Weights::Form::points:
            object.text("metric", to_string(weights.metric()));
            add_points(object, "points", weights.points());
            break;
        case Weights::Form::matrix:
            add_triangle(object, "matrix", weights.size(), weights);
            break;
        case Weights::Form::sparse:
            object.integer("n", weights.size());
            const auto edges = weights.edges();
            object.long_list("edges", edges.size(), [&](std::string& out, std::size_t i) {
                fmt::format_to(std::back_inserter(out), "[{0}{3}{1}{3}{2}]", edges[i].u, edges[i].v, edges[i].weight,
                               object.comma());
            });
            break;
    }
}

template <class Values>
void add_unless_empty(JsonObject& object, std::string_view key, const Values& values) {
    if (!values.empty()) object.list(key, values);
}

/// Costs of the trees that a policy built.
std::string json_of(const CostStatistics& statistics) {
    JsonObject object(JsonObject::Layout::line);
    object.integer("trees", statistics.trees);
    object.integer("dead_ends", statistics.dead_ends);
    object.number("mean", statistics.mean);
    object.number("deviation", statistics.deviation);
    return std::move(object).finish();
}

void append_points(std::string& out, std::span<const Point> points) {
    out += '[';
    for (std::size_t i = 0; i < points.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "{}[{},{}]", i > 0 ? "," : "", points[i].x, points[i].y);
    }
    out += ']';
}

/// How edges run that are not straight, and forbidden areas.
std::string json_of(const StreetMap& map) {
    JsonObject object(JsonObject::Layout::line);
    if (!map.has_streets) object.flag("streets", false);
    if (!map.is_on_earth) object.flag("plane", true);
    std::vector<const StreetMap::Line*> bent;
    for (const auto& line : map.lines) {
        if (line.begin < line.end) bent.push_back(&line);
    }
    object.long_list("shapes", bent.size(), [&](std::string& out, std::size_t i) {
        const auto& line = *bent[i];
        fmt::format_to(std::back_inserter(out), "[{},{},", line.u, line.v);
        append_points(out, std::span(map.points).subspan(line.begin, line.end - line.begin));
        out += ']';
    });
    object.long_list("areas", map.areas.size(),
                     [&](std::string& out, std::size_t i) { append_points(out, map.areas[i]); });
    return std::move(object).finish();
}

}  // namespace

void add_instance(JsonObject& object, const Instance& instance) {
    object.text("name", instance.name);
    add_graph(object, instance.weights);
    add_unless_empty(object, "terminals", instance.terminals);
    add_unless_empty(object, "degree_limits", instance.degree_limits);
    add_unless_empty(object, "leaves", instance.leaves);
    add_unless_empty(object, "demands", instance.demands);
    add_unless_empty(object, "masses", instance.masses);
    add_unless_empty(object, "prizes", instance.prizes);
    add_unless_empty(object, "groups", instance.groups);
    if (instance.root && instance.other_roots.empty()) object.integer("root", *instance.root);
    if (!instance.other_roots.empty()) {
        std::vector<Vertex> roots = {*instance.root};
        roots.insert(roots.end(), instance.other_roots.begin(), instance.other_roots.end());
        add_unless_empty(object, "root", roots);
    }
    if (!instance.requirements.empty()) {
        add_triangle(object, "requirements", instance.size(),
                     [&](Vertex u, Vertex v) { return instance.requirements[pair_index(u, v)]; });
    }
    if (!instance.names.empty()) {
        object.long_list("names", instance.names.size(),
                         [&](std::string& out, std::size_t i) { out += json_string(instance.names[i]); });
    }
    if (!instance.layout.empty()) add_points(object, "layout", instance.layout);
    if (instance.map) object.raw("map", json_of(*instance.map));
}

void add_solution(JsonObject& object, const Instance& instance, const Solution& solution) {
    object.text_or_null("instance", solution.instance.empty() ? instance.name : solution.instance);
    object.text_or_null("problem", solution.problem);
    if (!solution.specification.empty()) object.text("specification", solution.specification);
    object.integer("n", instance.size());
    object.text_or_null("method", solution.method);
    object.integer("seed", solution.seed);
    object.number("cost", solution.cost);
    object.number("bound", solution.bound);
    object.number("gap_percent", solution.gap_percent());
    object.flag("proven_optimal", solution.proven());
    object.edges("edges", solution.tree.edges);
    const Vertex start = solution.tree.start;
    object.raw("start", start == no_vertex ? "null" : fmt::format("{}", start));
    if (!solution.other_roots.empty()) {
        std::vector<Vertex> roots = {start};
        roots.insert(roots.end(), solution.other_roots.begin(), solution.other_roots.end());
        add_unless_empty(object, "roots", roots);
    }
    if (solution.crossings) object.integer("crossings", *solution.crossings);
    object.number("seconds", solution.seconds);
    if (!solution.found_by.empty()) {
        object.text("found_by", solution.found_by);
        object.integer("iterations", solution.iterations);
    }
    if (solution.statistics) object.raw("statistics", json_of(*solution.statistics));
}

std::string instance_to_json(const Instance& instance) {
    JsonObject object(JsonObject::Layout::lines);
    add_instance(object, instance);
    return std::move(object).finish();
}

std::string instance_to_json_line(const Instance& instance) {
    JsonObject object(JsonObject::Layout::line);
    add_instance(object, instance);
    return std::move(object).finish();
}

std::string solution_to_json_line(const Instance& instance, const Solution& solution) {
    JsonObject object(JsonObject::Layout::line);
    add_solution(object, instance, solution);
    return std::move(object).finish();
}

}  // namespace neuroprim::formats

namespace neuroprim {

std::string solution_to_json(const Instance& instance, const Solution& solution) {
    formats::JsonObject object(formats::JsonObject::Layout::lines);
    formats::add_solution(object, instance, solution);
    return std::move(object).finish();
}

}  // namespace neuroprim
