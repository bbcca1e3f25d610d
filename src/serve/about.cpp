#include <nlohmann/json.hpp>

#include "neuroprim/models.hpp"
#include "serve/api.hpp"
#include "serve/methods.hpp"
#include "serve/parameter_fields.hpp"

namespace neuroprim::serve {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

ApiResponse show_about(const Context& context) {
    Json problems = Json::array();
    for (const auto& kind : problem_kinds()) {
        problems.push_back({{"name", kind.name},
                            {"title", kind.title},
                            {"parameters", parameters_of(kind.name)},
                            {"policy", find_model(kind.name).has_value()}});
    }
    Json methods = Json::array();
    for (const auto& facts : all_method_facts()) {
        const bool for_all = facts.problems.empty() && !facts.needs_policy;
        methods.push_back({{"name", facts.name},
                           {"title", facts.title},
                           {"problems", for_all ? Json() : Json(facts.problems)},
                           {"needs_policy", facts.needs_policy},
                           {"anytime", facts.anytime}});
    }
    const Limits& limits = context.settings.limits;
    const Json report = {{"version", NEUROPRIM_VERSION},
                         {"problems", std::move(problems)},
                         {"methods", std::move(methods)},
                         {"parameters", parameters_to_json(context.settings.limits)},
                         {"limits",
                          {{"vertices", limits.vertices},
                           {"matrix_vertices", limits.matrix_vertices},
                           {"classical_vertices", limits.classical_vertices},
                           {"policy_vertices", limits.policy_vertices},
                           {"explain_vertices", limits.explain_vertices},
                           {"body_bytes", limits.body_bytes},
                           {"bodies_bytes", limits.bodies_bytes},
                           {"time_limit", limits.time_limit},
                           {"samples", limits.samples},
                           {"jobs", limits.jobs},
                           {"queue", limits.queue}}}};
    return {200, "application/json", report.dump() + "\n"};
}

}  // namespace neuroprim::serve
