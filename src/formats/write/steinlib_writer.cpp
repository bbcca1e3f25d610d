#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "formats/pictures/layout.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

constexpr Vertex most_points = 5000;

std::string quotable(std::string text) {
    for (char& c : text) {
        if (c == '"') c = '\'';
        if (c == '\n' || c == '\r') c = ' ';
    }
    return text;
}

void append_edges(std::string& out, const Weights& weights) {
    for (Vertex u = 0; u < weights.size(); ++u) {
        weights.for_each_neighbour(u, [&](Vertex v, double weight) {
            if (u < v) fmt::format_to(std::back_inserter(out), "E {} {} {}\n", u + 1, v + 1, weight);
        });
    }
}

/// The root of a prize-collecting tree is called RootP. A vertex without a line TP has no prize, so that only prizes
/// are listed, unless all are 0.
void append_terminals(std::string& out, const Instance& instance) {
    std::string lines;
    std::size_t count = instance.terminals.size();
    if (instance.root)
        lines += fmt::format("{} {}\n", instance.prizes.empty() ? "Root" : "RootP", *instance.root + 1);
    for (const Vertex v : instance.terminals) lines += fmt::format("T {}\n", v + 1);
    const bool none = std::all_of(instance.prizes.begin(), instance.prizes.end(), [](double p) { return p == 0; });
    for (std::size_t v = 0; v < instance.prizes.size(); ++v) {
        if (instance.prizes[v] == 0 && !none) continue;
        fmt::format_to(std::back_inserter(lines), "TP {} {}\n", v + 1, instance.prizes[v]);
        ++count;
    }
    out += fmt::format("SECTION Terminals\nTerminals {}\n{}END\n\n", count, lines);
}

}  // namespace

std::string instance_to_steinlib(const Instance& instance) {
    if (instance.weights.form() == Weights::Form::points && instance.size() > most_points) {
        throw InputError(
            fmt::format("SteinLib lists every edge, and {} points have {} of them: write at most {} "
                        "points as .stp, or .json or .csv",
                        instance.size(), instance.weights.edge_count(), most_points));
    }
    refuse_loss(instance, "SteinLib", {.terminals = true, .degree_limits = true, .prizes = true, .root = true});

    std::string out = "33D32945 STP File, STP Format Version 1.0\n\n";
    if (!instance.name.empty()) out += fmt::format("SECTION Comment\nName \"{}\"\nEND\n\n", quotable(instance.name));
    out += fmt::format("SECTION Graph\nNodes {}\nEdges {}\n", instance.size(), instance.weights.edge_count());
    append_edges(out, instance.weights);
    out += "END\n\n";
    append_terminals(out, instance);
    if (!instance.degree_limits.empty()) {
        out += "SECTION MaximumDegrees\n";
        for (const int limit : instance.degree_limits) out += fmt::format("MD {}\n", limit);
        out += "END\n\n";
    }
    if (!instance.positions().empty()) {
        out += "SECTION Coordinates\n";
        const auto at = map_positions(instance);
        for (std::size_t v = 0; v < at.size(); ++v) {
            fmt::format_to(std::back_inserter(out), "DD {} {} {}\n", v + 1, at[v].x, at[v].y);
        }
        out += "END\n\n";
    }
    out += "EOF\n";
    return out;
}

}  // namespace neuroprim::formats
