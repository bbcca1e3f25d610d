#include "serve/parameter_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "formats/read/json_vertex_facts.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/limits.hpp"

namespace neuroprim::serve {

namespace {

bool is_request_key(const Parameter& parameter) {
    return parameter.in_http && parameter.group != ParameterGroup::vertices;
}

/// Pairs of numbers: [[3, 1], [6, 1.5]].
template <class Take>
void read_pairs(const Fields& fields, std::string_view key, std::string_view expected, Take&& take) {
    fields.with(key, [&](formats::JsonCursor& cursor) {
        cursor.array([&] {
            const std::size_t at = cursor.at();
            std::array<double, 2> pair{};
            std::size_t count = 0;
            cursor.array([&] {
                const double value = formats::to_number(cursor.text(), cursor.number(expected));
                if (count < pair.size()) pair[count] = value;
                ++count;
            });
            if (count != pair.size()) cursor.text().fail(at, fmt::format("expected {}", expected));
            take(cursor.text(), at, pair);
        });
    });
}

std::vector<Edge> read_edges(const Fields& fields, std::string_view key, Vertex n) {
    std::vector<Edge> result;
    read_pairs(fields, key, "an edge [u, v]", [&](const formats::Text& text, std::size_t at, const auto& pair) {
        const auto is_vertex = [&](double value) { return value >= 0 && value < n && value == std::floor(value); };
        if (!is_vertex(pair[0]) || !is_vertex(pair[1])) {
            text.fail(at, fmt::format("expected two vertices from 0 to {}", n - 1));
        }
        result.push_back({static_cast<Vertex>(pair[0]), static_cast<Vertex>(pair[1])});
    });
    return result;
}

std::optional<Vertex> read_vertex(const Fields& fields, std::string_view key, Vertex n) {
    const auto vertex = fields.integer(key, 0, n - 1);
    return vertex ? std::optional(static_cast<Vertex>(*vertex)) : std::nullopt;
}

Initial initial_named(const std::string& name) {
    if (name == "best") return Initial::best;
    if (name == "classical") return Initial::classical;
    if (name == "policy") return Initial::policy;
    if (name == "both") return Initial::both;
    throw InputError(fmt::format("initial: expected one of {}, found {}",
                                 fmt::join(words_of(parameter("initial").choices), ", "), formats::in_quotes(name)));
}

}  // namespace

std::vector<std::string_view> request_keys(std::initializer_list<std::string_view> more) {
    std::vector<std::string_view> keys = {"instance"};
    for (const Parameter& one : parameters()) {
        if (is_request_key(one)) keys.push_back(one.name);
    }
    for (const auto key : more) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    return keys;
}

Parameter narrowed(const Parameter& parameter, const Limits& limits) {
    constexpr double most_views = 8;  // the policy knows more augmentations, but each costs as much as an encoder
    Parameter result = parameter;
    double& most = result.range.most;
    if (parameter.name == "time_limit") most = std::min(most, limits.time_limit);
    if (parameter.name == "samples" || parameter.name == "starts") most = std::min<double>(most, limits.samples);
    const bool is_view = parameter.name == "augmentations" || parameter.name == "augmentations_per_start" ||
                         parameter.name == "rounds";
    if (is_view) most = std::min(most, most_views);
    return result;
}

ProblemOptions read_limits(const Fields& fields, Vertex n) {
    ProblemOptions options;
    for (const NumberLimit& line : number_limits()) {
        const Parameter& one = parameter(line.name);
        if (const auto whole = line.is_whole() ? fields.whole(one) : std::nullopt) {
            line.set(options, static_cast<double>(*whole));
        }
        if (const auto number = line.is_whole() ? std::nullopt : fields.number(one)) line.set(options, *number);
    }
    fields.with("root", [&](formats::JsonCursor& cursor) {
        const formats::Roots roots = formats::read_roots(cursor, n);
        options.root = roots.first;
        options.other_roots = roots.others;
    });
    read_pairs(fields, "cables", "a cable [capacity, price]",
               [&](const formats::Text&, std::size_t, const auto& pair) {
                   options.cables.push_back({pair[0], pair[1]});
               });
    options.no_crossings = fields.boolean("no_crossings").value_or(false);
    options.included_edges = read_edges(fields, "include_edges", n);
    options.excluded_edges = read_edges(fields, "exclude_edges", n);
    return options;
}

void check_use(const Fields& fields, std::string_view method) {
    for (const Parameter& one : parameters()) {
        if (is_request_key(one) && fields.has(one.name)) neuroprim::check_use(one, method);
    }
}

SolveOptions read_method_options(const Fields& fields, Vertex n, const Limits& limits) {
    SolveOptions options;
    const auto whole = [&](std::string_view name, auto& value) {
        const auto given = fields.whole(narrowed(parameter(name), limits));
        if (given) value = static_cast<std::decay_t<decltype(value)>>(*given);
    };
    const auto number = [&](std::string_view name) { return fields.number(narrowed(parameter(name), limits)); };
    options.method = fields.string("method").value_or("search");
    check_use(fields, options.method);
    options.start = read_vertex(fields, "start", n).value_or(no_vertex);
    whole("seed", options.seed);
    whole("starts", options.starts);
    whole("beam", options.beam);
    whole("samples", options.samples);
    whole("augmentations", options.augmentations);
    whole("augmentations_per_start", options.augmentations_per_start);
    whole("rounds", options.rounds);
    options.temperature = number("temperature").value_or(options.temperature);
    options.time_limit = number("time_limit");
    options.target_gap = number("target_gap");
    options.max_iterations = fields.whole(parameter("max_iterations"));
    options.no_improvement = fields.whole(parameter("no_improvement"));
    if (const auto initial = fields.string("initial")) options.initial = initial_named(*initial);
    neuroprim::check_use(options);
    return options;
}

}  // namespace neuroprim::serve
