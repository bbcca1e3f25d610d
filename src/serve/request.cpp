#include "serve/request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/read/json_instance.hpp"
#include "neuroprim/error.hpp"
#include "serve/methods.hpp"
#include "serve/parameter_fields.hpp"

namespace neuroprim::serve {

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
    auto problem = make_problem(name, *instance, options);
    return {std::move(instance), std::move(problem)};
}

SolveOptions read_options(const Fields& fields, const Problem& problem, const Limits& limits) {
    constexpr double usual_time = 1;
    SolveOptions options = read_method_options(fields, problem.size(), limits);
    const MethodFacts& method = method_facts(options.method);
    if (method.needs_policy) check_size_for(method.name, problem, limits.policy_vertices);
    if (method.quadratic) check_size_for(method.name, problem, limits.classical_vertices);
    if (!options.time_limit) {
        const bool ends_by_itself = !method.anytime || options.max_iterations || options.no_improvement;
        options.time_limit = ends_by_itself ? limits.time_limit : std::min(usual_time, limits.time_limit);
    }
    if (problem.size() > limits.policy_vertices) {
        if (fields.has("initial") && options.initial != Initial::classical) {
            check_size_for("a policy", problem, limits.policy_vertices);
        }
        options.initial = Initial::classical;
    }
    return options;
}

}  // namespace neuroprim::serve
