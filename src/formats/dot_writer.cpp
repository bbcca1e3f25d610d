#include <fmt/format.h>

#include <iterator>

#include "formats/picture_layout.hpp"
#include "formats/writers.hpp"

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

std::string look(bool is_start, bool is_terminal, bool in_tree) {
    std::string attributes;
    if (is_terminal) attributes += ", shape=box, style=filled, fillcolor=\"#2563eb\", fontcolor=white";
    if (is_start) {
        attributes += is_terminal ? ", color=\"#dc2626\", penwidth=3"
                                  : ", shape=doublecircle, color=\"#dc2626\", fontcolor=\"#dc2626\"";
    }
    if (!in_tree && !is_start) attributes += ", color=\"#cbd5e1\", fontcolor=\"#94a3b8\"";
    return attributes;
}

}  // namespace

std::string solution_to_dot(const Instance& instance, const Solution& solution) {
    const auto at = inches(instance);
    const auto degree = degrees(solution.tree, instance.size());
    const auto is_terminal = terminal_flags(instance);

    std::string out = fmt::format("graph {} {{\n", dot_string(instance.name));
    out += "    graph [layout=neato, overlap=true, splines=line, outputorder=edgesfirst];\n";
    out += "    node [shape=circle, fontname=\"sans-serif\", fontsize=9, width=0.3, height=0.3, fixedsize=true,\n";
    out += "          style=filled, fillcolor=white, color=\"#475569\"];\n";
    out += "    edge [color=\"#64748b\", fontname=\"sans-serif\", fontsize=8, fontcolor=\"#64748b\"];\n";
    for (std::size_t v = 0; v < is_terminal.size(); ++v) {
        fmt::format_to(std::back_inserter(out), "    {} [label={}", v,
                       dot_string(instance.label(static_cast<Vertex>(v))));
        if (!at.empty()) fmt::format_to(std::back_inserter(out), ", pos=\"{:.4f},{:.4f}!\"", at[v].x, at[v].y);
        out += look(static_cast<Vertex>(v) == solution.tree.start, is_terminal[v], degree[v] > 0);
        out += "];\n";
    }
    for (const auto [u, v] : solution.tree.edges) {
        fmt::format_to(std::back_inserter(out), "    {} -- {} [label=\"{:.6g}\"];\n", u, v, instance.weights(u, v));
    }
    out += "}\n";
    return out;
}

}  // namespace neuroprim::formats
