#include <fmt/format.h>

#include <iterator>

#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",;\"\r\n\t") == std::string::npos && text.find_first_not_of(' ') == 0 &&
        text.back() != ' ') {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

namespace {

std::string points_to_csv(const Instance& instance) {
    const Metric metric = instance.weights.metric();
    if (metric != Metric::euclidean && metric != Metric::great_circle) {
        throw InputError(
            fmt::format("CSV cannot say that the metric is {}: write .json, which can hold it", to_string(metric)));
    }
    refuse_loss(instance, "CSV", facts_of_vertices);

    std::string out = metric == Metric::great_circle ? "lon,lat" : "x,y";
    if (!instance.names.empty()) out += ",name";
    if (!instance.terminals.empty()) out += ",terminal";
    if (!instance.degree_limits.empty()) out += ",degree";
    if (!instance.leaves.empty()) out += ",leaf";
    if (!instance.demands.empty()) out += ",demand";
    if (!instance.masses.empty()) out += ",mass";
    if (!instance.prizes.empty()) out += ",prize";
    if (!instance.groups.empty()) out += ",group";
    if (instance.root) out += ",root";
    out += '\n';
    const auto is_terminal = terminal_flags(instance);
    const auto is_leaf = leaf_flags(instance);
    const auto points = instance.weights.points();
    for (std::size_t v = 0; v < points.size(); ++v) {
        fmt::format_to(std::back_inserter(out), "{},{}", points[v].x, points[v].y);
        if (!instance.names.empty()) out += ',' + csv_field(instance.names[v]);
        if (!instance.terminals.empty()) out += is_terminal[v] ? ",1" : ",0";
        if (!instance.degree_limits.empty()) {
            fmt::format_to(std::back_inserter(out), ",{}", instance.degree_limits[v]);
        }
        if (!instance.leaves.empty()) out += is_leaf[v] ? ",1" : ",0";
        if (!instance.demands.empty()) fmt::format_to(std::back_inserter(out), ",{}", instance.demands[v]);
        if (!instance.masses.empty()) fmt::format_to(std::back_inserter(out), ",{}", instance.masses[v]);
        if (!instance.prizes.empty()) fmt::format_to(std::back_inserter(out), ",{}", instance.prizes[v]);
        if (!instance.groups.empty()) fmt::format_to(std::back_inserter(out), ",{}", instance.groups[v]);
        if (instance.root) out += is_root(instance, static_cast<Vertex>(v)) ? ",1" : ",0";
        out += '\n';
    }
    return out;
}

std::string edges_to_csv(const Instance& instance) {
    refuse_loss(instance, "a CSV list of edges", {});
    // Readers take the largest number they see for the last vertex.
    const Vertex last = instance.size() - 1;
    bool last_has_edge = false;
    if (last >= 0) instance.weights.for_each_neighbour(last, [&](Vertex, double) { last_has_edge = true; });
    if (!last_has_edge) {
        throw InputError("a CSV list of edges cannot hold a last vertex without edges: write .json, which can");
    }
    std::string out = "u,v,weight\n";
    for (const auto& [u, v, weight] : instance.weights.edges()) {
        fmt::format_to(std::back_inserter(out), "{},{},{}\n", u, v, weight);
    }
    return out;
}

}  // namespace

std::string instance_to_csv(const Instance& instance) {
    return instance.weights.form() == Weights::Form::points ? points_to_csv(instance) : edges_to_csv(instance);
}

std::string solution_to_csv(const Instance& instance, const Solution& solution) {
    const bool named = !instance.names.empty();
    std::string out = named ? "u,v,weight,u_name,v_name\n" : "u,v,weight\n";
    for (const auto [u, v] : solution.tree.edges) {
        fmt::format_to(std::back_inserter(out), "{},{},{}", u, v, instance.weights(u, v));
        if (named) {
            fmt::format_to(std::back_inserter(out), ",{},{}", csv_field(instance.label(u)),
                           csv_field(instance.label(v)));
        }
        out += '\n';
    }
    return out;
}

}  // namespace neuroprim::formats
