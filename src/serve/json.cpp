#include "serve/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "formats/write/writers.hpp"
#include "neuroprim/optimality.hpp"

namespace neuroprim::serve {

namespace {

using formats::json_string;

/// What is not a number is null.
std::string number(std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format("{}", *value) : "null";
}

template <class Items, class Write>
std::string list_of(const Items& items, Write&& write) {
    std::string out = "[";
    bool first = true;
    for (const auto& item : items) {
        if (!first) out += ',';
        first = false;
        write(out, item);
    }
    return out + "]";
}

std::string list_of(std::span<const Point> points) {
    return list_of(points, [](std::string& out, const Point& point) {
        fmt::format_to(std::back_inserter(out), "[{},{}]", point.x, point.y);
    });
}

std::string list_of(std::span<const Edge> edges) {
    return list_of(edges, [](std::string& out, const Edge& edge) {
        fmt::format_to(std::back_inserter(out), "[{},{}]", edge.u, edge.v);
    });
}

/// A full matrix with zeros on its diagonal.
template <class Value>
std::string matrix_of(Vertex n, Value&& value) {
    std::string out = "[";
    for (Vertex u = 0; u < n; ++u) {
        out += u == 0 ? "[" : ",[";
        for (Vertex v = 0; v < n; ++v) {
            if (v > 0) out += ',';
            out += u == v ? "0" : number(value(u, v));
        }
        out += ']';
    }
    return out + "]";
}

std::string graph_of(const Instance& instance) {
    const Weights& weights = instance.weights;
    switch (weights.form()) {
        case Weights::Form::points:
            return fmt::format(R"("points": {}, "metric": {})", list_of(weights.points()),
                               json_string(to_string(weights.metric())));
        case Weights::Form::matrix:
            return fmt::format(R"("weights": {})", matrix_of(weights.size(), weights));
        case Weights::Form::sparse:
            break;
    }
    const std::string edges = list_of(weights.edges(), [](std::string& out, const WeightedEdge& edge) {
        fmt::format_to(std::back_inserter(out), "[{},{},{}]", edge.u, edge.v, edge.weight);
    });
    return fmt::format(R"("vertices": {}, "edges": {})", weights.size(), edges);
}

}  // namespace

std::string to_json(const Instance& instance) {
    std::string out = fmt::format(R"({{"name": {}, {})", json_string(instance.name), graph_of(instance));
    if (!instance.layout.empty()) out += R"(, "points": )" + list_of(instance.layout);
    if (!instance.terminals.empty()) out += fmt::format(R"(, "terminals": [{}])", fmt::join(instance.terminals, ","));
    if (!instance.degree_limits.empty()) {
        out += fmt::format(R"(, "degree_limits": [{}])", fmt::join(instance.degree_limits, ","));
    }
    if (!instance.requirements.empty()) {
        out += R"(, "requirements": )" + matrix_of(instance.size(), [&](Vertex u, Vertex v) {
                   return instance.requirements[pair_index(u, v)];
               });
    }
    if (!instance.names.empty()) {
        out += R"(, "names": )" + list_of(instance.names, [](std::string& names, const std::string& name) {
                   names += json_string(name);
               });
    }
    return out + "}";
}

std::string to_json(const Solution& solution) {
    return fmt::format(
        R"({{"problem": {}, "cost": {}, "bound": {}, "gap_percent": {}, "proven_optimal": {}, "seconds": {}, )"
        R"("method": {}, "found_by": {}, "edges": {}}})",
        json_string(solution.problem), number(solution.cost), number(solution.bound), number(solution.gap_percent()),
        solution.proven(), number(solution.seconds), json_string(solution.method),
        json_string(solution.found_by.empty() ? solution.method : solution.found_by), list_of(solution.tree.edges));
}

std::string to_json(const Progress& progress) {
    std::string out =
        fmt::format(R"({{"cost": {}, "bound": {}, "gap_percent": {}, "seconds": {}, "found_by": {})",
                    number(progress.cost), number(progress.bound), number(gap_percent(progress.cost, progress.bound)),
                    number(progress.seconds), json_string(progress.found_by));
    if (progress.edges) out += R"(, "edges": )" + list_of(*progress.edges);
    return out + "}";
}

}  // namespace neuroprim::serve
