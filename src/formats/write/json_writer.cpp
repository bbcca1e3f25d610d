#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "formats/write/writers.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

namespace {

/// JSON has no infinity: what is not a number is written as null.
void append_number(std::string& out, double value) {
    if (std::isfinite(value)) {
        fmt::format_to(std::back_inserter(out), "{}", value);
    } else {
        out += "null";
    }
}

std::string number_or_null(std::optional<double> value) {
    std::string out;
    append_number(out, value.value_or(Weights::infinity));
    return out;
}

std::string string_or_null(std::string_view text) {
    return text.empty() ? "null" : json_string(text);
}

/// `,\n  "key": `: every key after the first starts a line of its own.
void append_key(std::string& out, std::string_view key) {
    fmt::format_to(std::back_inserter(out), ",\n  \"{}\": ", key);
}

/// An array with one element a line, so that large files can be looked at and compared.
template <class AppendElement>
void append_lines(std::string& out, std::size_t count, AppendElement&& append_element) {
    out += '[';
    for (std::size_t i = 0; i < count; ++i) {
        out += i == 0 ? "\n    " : ",\n    ";
        append_element(i);
    }
    out += count == 0 ? "]" : "\n  ]";
}

void append_points(std::string& out, std::span<const Point> points) {
    append_lines(out, points.size(), [&](std::size_t i) {
        fmt::format_to(std::back_inserter(out), "[{}, {}]", points[i].x, points[i].y);
    });
}

/// Row u holds the values of (u, 0) … (u, u − 1): row 0 is empty.
template <class Value>
void append_triangle(std::string& out, Vertex n, Value&& value) {
    append_lines(out, static_cast<std::size_t>(n), [&](std::size_t row) {
        const auto u = static_cast<Vertex>(row);
        out += '[';
        for (Vertex v = 0; v < u; ++v) {
            if (v > 0) out += ", ";
            append_number(out, value(u, v));
        }
        out += ']';
    });
}

template <class T>
void append_integers(std::string& out, const std::vector<T>& values) {
    fmt::format_to(std::back_inserter(out), "[{}]", fmt::join(values, ", "));
}

void append_numbers(std::string& out, const std::vector<double>& values) {
    fmt::format_to(std::back_inserter(out), "[{}]", fmt::join(values, ", "));
}

void append_graph(std::string& out, const Weights& weights) {
    switch (weights.form()) {
        case Weights::Form::points:
            append_key(out, "metric");
            out += json_string(to_string(weights.metric()));
            append_key(out, "points");
            append_points(out, weights.points());
            break;
        case Weights::Form::matrix:
            append_key(out, "matrix");
            append_triangle(out, weights.size(), weights);
            break;
        case Weights::Form::sparse:
            append_key(out, "n");
            fmt::format_to(std::back_inserter(out), "{}", weights.size());
            append_key(out, "edges");
            const auto edges = weights.edges();
            append_lines(out, edges.size(), [&](std::size_t i) {
                fmt::format_to(std::back_inserter(out), "[{}, {}, {}]", edges[i].u, edges[i].v, edges[i].weight);
            });
            break;
    }
}

}  // namespace

std::string json_string(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string instance_to_json(const Instance& instance) {
    std::string out = "{\n  \"name\": " + json_string(instance.name);
    append_graph(out, instance.weights);
    if (!instance.terminals.empty()) {
        append_key(out, "terminals");
        append_integers(out, instance.terminals);
    }
    if (!instance.degree_limits.empty()) {
        append_key(out, "degree_limits");
        append_integers(out, instance.degree_limits);
    }
    if (!instance.leaves.empty()) {
        append_key(out, "leaves");
        append_integers(out, instance.leaves);
    }
    if (!instance.demands.empty()) {
        append_key(out, "demands");
        append_numbers(out, instance.demands);
    }
    if (!instance.prizes.empty()) {
        append_key(out, "prizes");
        append_numbers(out, instance.prizes);
    }
    if (!instance.groups.empty()) {
        append_key(out, "groups");
        append_integers(out, instance.groups);
    }
    if (instance.root) {
        append_key(out, "root");
        fmt::format_to(std::back_inserter(out), "{}", *instance.root);
    }
    if (!instance.requirements.empty()) {
        append_key(out, "requirements");
        append_triangle(out, instance.size(),
                        [&](Vertex u, Vertex v) { return instance.requirements[pair_index(u, v)]; });
    }
    if (!instance.names.empty()) {
        append_key(out, "names");
        append_lines(out, instance.names.size(), [&](std::size_t i) { out += json_string(instance.names[i]); });
    }
    if (!instance.layout.empty()) {
        append_key(out, "layout");
        append_points(out, instance.layout);
    }
    out += "\n}\n";
    return out;
}

}  // namespace neuroprim::formats

namespace neuroprim {
using namespace formats;

std::string solution_to_json(const Instance& instance, const Solution& solution) {
    std::string out = "{\n  \"instance\": ";
    out += string_or_null(solution.instance.empty() ? instance.name : solution.instance);
    append_key(out, "problem");
    out += string_or_null(solution.problem);
    if (!solution.specification.empty()) {
        append_key(out, "specification");
        out += json_string(solution.specification);
    }
    append_key(out, "n");
    fmt::format_to(std::back_inserter(out), "{}", instance.size());
    append_key(out, "method");
    out += string_or_null(solution.method);
    append_key(out, "seed");
    fmt::format_to(std::back_inserter(out), "{}", solution.seed);
    append_key(out, "cost");
    append_number(out, solution.cost);
    append_key(out, "bound");
    out += number_or_null(solution.bound);
    append_key(out, "gap_percent");
    out += number_or_null(solution.gap_percent());
    append_key(out, "edges");
    out += '[';
    for (std::size_t i = 0; i < solution.tree.edges.size(); ++i) {
        const auto [u, v] = solution.tree.edges[i];
        fmt::format_to(std::back_inserter(out), "{}[{}, {}]", i == 0 ? "" : ", ", u, v);
    }
    out += ']';
    append_key(out, "start");
    if (solution.tree.start == no_vertex) {
        out += "null";
    } else {
        fmt::format_to(std::back_inserter(out), "{}", solution.tree.start);
    }
    append_key(out, "seconds");
    append_number(out, solution.seconds);
    if (!solution.found_by.empty()) {
        append_key(out, "found_by");
        out += json_string(solution.found_by);
        append_key(out, "iterations");
        fmt::format_to(std::back_inserter(out), "{}", solution.iterations);
    }
    if (const auto& statistics = solution.statistics) {
        append_key(out, "statistics");
        fmt::format_to(std::back_inserter(out), R"({{"trees": {}, "dead_ends": {}, "mean": )", statistics->trees,
                       statistics->dead_ends);
        append_number(out, statistics->mean);
        out += R"(, "deviation": )";
        append_number(out, statistics->deviation);
        out += '}';
    }
    out += "\n}\n";
    return out;
}

}  // namespace neuroprim
