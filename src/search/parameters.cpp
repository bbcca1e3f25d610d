#include "neuroprim/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "neuroprim/error.hpp"
#include "neuroprim/limits.hpp"
#include "neuroprim/neural.hpp"
#include "neuroprim/solve.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

namespace {

using Type = ParameterType;
using Group = ParameterGroup;

constexpr double most_number = 1e100;  // as files have it; times a weight it still is a double
constexpr double most_int = std::numeric_limits<int>::max();
constexpr double most_signed = 9223372036854774784.0;     // the largest double that an std::int64_t holds
constexpr double most_unsigned = 18446744073709551616.0;  // 2⁶⁴: no std::uint64_t is larger
constexpr double most_trees = 1e7;                        // all starts of a run are listed in memory
constexpr double most_seconds = 1e9;                      // clocks can count that far, and nobody waits as long
constexpr double most_percent = 1e9;
constexpr ParameterRange none = {};
constexpr bool not_in_command = false;
constexpr bool not_in_http = false;

constexpr ParameterRange from(double least, double most) {
    return {least, most};
}

constexpr ParameterRange above(double least, double most) {
    return {least, most, true};
}

Parameter parameter_of(const NumberLimit& line) {
    const double most = line.is_whole() ? most_int : most_number;
    return {line.name,
            line.is_whole() ? Type::whole : Type::number,
            Group::limits,
            line.value,
            {line.least, most, line.above},
            "",
            line.help};
}

constexpr std::array first_lines = {
    Parameter{"problem", Type::choice, Group::limits, "NAME", none, "",
              "What to solve; told from the other options and the input unless given"},
    Parameter{"root", Type::roots, Group::limits, "V", none, "",
              "The vertex that hops, lengths and loads are counted from, or several: each vertex hangs from one of "
              "them; replaces that of the input"},
};

// Between them stand the limits that are one number.
constexpr std::array further_lines = {
    Parameter{"cables", Type::cables, Group::limits, "CSV-FILE", none, "",
              "Kinds of cable, each with capacity and price: edges are priced by the load behind them"},
    Parameter{"no_crossings", Type::flag, Group::limits, "", none, "", "No two edges may cross where they are drawn"},
    Parameter{"include_edges", Type::edges, Group::limits, "A-B,C-D", none, "", "Edges that must be in the tree"},
    Parameter{"exclude_edges", Type::edges, Group::limits, "A-B,C-D", none, "", "Edges that must not be in the tree"},

    Parameter{"terminals", Type::vertices, Group::vertices, "A,B,C", none, "",
              "Vertices that the tree must hold; others only where they pay"},
    Parameter{"prizes", Type::amounts, Group::vertices, "A=3,B=2.5", from(0, most_number), "",
              "What leaving out a vertex costs, 0 for others; none must be in"},
    Parameter{"groups", Type::groups, Group::vertices, R"("A,B;C,D")", none, "",
              "Groups of vertices: the tree holds exactly one of each"},
    Parameter{"leaves", Type::vertices, Group::vertices, "A,B,C", none, "",
              "Vertices that may have one tree edge only"},
    Parameter{"demands", Type::amounts, Group::vertices, "A=3,B=2.5", from(0, most_number), "",
              "What vertices take of capacity and cables, 1 for others"},
    Parameter{"masses", Type::amounts, Group::vertices, "A=3,B=2.5", from(0, most_number), "",
              "How much vertices count in the routing cost, 1 for others"},
    Parameter{"requirements", Type::matrix, Group::vertices, "", from(0, most_number), "",
              "The traffic between each pair of vertices", "", "", not_in_command},
    Parameter{"metric", Type::choice, Group::vertices, "NAME", none, "",
              "Measure the points by this metric instead of the file's own"},

    Parameter{"method", Type::choice, Group::method, "NAME", none, "search", "How to find the tree"},
    Parameter{"start", Type::vertex, Group::method, "V", none, "", "Grow the tree from this vertex"},
    Parameter{"seed", Type::whole, Group::method, "K", from(0, most_unsigned), "0", "Seed of everything random"},

    Parameter{"model", Type::file, Group::policy, "FILE", none, "",
              "Weights of the policy, a file or the name of a pretrained one; those for the problem unless given",
              "greedy beam sample rebuild search", "", true, not_in_http},
    Parameter{
        "starts", Type::whole, Group::policy, "K", from(0, most_trees), "0",
        "Grow so many trees, from starts that are spread evenly, or from a root with each of its shortest edges "
        "first; 0 takes all starts or 48 edges, in graphs of more than 150 vertices ten starts or no edge. Where "
        "greedy sees parts of them, so many trees of each part; 0 takes four. "
        "Routing cost of more than 150 points: look at so many samples of them; 0 takes ten",
        "greedy beam rebuild"},
    Parameter{"beam", Type::whole, Group::policy, "K", from(1, 64), "4",
              "How many partial trees are kept, and edges tried from each", "beam"},
    Parameter{"samples", Type::whole, Group::policy, "K", from(0, most_trees), "0",
              "How many trees; 0 takes twenty per start, from ten starts in graphs of more than 150 vertices",
              "sample"},
    Parameter{"temperature", Type::number, Group::policy, "T", above(0, most_number), "1",
              "Below one sharper, above one flatter", "sample"},
    Parameter{"augmentations", Type::whole, Group::policy, "K", from(0, most_augmentations), "0",
              "Decode under so many augmentations: the symmetries of the square, then rotated by 3, 6, … degrees; 0 "
              "takes one, or on more than 150 points two for paths and eight for routing cost",
              "greedy beam sample rebuild"},
    Parameter{"augmentations_per_start", Type::whole, Group::policy, "K", from(0, most_augmentations), "0",
              "With augmentations: each start or sample under so many of them only, in turn; 0: under all, "
              "first edges of a root under one",
              "greedy beam sample rebuild"},
    Parameter{"rounds", Type::whole, Group::policy, "K", from(1, most_augmentations), "1",
              "With augmentations: take the starts or samples in so many parts; after each the best quarter of "
              "augmentations stays",
              "greedy beam sample"},

    Parameter{"time_limit", Type::number, Group::search, "SECONDS", above(0, most_seconds), "",
              "Stop after so many seconds; for search one second unless iterations are limited",
              "search rebuild classical"},
    Parameter{"target_gap", Type::number, Group::search, "PERCENT", from(0, most_percent), "",
              "Stop when so close to the proven bound; after a second unless another rule is given", "search"},
    Parameter{"max_iterations", Type::whole, Group::search, "K", from(0, most_signed), "",
              "Stop after so many perturbations, or passes of rebuild; the answer then depends on the seed alone",
              "search rebuild"},
    Parameter{"no_improvement", Type::whole, Group::search, "K", from(1, most_signed), "",
              "Stop after so many perturbations, or passes of rebuild, in a row without a better tree",
              "search rebuild"},
    Parameter{"warm_start", Type::tree, Group::search, "TREE", none, "", "Go on from this tree", "search", "", true,
              not_in_http},
    Parameter{"initial", Type::choice, Group::search, "best|classical|policy|both", none, "best",
              "Where initial solutions come from; best takes what helps the problem", "search",
              "best classical policy both"},

    Parameter{"threads", Type::whole, Group::machine, "K", from(0, 4096), "0", "Threads to use; 0 takes all cores",
              "", "", true, not_in_http},
    Parameter{"max_memory", Type::size, Group::machine, "SIZE", from(1, most_signed), "",
              "Refuse to ask a policy that needs more memory; three quarters of what is free unless given", "", "",
              true, not_in_http},
};

std::vector<Parameter> make_table() {
    std::vector<Parameter> result(first_lines.begin(), first_lines.end());
    for (const NumberLimit& line : number_limits()) result.push_back(parameter_of(line));
    result.insert(result.end(), further_lines.begin(), further_lines.end());
    return result;
}

const std::vector<Parameter>& table() {
    static const std::vector<Parameter> made = make_table();
    return made;
}

/// What presets are about.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> about = {{
    {"dcmst", "degree leaves"},
    {"mrcst", "masses"},
    {"ocst", "requirements"},
    {"stp", "terminals"},
    {"hmst", "hops root"},
    {"cmst", "capacity root demands"},
    {"bdmst", "diameter"},
    {"lmst", "length root"},
    {"pcst", "prizes root terminals"},
    {"gmst", "groups root terminals"},
    {"cables", "cables root demands"},
}};

/// Not the search, and no policy: one of the constructions.
bool is_classical(std::string_view method) {
    return method != "search" && !is_neural(method);
}

bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || c == '-';
}

const Parameter* find_flag(std::string_view flag) {
    std::string name(flag);
    std::replace(name.begin(), name.end(), '-', '_');
    const auto found =
        std::find_if(table().begin(), table().end(), [&](const Parameter& p) { return p.name == name; });
    return found == table().end() ? nullptr : &*found;
}

/// What stands for a value after a flag: "H" of "--hops H", "search" of "--method search"; empty: nothing does.
std::string_view value_after(std::string_view message, std::size_t at, ParameterType type) {
    if (at >= message.size() || message[at] != ' ') return {};
    std::size_t end = at + 1;
    const auto is_letter = [&](char c) { return type == Type::choice ? is_name_letter(c) : c >= 'A' && c <= 'Z'; };
    while (end < message.size() && is_letter(message[end])) ++end;
    return message.substr(at + 1, end - at - 1);
}

/// A name with one of its words: method="search".
std::string spelled_with(std::string_view name, std::string_view word, Spelling spelling) {
    return spelling == Spelling::keyword ? fmt::format("{}=\"{}\"", name, word)
                                         : fmt::format("\"{}\": \"{}\"", name, word);
}

}  // namespace

std::string_view name_of(ParameterType type) {
    switch (type) {
        case ParameterType::whole:
            return "whole";
        case ParameterType::number:
            return "number";
        case ParameterType::flag:
            return "flag";
        case ParameterType::choice:
            return "choice";
        case ParameterType::vertex:
            return "vertex";
        case ParameterType::vertices:
            return "vertices";
        case ParameterType::roots:
            return "roots";
        case ParameterType::edges:
            return "edges";
        case ParameterType::amounts:
            return "amounts";
        case ParameterType::groups:
            return "groups";
        case ParameterType::cables:
            return "cables";
        case ParameterType::matrix:
            return "matrix";
        case ParameterType::tree:
            return "tree";
        case ParameterType::size:
            return "size";
        case ParameterType::file:
            return "file";
    }
    return "";
}

bool ParameterRange::is_open() const {
    return most >= most_int;
}

std::span<const Parameter> parameters() {
    return table();
}

const Parameter& parameter(std::string_view name) {
    const auto found =
        std::find_if(table().begin(), table().end(), [&](const Parameter& p) { return p.name == name; });
    if (found == table().end()) throw std::out_of_range(fmt::format("there is no parameter {}", name));
    return *found;
}

std::string_view renamed(std::string_view former) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> names = {
        {{"augment", "augmentations"}, {"spread", "augmentations_per_start"}, {"beginnings", "initial"}}};
    for (const auto& [before, now] : names) {
        if (before == former) return now;
    }
    return {};
}

std::optional<std::string> expected_instead_of(const Parameter& parameter, double value) {
    const ParameterRange& range = parameter.range;
    const bool is_whole = parameter.type == Type::whole || parameter.type == Type::size;
    const bool is_enough = range.above ? value > range.least : value >= range.least;
    if (is_enough && value <= range.most && (!is_whole || value == std::floor(value))) return std::nullopt;
    const std::string_view kind = is_whole ? "a whole number" : "a number";
    if (range.above) {
        return fmt::format("{} above {:g}{}", kind, range.least,
                           range.is_open() ? "" : fmt::format(", at most {:g}", range.most));
    }
    if (range.is_open()) return fmt::format("{} of at least {:g}", kind, range.least);
    return fmt::format("{} from {} to {}", kind, range.least, range.most);
}

std::vector<std::string_view> words_of(std::string_view list) {
    std::vector<std::string_view> result;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        result.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return result;
}

void check_use(const Parameter& parameter, std::string_view method) {
    if (parameter.readers.empty()) return;
    if (method.empty()) method = "search";
    const std::vector<std::string_view> readers = words_of(parameter.readers);
    const auto reads = [&](std::string_view name) {
        return std::find(readers.begin(), readers.end(), name) != readers.end();
    };
    if (reads(method) || (reads("classical") && is_classical(method))) return;
    std::string named;
    for (const auto reader : readers) {
        const std::string_view before = named.empty() ? "" : reader == "classical" ? " and the " : ", ";
        named += fmt::format("{}{}{}", before, reader, reader == "classical" ? " ones" : "");
    }
    throw InputError(fmt::format("{} is for --method {}, and this one is {}: leave out one of them",
                                 spelled(parameter.name, Spelling::flag), named, method));
}

std::vector<std::string_view> parameters_of(std::string_view preset) {
    if (preset == "tree") {
        std::vector<std::string_view> all;
        for (const Parameter& one : table()) {
            const bool specifies = one.group == Group::limits || one.group == Group::vertices;
            if (specifies && one.name != "problem" && one.name != "metric") all.push_back(one.name);
        }
        return all;
    }
    const auto found = std::find_if(about.begin(), about.end(), [&](const auto& row) { return row.first == preset; });
    return found == about.end() ? std::vector<std::string_view>() : words_of(found->second);
}

void check_use(std::string_view fact, const TreeSpec& spec, std::string_view preset) {
    const bool is_read = fact == "terminals"      ? !spec.terminals.empty()
                         : fact == "prizes"       ? !spec.prizes.empty()
                         : fact == "groups"       ? !spec.groups.empty()
                         : fact == "demands"      ? spec.has(Limit::capacity)
                         : fact == "masses"       ? !spec.masses.empty()
                         : fact == "requirements" ? spec.objective == Objective::communication
                                                  : spec.has(Limit::degree);  // leaves, limits by vertex
    if (is_read) return;
    const std::string flag = spelled(fact, Spelling::flag);
    if (fact == "demands") {
        throw InputError("--demands is of no use: nothing counts them, which --capacity and --cables do");
    }
    throw InputError(preset == "tree"
                         ? fmt::format("{} is of no use beside the other options: leave it out", flag)
                         : fmt::format("{} is of no use for {}: leave out one of them; without --problem, "
                                       "all that is given counts",
                                       flag, preset));
}

std::string spelled(std::string_view name, Spelling spelling) {
    std::string result(name);
    switch (spelling) {
        case Spelling::flag:
            std::replace(result.begin(), result.end(), '_', '-');
            return "--" + result;
        case Spelling::keyword:
            return result + "=...";
        case Spelling::field:
            return fmt::format("\"{}\"", result);
    }
    return result;
}

std::string respelled(std::string_view message, Spelling spelling) {
    if (spelling == Spelling::flag) return std::string(message);
    std::string result;
    std::size_t at = 0;
    while (at < message.size()) {
        const std::size_t dashes = message.find("--", at);
        if (dashes == std::string_view::npos) break;
        std::size_t end = dashes + 2;
        while (end < message.size() && is_name_letter(message[end])) ++end;
        const Parameter* known = find_flag(message.substr(dashes + 2, end - dashes - 2));
        result += message.substr(at, dashes - at);
        at = end;
        if (known == nullptr) {
            result += message.substr(dashes, end - dashes);
            continue;
        }
        const std::string_view value = value_after(message, end, known->type);
        const bool is_word = !value.empty() && known->type == Type::choice;
        result += is_word ? spelled_with(known->name, value, spelling) : spelled(known->name, spelling);
        if (!value.empty()) at = end + 1 + value.size();
    }
    return result + std::string(message.substr(at));
}

}  // namespace neuroprim
