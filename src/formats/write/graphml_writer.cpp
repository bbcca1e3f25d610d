#include <fmt/format.h>

#include <iterator>

#include "formats/write/graph_table.hpp"
#include "formats/write/writers.hpp"

namespace neuroprim::formats {

namespace {

/// For attributes and text. XML cannot hold control characters at all.
std::string xml_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\t':
            case '\n':
            case '\r':
                result += fmt::format("&#{};", static_cast<int>(c));
                break;
            default:
                result += c >= 0 && c < ' ' ? '?' : c;
        }
    }
    return result;
}

std::string graphml_of(const GraphTable& graph) {
    std::string out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    for (std::size_t k = 0; k < graph.columns.size(); ++k) {
        const auto& [name, type, values] = graph.columns[k];
        out += fmt::format("<key id=\"n{}\" for=\"node\" attr.name=\"{}\" attr.type=\"{}\"/>\n", k, name, type);
    }
    out += "<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n";
    out += fmt::format("<graph id=\"{}\" edgedefault=\"undirected\">\n", xml_text(graph.name));
    for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
        out += fmt::format("<node id=\"{}\">", xml_text(graph.id(v)));
        for (std::size_t k = 0; k < graph.columns.size(); ++k) {
            fmt::format_to(std::back_inserter(out), "<data key=\"n{}\">{}</data>", k, graph.columns[k].values[v]);
        }
        out += "</node>\n";
    }
    for (const auto& [u, v, weight] : graph.edges) {
        fmt::format_to(std::back_inserter(out),
                       "<edge source=\"{}\" target=\"{}\"><data key=\"weight\">{}</data></edge>\n",
                       xml_text(graph.id(graph.place[index(u)])), xml_text(graph.id(graph.place[index(v)])), weight);
    }
    return out + "</graph>\n</graphml>\n";
}

}  // namespace

std::string instance_to_graphml(const Instance& instance) {
    return graphml_of(graph_table(instance, "GraphML"));
}

std::string solution_to_graphml(const Instance& instance, const Solution& solution) {
    return graphml_of(graph_table(instance, solution));
}

}  // namespace neuroprim::formats
