#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "formats/pictures/caption.hpp"
#include "formats/pictures/layout.hpp"
#include "formats/write/writers.hpp"

namespace neuroprim::formats {

namespace {

std::string dot_string(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\n' || c == '\r' ? ' ' : c;
    }
    return quoted + '"';
}

/// Graphviz counts positions in inches; the exclamation mark keeps neato from moving the vertex.
std::vector<Point> inches(const Instance& instance) {
    const double longer_side = instance.size() <= 60 ? 8 : 20;
    auto at = planar_positions(instance);
    const Bounds bounds = bounds_of(at);
    const double extent = std::max(bounds.width(), bounds.height());
    const double scale = extent > 0 ? longer_side / extent : 1;
    for (auto& p : at) p = {(p.x - bounds.low.x) * scale, (p.y - bounds.low.y) * scale};
    return at;
}

/// Numbers fit into circles of one size; names need boxes that grow.
std::string_view node_defaults(bool has_names) {
    return has_names ? "shape=box, style=\"rounded,filled\", margin=\"0.06,0.03\", width=0, height=0.22"
                     : "shape=circle, style=filled, fixedsize=true, width=0.3, height=0.3";
}

std::string look(bool is_start, bool is_terminal, bool in_tree) {
    std::string attributes;
    if (is_terminal) attributes += ", shape=box, style=filled, fillcolor=\"#2563eb\", fontcolor=white";
    if (is_start) attributes += ", peripheries=2, color=\"#dc2626\"";
    if (is_start && !is_terminal) attributes += ", fontcolor=\"#dc2626\"";
    if (!in_tree && !is_start) attributes += ", color=\"#cbd5e1\", fontcolor=\"#94a3b8\"";
    return attributes;
}

}  // namespace

std::string solution_to_dot(const Instance& instance, const Solution& solution) {
    const auto at = inches(instance);
    const auto degree = degrees(solution.tree, instance.size());
    const auto is_terminal = terminal_flags(instance);
    const std::vector<Vertex> roots = solution.roots();

    std::string out = fmt::format("graph {} {{\n", dot_string(instance.name));
    out += "    graph [layout=neato, overlap=true, splines=line, outputorder=edgesfirst];\n";
    out += fmt::format("    node [{}, fillcolor=white, color=\"#475569\", fontname=\"sans-serif\", fontsize=9];\n",
                       node_defaults(!instance.names.empty()));
    out += "    edge [color=\"#64748b\", fontname=\"sans-serif\", fontsize=8, fontcolor=\"#64748b\"];\n";
    for (std::size_t v = 0; v < is_terminal.size(); ++v) {
        fmt::format_to(std::back_inserter(out), "    {} [label={}", v,
                       dot_string(instance.label(static_cast<Vertex>(v))));
        if (!at.empty()) fmt::format_to(std::back_inserter(out), ", pos=\"{:.4f},{:.4f}!\"", at[v].x, at[v].y);
        const bool is_start = std::find(roots.begin(), roots.end(), static_cast<Vertex>(v)) != roots.end();
        out += look(is_start, is_terminal[v], degree[v] > 0);
        out += "];\n";
    }
    for (const auto [u, v] : solution.tree.edges) {
        fmt::format_to(std::back_inserter(out), "    {} -- {} [label=\"{}\"];\n", u, v,
                       readable(instance.weights(u, v)));
    }
    out += "}\n";
    return out;
}

}  // namespace neuroprim::formats
