#include <fmt/format.h>

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

}  // namespace

std::string instance_to_steinlib(const Instance& instance) {
    if (instance.weights.form() == Weights::Form::points && instance.size() > most_points) {
        throw InputError(
            fmt::format("SteinLib lists every edge, and {} points have {} of them: write at most {} "
                        "points as .stp, or .json or .csv",
                        instance.size(), instance.weights.edge_count(), most_points));
    }
    refuse_loss(instance, "SteinLib", {.terminals = true, .degree_limits = true});

    std::string out = "33D32945 STP File, STP Format Version 1.0\n\n";
    if (!instance.name.empty()) out += fmt::format("SECTION Comment\nName \"{}\"\nEND\n\n", quotable(instance.name));
    out += fmt::format("SECTION Graph\nNodes {}\nEdges {}\n", instance.size(), instance.weights.edge_count());
    append_edges(out, instance.weights);
    out += fmt::format("END\n\nSECTION Terminals\nTerminals {}\n", instance.terminals.size());
    for (const Vertex v : instance.terminals) out += fmt::format("T {}\n", v + 1);
    out += "END\n\n";
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
