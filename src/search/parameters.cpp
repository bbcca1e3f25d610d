#include "neuroprim/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "neuroprim/neural.hpp"

namespace neuroprim {

namespace {

using Type = ParameterType;
using Group = ParameterGroup;

constexpr double any = std::numeric_limits<double>::infinity();
constexpr double most_number = 1e100;  // as files have it; times a weight it still is a double
constexpr double most_whole = std::numeric_limits<int>::max();
constexpr double most_seconds = 1e9;
constexpr double most_trees = 1e7;  // all starts of a run are listed in memory

constexpr std::array table = {
    Parameter{"problem", Type::choice, Group::limits, "NAME", 0, 0, false, "",
              "What to solve; told from the other options and the input unless given"},
    Parameter{"degree", Type::whole, Group::limits, "D", 1, most_whole, false, "",
              "The most tree edges at a vertex; replaces limits in the input"},
    Parameter{"root", Type::vertex, Group::limits, "V", 0, 0, false, "",
              "The vertex that hops, lengths and loads are counted from; replaces that of the input"},
    Parameter{"hops", Type::whole, Group::limits, "H", 1, most_whole, false, "",
              "The most edges between the root and any vertex"},
    Parameter{"length", Type::number, Group::limits, "L", 0, most_number, false, "",
              "The longest way from the root to any vertex"},
    Parameter{"capacity", Type::number, Group::limits, "Q", 0, most_number, true, "",
              "The most demand behind an edge of the root; a vertex demands 1 unless the input says"},
    Parameter{"diameter", Type::whole, Group::limits, "D", 1, most_whole, false, "",
              "The most edges between any two vertices"},
    Parameter{"cables", Type::cables, Group::limits, "FILE", 0, 0, false, "",
              "A table of cables (capacity and price): edges are priced by the load behind them"},
    Parameter{"include_edges", Type::edges, Group::limits, "A-B,C-D", 0, 0, false, "",
              "Edges that must be in the tree"},
    Parameter{"exclude_edges", Type::edges, Group::limits, "A-B,C-D", 0, 0, false, "",
              "Edges that must not be in the tree"},

    Parameter{"terminals", Type::vertices, Group::vertices, "A,B,C", 0, 0, false, "",
              "Vertices that the tree must hold; others only where they pay"},
    Parameter{"prizes", Type::amounts, Group::vertices, "A=3,B=2.5", 0, most_number, false, "0",
              "What leaving out a vertex costs; none must be in"},
    Parameter{"groups", Type::groups, Group::vertices, "A,B;C,D", 0, 0, false, "",
              "Groups of vertices: the tree holds exactly one of each"},
    Parameter{"leaves", Type::vertices, Group::vertices, "A,B,C", 0, 0, false, "",
              "Vertices that may have one tree edge only"},
    Parameter{"demands", Type::amounts, Group::vertices, "A=3,B=2.5", 0, most_number, false, "1",
              "What vertices demand of capacity and cables"},
    Parameter{"requirements", Type::matrix, Group::vertices, "FILE", 0, most_number, false, "",
              "The traffic between each pair of vertices"},
    Parameter{"metric", Type::choice, Group::vertices, "NAME", 0, 0, false, "",
              "Measure the points by this metric instead of the file's own"},

    Parameter{"method", Type::choice, Group::method, "NAME", 0, 0, false, "search", "How to find the tree"},
    Parameter{"start", Type::vertex, Group::method, "V", 0, 0, false, "", "Grow the tree from this vertex"},
    Parameter{"seed", Type::whole, Group::method, "UINT", 0, any, false, "0", "Seed of everything random"},

    Parameter{"model",
              Type::file,
              Group::policy,
              "FILE",
              0,
              0,
              false,
              "",
              "Weights of the policy; the pretrained ones for the problem unless given",
              {},
              false},
    Parameter{"starts", Type::whole, Group::policy, "K", 0, most_trees, false, "0",
              "From so many starts, spread evenly; 0 takes all of them"},
    Parameter{"beam", Type::whole, Group::policy, "K", 1, 64, false, "4",
              "How many partial trees are kept, and edges tried from each"},
    Parameter{"samples", Type::whole, Group::policy, "K", 0, most_trees, false, "0",
              "How many trees; 0 takes twenty per start"},
    Parameter{"temperature", Type::number, Group::policy, "T", 0, most_number, true, "1",
              "Below one sharper, above one flatter"},
    Parameter{"augment", Type::whole, Group::policy, "K", 1, most_augmentations, false, "1",
              "Look from so many sides: the eight symmetries of the square, then turned by 3, 6, … degrees"},
    Parameter{"spread", Type::whole, Group::policy, "K", 0, most_augmentations, false, "0",
              "With augment: each start or sample from so many of the sides only, in turn; 0: from all"},
    Parameter{"rounds", Type::whole, Group::policy, "K", 1, most_augmentations, false, "1",
              "With augment: take the starts or samples in so many parts; after each the best quarter of the sides "
              "goes on"},

    Parameter{"time_limit", Type::number, Group::search, "SECONDS", 0, most_seconds, true, "",
              "Stop after so many seconds; the usual limit of the search, one second, applies unless iterations are "
              "limited"},
    Parameter{"target_gap", Type::number, Group::search, "PERCENT", 0, 1e9, false, "",
              "Stop when so close to the proven bound; the usual limit of one second applies unless another rule is "
              "given"},
    Parameter{"max_iterations", Type::whole, Group::search, "K", 0, any, false, "",
              "Stop after so many perturbations; the answer then depends on the seed alone"},
    Parameter{"no_improvement", Type::whole, Group::search, "K", 1, any, false, "",
              "Stop after so many perturbations in a row without a better tree"},
    Parameter{"warm_start", Type::tree, Group::search, "TREE", 0, 0, false, "", "Go on from this tree", {}, false},
    Parameter{"initial", Type::choice, Group::search, "best|classical|policy|both", 0, 0, false, "best",
              "Where initial solutions come from; best takes what helps the problem", "best classical policy both"},

    Parameter{"threads",
              Type::whole,
              Group::machine,
              "K",
              0,
              1024,
              false,
              "0",
              "Threads to use; 0 takes all cores",
              {},
              false},
    Parameter{"max_memory",
              Type::size,
              Group::machine,
              "SIZE",
              0,
              any,
              true,
              "",
              "Refuse to ask a policy that needs more memory; three quarters of what is free unless given",
              {},
              false},
};

bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || c == '-';
}

const Parameter* find_flag(std::string_view flag) {
    std::string name(flag);
    std::replace(name.begin(), name.end(), '-', '_');
    const auto found = std::find_if(table.begin(), table.end(), [&](const Parameter& p) { return p.name == name; });
    return found == table.end() ? nullptr : &*found;
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

std::span<const Parameter> parameters() {
    return table;
}

const Parameter& parameter(std::string_view name) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Parameter& p) { return p.name == name; });
    if (found == table.end()) throw std::out_of_range(fmt::format("there is no parameter {}", name));
    return *found;
}

std::optional<std::string> expected_instead_of(const Parameter& parameter, double value) {
    const bool is_whole = parameter.type == Type::whole || parameter.type == Type::size;
    const bool is_large = parameter.above ? value > parameter.least : value >= parameter.least;
    if (is_large && value <= parameter.most && (!is_whole || value == std::floor(value))) return std::nullopt;
    const std::string_view kind = is_whole ? "a whole number" : "a number";
    const bool is_open = parameter.most == any || parameter.most == most_number || parameter.most == most_whole;
    if (parameter.above) {
        return fmt::format("{} above {:g}{}", kind, parameter.least,
                           is_open ? "" : fmt::format(", at most {:g}", parameter.most));
    }
    if (is_open) return fmt::format("{} of at least {:g}", kind, parameter.least);
    return fmt::format("{} from {} to {}", kind, parameter.least, parameter.most);
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
