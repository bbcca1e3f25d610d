#include "serve/question.hpp"

#include <fmt/format.h>

#include <algorithm>

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
}

std::string problem_name(const Fields& fields, const Instance& instance, const ProblemOptions& options) {
    if (const auto named = fields.string("problem")) return *named;
    if (options.hops) return "hmst";
    if (options.degree) return "dcmst";
    return std::string(implied_problem(instance));
}

}  // namespace

formats::Text body_text(std::string_view body) {
    return {body, "body", "instance"};
}

Instance read_instance(const Fields& fields, const Limits& limits) {
    formats::JsonInstanceForm form;
    form.size_key = "vertices";
    form.matrix_key = "weights";
    form.layout_key = "points";
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

std::string_view implied_problem(const Instance& instance) {
    if (!instance.degree_limits.empty()) return "dcmst";
    if (!instance.requirements.empty()) return "ocst";
    return instance.terminals.empty() ? "mst" : "stp";
}

Question read_question(const Fields& fields, const Limits& limits) {
    auto instance = std::make_unique<const Instance>(read_instance(fields, limits));
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    ProblemOptions options;
    if (const auto degree = fields.integer("degree", 1, most)) options.degree = static_cast<int>(*degree);
    if (const auto hops = fields.integer("hops", 1, most)) options.hops = static_cast<int>(*hops);
    if (const auto root = fields.integer("root", 0, instance->size() - 1)) options.root = static_cast<Vertex>(*root);
    const std::string name = problem_name(fields, *instance, options);
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
    if (problem.size() > limits.policy_vertices) options.beginnings = Beginnings::classical;
    return options;
}

}  // namespace neuroprim::serve
