#include "serve/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/text/text.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/models.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::serve {

namespace {

std::vector<std::string_view> problems_with_models() {
    std::vector<std::string_view> result;
    for (const auto& kind : problem_kinds()) {
        if (find_model(kind.name)) result.push_back(kind.name);
    }
    return result;
}

/// As docs/methods.md has it. A method that is not named here may be asked about anything.
std::vector<std::string_view> made_for(std::string_view method) {
    if (method == "kruskal") return {"mst", "stp"};
    if (method == "hop-prim" || method == "hop-levels" || method == "hop-descent") return {"hmst"};
    if (method == "degree-prim" || method == "farthest-insertion") return {"dcmst"};
    if (method == "campos" || method == "campos-strict" || method == "star") return {"mrcst", "ocst"};
    if (method == "shortest-path") return {"stp"};
    if (method == "esau-williams") return {"cmst", "cables"};
    if (method == "centre-descent") return {"bdmst"};
    if (method == "length-blend") return {"lmst"};
    if (method == "prize-growth") return {"pcst"};
    if (method == "group-kruskal") return {"gmst"};
    return {};
}

std::vector<MethodFacts> collected_facts() {
    std::vector<MethodFacts> result;
    for (const auto& info : solve_methods()) {
        MethodFacts facts{info.name, info.title, made_for(info.name)};
        facts.anytime = info.name == "search";
        facts.needs_policy = info.needs_policy;
        if (facts.needs_policy) facts.problems = problems_with_models();
        facts.quadratic = !facts.anytime && !facts.needs_policy && !method_named(info.name).builds_mst;
        result.insert(facts.anytime ? result.begin() : result.end(), std::move(facts));
    }
    return result;
}

}  // namespace

const std::vector<MethodFacts>& all_method_facts() {
    static const std::vector<MethodFacts> facts = collected_facts();
    return facts;
}

const MethodFacts& method_facts(std::string_view name) {
    const auto& all = all_method_facts();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& facts) { return facts.name == name; });
    if (found != all.end()) return *found;
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const auto& facts : all) names.push_back(facts.name);
    throw InputError(
        fmt::format("method: unknown method {}: expected {}", formats::in_quotes(name), fmt::join(names, ", ")));
}

void check_size_for(std::string_view what, const Problem& problem, Vertex most) {
    if (problem.size() <= most) return;
    throw TooLarge(fmt::format("{} vertices: {} takes at most {} here", problem.size(), what, most));
}

}  // namespace neuroprim::serve
