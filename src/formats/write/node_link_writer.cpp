#include <fmt/format.h>

#include <iterator>

#include "formats/write/graph_table.hpp"
#include "formats/write/json_object.hpp"
#include "formats/write/writers.hpp"

namespace neuroprim::formats {

namespace {

/// Numbers stay numbers, so that networkx has nodes 0, 1, 2, … again.
std::string node_link_id(const GraphTable& graph, std::size_t place) {
    return graph.ids.empty() ? graph.id(place) : json_string(graph.id(place));
}

std::string node_link_of(const GraphTable& graph) {
    JsonObject object(JsonObject::Layout::lines);
    object.flag("directed", false);
    object.flag("multigraph", false);
    object.raw("graph", fmt::format("{{\"name\": {}}}", json_string(graph.name)));
    object.long_list("nodes", graph.nodes.size(), [&](std::string& out, std::size_t v) {
        out += fmt::format("{{\"id\": {}", node_link_id(graph, v));
        for (const auto& column : graph.columns) {
            fmt::format_to(std::back_inserter(out), ", \"{}\": {}", column.name, column.values[v]);
        }
        out += '}';
    });
    object.long_list("edges", graph.edges.size(), [&](std::string& out, std::size_t k) {
        const auto& [u, v, weight] = graph.edges[k];
        fmt::format_to(std::back_inserter(out), R"({{"source": {}, "target": {}, "weight": {}}})",
                       node_link_id(graph, graph.place[index(u)]), node_link_id(graph, graph.place[index(v)]),
                       weight);
    });
    return std::move(object).finish();
}

}  // namespace

std::string instance_to_node_link(const Instance& instance) {
    return node_link_of(graph_table(instance, "node-link JSON"));
}

std::string solution_to_node_link(const Instance& instance, const Solution& solution) {
    return node_link_of(graph_table(instance, solution));
}

}  // namespace neuroprim::formats
