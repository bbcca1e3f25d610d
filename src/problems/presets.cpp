#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "neuroprim/error.hpp"
#include "neuroprim/limits.hpp"
#include "neuroprim/problem.hpp"

namespace neuroprim {

namespace {

/// What the options say, whatever the preset: limits combine.
TreeSpec with_options(const Instance& instance, const ProblemOptions& options) {
    TreeSpec spec;
    spec.root = options.root;
    spec.other_roots = options.other_roots;
    for (const NumberLimit& line : number_limits()) line.copy(options, spec, instance.size());
    spec.no_crossings = options.no_crossings;
    spec.included_edges = options.included_edges;
    spec.excluded_edges = options.excluded_edges;
    if (!options.cables.empty()) {
        spec.objective = Objective::cables;
        spec.cables = options.cables;
    }
    if (spec.has(Limit::capacity)) spec.demands = instance.demands;
    return spec;
}

/// The roots of the options, or the input's.
void take_root(TreeSpec& spec, const Instance& instance) {
    if (spec.root) return;
    spec.root = instance.root;
    spec.other_roots = instance.other_roots;
}

/// The limits of the input, where the options give none for all; leaves have one tree edge in any case.
void take_degrees(TreeSpec& spec, const Instance& instance) {
    if (spec.degrees.empty()) spec.degrees = instance.degree_limits;
    if (instance.leaves.empty() || instance.size() < 3) return;
    if (spec.degrees.empty()) spec.degrees.assign(index(instance.size()), std::max(1, instance.size() - 1));
    for (const Vertex v : instance.leaves) spec.degrees[index(v)] = 1;
}

void take_prizes(TreeSpec& spec, const Instance& instance) {
    spec.coverage = Coverage::optional;
    spec.prizes = instance.prizes;
    spec.terminals = instance.terminals;
}

void take_groups(TreeSpec& spec, const Instance& instance) {
    spec.coverage = Coverage::groups;
    spec.groups = instance.groups;
    spec.terminals = instance.terminals;
}

void take_terminals(TreeSpec& spec, const Instance& instance) {
    spec.coverage = Coverage::terminals;
    spec.terminals = instance.terminals;
}

/// The preset of one limit, which must be given.
template <Limit limit>
TreeSpec limited(const Instance& instance, const ProblemOptions& options) {
    const NumberLimit& line = number_limit(limit);
    if (!line.of(options)) {
        throw InputError(fmt::format("{} needs a {}: --{} {}", line.preset, line.noun, line.name, line.value));
    }
    TreeSpec spec = with_options(instance, options);
    if (!line.counted.empty()) take_root(spec, instance);
    return spec;
}

void take_objective(TreeSpec& spec, Objective objective) {
    if (spec.objective != Objective::length) {
        throw InputError("a tree is priced by one objective: cables, masses or requirements");
    }
    spec.objective = objective;
}

TreeSpec mst(const Instance& instance, const ProblemOptions& options) {
    return with_options(instance, options);
}

TreeSpec dcmst(const Instance& instance, const ProblemOptions& options) {
    TreeSpec spec = with_options(instance, options);
    take_degrees(spec, instance);
    if (spec.degrees.empty()) {
        throw InputError("dcmst needs a degree limit: --degree D, or one per vertex in the input");
    }
    return spec;
}

TreeSpec mrcst(const Instance& instance, const ProblemOptions& options) {
    TreeSpec spec = with_options(instance, options);
    take_objective(spec, Objective::routing_cost);
    spec.masses = instance.masses;
    return spec;
}

TreeSpec ocst(const Instance& instance, const ProblemOptions& options) {
    if (instance.requirements.empty() && instance.size() > 1) {
        throw InputError("ocst needs the traffic between every pair: an input with requirements (OCST file or JSON)");
    }
    TreeSpec spec = with_options(instance, options);
    take_objective(spec, Objective::communication);
    return spec;
}

TreeSpec stp(const Instance& instance, const ProblemOptions& options) {
    if (instance.terminals.empty()) {
        throw InputError("stp needs terminals: --terminals LIST, or marked in the input");
    }
    TreeSpec spec = with_options(instance, options);
    take_terminals(spec, instance);
    return spec;
}

/// The literature's graphs have their root first.
TreeSpec hmst(const Instance& instance, const ProblemOptions& options) {
    TreeSpec spec = limited<Limit::hops>(instance, options);
    if (!spec.root) spec.root = 0;
    return spec;
}

TreeSpec pcst(const Instance& instance, const ProblemOptions& options) {
    if (instance.prizes.empty()) throw InputError("pcst needs prizes: --prizes, or given in the input");
    TreeSpec spec = with_options(instance, options);
    take_root(spec, instance);
    take_prizes(spec, instance);
    return spec;
}

TreeSpec gmst(const Instance& instance, const ProblemOptions& options) {
    if (instance.groups.empty()) throw InputError("gmst needs groups: --groups, or given in the input");
    TreeSpec spec = with_options(instance, options);
    take_root(spec, instance);
    take_groups(spec, instance);
    return spec;
}

TreeSpec cables(const Instance& instance, const ProblemOptions& options) {
    if (options.cables.empty()) throw InputError("cables needs a table of capacity and price: --cables FILE");
    TreeSpec spec = with_options(instance, options);
    take_root(spec, instance);
    return spec;
}

/// All that the options and the input say.
TreeSpec tree(const Instance& instance, const ProblemOptions& options) {
    TreeSpec spec = with_options(instance, options);
    take_root(spec, instance);
    take_degrees(spec, instance);
    if (!instance.requirements.empty()) take_objective(spec, Objective::communication);
    if (!instance.masses.empty()) {
        take_objective(spec, Objective::routing_cost);
        spec.masses = instance.masses;
    }
    if (!instance.groups.empty()) {
        take_groups(spec, instance);
    } else if (!instance.prizes.empty()) {
        take_prizes(spec, instance);
    } else if (!instance.terminals.empty()) {
        take_terminals(spec, instance);
    }
    if (spec.root && !options.root && !spec.counts_from_root() && spec.coverage == Coverage::all) {
        spec.root.reset();
        spec.other_roots.clear();
    }
    return spec;
}

constexpr std::array kinds = {
    ProblemKind{"mst", "minimum spanning tree", "", mst},
    ProblemKind{"dcmst", "degree-constrained minimum spanning tree", "--degree D, or limits in the input", dcmst},
    ProblemKind{"mrcst", "minimum routing cost spanning tree", "masses in the input, if it has them", mrcst},
    ProblemKind{"ocst", "optimum communication spanning tree", "requirements in the input", ocst},
    ProblemKind{"stp", "Steiner tree in graphs", "--terminals LIST, or terminals in the input", stp},
    ProblemKind{"hmst", "hop-constrained minimum spanning tree", "--hops H, --root V", hmst},
    ProblemKind{"cmst", "capacitated minimum spanning tree", "--capacity Q, --root V, demands in the input",
                limited<Limit::capacity>},
    ProblemKind{"bdmst", "bounded-diameter minimum spanning tree", "--diameter D", limited<Limit::diameter>},
    ProblemKind{"lmst", "minimum spanning tree with a length limit from the root", "--length L, --root V",
                limited<Limit::length>},
    ProblemKind{"pcst", "prize-collecting Steiner tree", "prizes in the input, --root V if it has one", pcst},
    ProblemKind{"gmst", "generalized minimum spanning tree", "groups in the input", gmst},
    ProblemKind{"cables", "tree of cables priced by their load", "--cables FILE, --root V, demands in the input",
                cables},
    ProblemKind{"tree", "what the options and the input say", "any of them", tree},
};

/// "--hops, --length, "
std::string counted_from_root() {
    std::string flags;
    for (const NumberLimit& line : number_limits()) {
        if (!line.counted.empty()) flags += fmt::format("--{}, ", line.name);
    }
    return flags;
}

const ProblemKind& kind_named(std::string_view name) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.name == name; });
    if (found != kinds.end()) return *found;
    std::string known;
    for (const auto& kind : kinds) known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.name);
    throw InputError(fmt::format("unknown problem \"{}\": expected one of {}", name, known));
}

}  // namespace

std::string_view implied_preset(const Instance& instance, const ProblemOptions& options) {
    std::string_view name = "mst";
    int said = 0;
    const auto say = [&](bool is_said, std::string_view preset) {
        if (!is_said) return;
        name = preset;
        ++said;
    };
    for (const NumberLimit& line : number_limits()) {
        if (line.limit != Limit::degree) say(line.of(options).has_value(), line.preset);
    }
    say(!options.cables.empty(), "cables");
    say(options.degree || !instance.degree_limits.empty() || !instance.leaves.empty(), "dcmst");
    say(!instance.requirements.empty(), "ocst");
    say(!instance.masses.empty(), "mrcst");
    say(!instance.groups.empty(), "gmst");
    say(!instance.prizes.empty(), "pcst");
    say(!instance.terminals.empty() && instance.groups.empty() && instance.prizes.empty(), "stp");
    return said > 1 ? "tree" : name;
}

std::span<const ProblemKind> problem_kinds() {
    return kinds;
}

TreeSpec specify(std::string_view name, const Instance& instance, const ProblemOptions& options) {
    TreeSpec spec = kind_named(name).specify(instance, options);
    check(spec, instance);
    const bool is_counted_from = spec.counts_from_root() || !options.other_roots.empty();
    if (options.root && !is_counted_from && spec.coverage == Coverage::all) {
        throw InputError(fmt::format(
            "a root is of no use here: nothing is counted from it ({}--cables), and every vertex is in the tree",
            counted_from_root()));
    }
    return spec;
}

std::unique_ptr<Problem> make_problem(std::string_view name, const Instance& instance,
                                      const ProblemOptions& options) {
    if (instance.size() < 1) throw InputError("an instance needs at least one vertex");
    return std::make_unique<Problem>(instance, specify(name, instance, options), std::string(name));
}

}  // namespace neuroprim
