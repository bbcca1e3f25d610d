#include "serve/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "formats/read/json_instance.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "serve/methods.hpp"

namespace neuroprim::serve {

namespace {

/// Said in the words of this API before the problem itself says it in those of the command line.
void check_parameters(std::string_view name, const Instance& instance, const ProblemOptions& options) {
    if (name == "dcmst" && !options.degree && instance.degree_limits.empty()) {
        throw InputError(R"(dcmst needs "degree", or "degree_limits" in the instance)");
    }
    if (name == "hmst" && !options.hops) throw InputError(R"(hmst needs "hops")");
    if (name == "stp" && instance.terminals.empty()) throw InputError(R"(stp needs "terminals" in the instance)");
    if (name == "ocst" && instance.requirements.empty()) {
        throw InputError(R"(ocst needs "requirements" in the instance)");
    }
    if (name == "cmst" && !options.capacity) throw InputError(R"(cmst needs "capacity")");
    if (name == "bdmst" && !options.diameter) throw InputError(R"(bdmst needs "diameter")");
    if (name == "lmst" && !options.length) throw InputError(R"(lmst needs "length")");
    if (name == "pcst" && instance.prizes.empty()) throw InputError(R"(pcst needs "prizes" in the instance)");
    if (name == "gmst" && instance.groups.empty()) throw InputError(R"(gmst needs "groups" in the instance)");
    if (name == "cables" && options.cables.empty()) throw InputError(R"(cables needs "cables")");
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

ProblemOptions read_limits(const Fields& fields, Vertex n) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    constexpr double most_number = 1e100;
    ProblemOptions options;
    const auto whole = [&](const char* key) -> std::optional<int> {
        const auto value = fields.integer(key, 1, most);
        return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
    };
    options.degree = whole("degree");
    options.hops = whole("hops");
    options.diameter = whole("diameter");
    options.length = fields.number("length", 0, most_number);
    options.capacity = fields.number("capacity", 0, most_number);
    if (const auto root = fields.integer("root", 0, n - 1)) options.root = static_cast<Vertex>(*root);
    read_pairs(fields, "cables", "a cable [capacity, price]",
               [&](const formats::Text&, std::size_t, const auto& pair) {
                   options.cables.push_back({pair[0], pair[1]});
               });
    options.included_edges = read_edges(fields, "include_edges", n);
    options.excluded_edges = read_edges(fields, "exclude_edges", n);
    return options;
}

}  // namespace

formats::Text body_text(std::string_view body) {
    return {body, "body", "instance"};
}

Instance read_instance(const Fields& fields, const Limits& limits) {
    formats::JsonInstanceForm form;
    form.path = "instance";
    form.most_vertices = limits.vertices;
    form.most_for_pairs = limits.matrix_vertices;
    Instance instance;
    const bool found = fields.with(
        "instance", [&](formats::JsonCursor& cursor) { instance = formats::read_json_instance(cursor, form); });
    if (!found) throw InputError(R"(expected the key "instance")");
    return instance;
}

void check_size(const Instance& instance, const Limits& limits) {
    const bool pairs = instance.weights.form() == Weights::Form::matrix || !instance.requirements.empty();
    const Vertex most = pairs ? std::min(limits.matrix_vertices, limits.vertices) : limits.vertices;
    if (instance.size() <= most) return;
    throw TooLarge(fmt::format("{} vertices: at most {} are taken{}", instance.size(), most,
                               pairs ? " with a number for each pair" : ""));
}

RequestedProblem read_problem(const Fields& fields, const Limits& limits) {
    auto instance = std::make_unique<const Instance>(read_instance(fields, limits));
    const ProblemOptions options = read_limits(fields, instance->size());
    const std::string name = fields.string("problem").value_or(std::string(implied_preset(*instance, options)));
    check_parameters(name, *instance, options);
    auto problem = make_problem(name, *instance, options);
    return {std::move(instance), std::move(problem)};
}

SolveOptions read_options(const Fields& fields, const Problem& problem, const Limits& limits) {
    constexpr double least_time = 0.001;
    constexpr double usual_time = 1;
    SolveOptions options;
    options.method = fields.string("method").value_or("search");
    const MethodFacts& method = method_facts(options.method);
    if (method.needs_policy) check_size_for(method.name, problem, limits.policy_vertices);
    if (method.quadratic) check_size_for(method.name, problem, limits.classical_vertices);
    options.time_limit = fields.number("time_limit", least_time, limits.time_limit);
    if (!options.time_limit) {
        options.time_limit = method.anytime ? std::min(usual_time, limits.time_limit) : limits.time_limit;
    }
    options.seed = static_cast<std::uint64_t>(fields.integer("seed", 0).value_or(0));
    options.samples = static_cast<std::size_t>(fields.integer("samples", 1, limits.samples).value_or(0));
    constexpr int most_views = 8;  // the policy knows more sides, but each costs as much as an encoder
    options.augment = static_cast<int>(fields.integer("augment", 1, most_views).value_or(1));
    options.spread = static_cast<int>(fields.integer("spread", 0, most_views).value_or(0));
    if (problem.size() > limits.policy_vertices) options.initial = Initial::classical;
    return options;
}

}  // namespace neuroprim::serve
