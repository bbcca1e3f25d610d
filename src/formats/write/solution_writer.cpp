#include <array>

#include "formats/write/output_file.hpp"
#include "formats/write/writer_choice.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim {
using namespace formats;

namespace {

std::string solution_to_svg(const Instance& instance, const Solution& solution) {
    return to_svg(draw_tree(instance, solution));
}

std::string solution_to_png(const Instance& instance, const Solution& solution) {
    return to_png(draw_tree(instance, solution));
}

constexpr std::array<FormatInfo, 10> known_tree_formats = {{
    {"json", "the tree with its cost, bound and origin"},
    {"csv", "one edge a line: u,v,weight"},
    {"geojson", "lines and points on a map"},
    {"dot", "Graphviz"},
    {"svg", "a picture, scalable, with names under the pointer"},
    {"png", "a picture in pixels"},
    {"graphml", "GraphML: the tree as a graph"},
    {"node-link", "NetworkX node-link JSON, also as .node-link.json"},
    {"mtx", "Matrix Market: the tree as a sparse matrix"},
    {"metis", "METIS: the tree as a graph with whole weights, also as .graph"},
}};

using WriteTree = std::string (*)(const Instance&, const Solution&);
constexpr std::array<WriteTree, known_tree_formats.size()> tree_writers = {
    solution_to_json, solution_to_csv,     solution_to_geojson,   solution_to_dot,           solution_to_svg,
    solution_to_png,  solution_to_graphml, solution_to_node_link, solution_to_matrix_market, solution_to_metis};

using CheckInstance = void (*)(const Instance&);
void hold_every_tree(const Instance&) {}
constexpr std::array<CheckInstance, known_tree_formats.size()> tree_checks = {
    hold_every_tree,      hold_every_tree, check_trees_have_positions,
    hold_every_tree,      hold_every_tree, hold_every_tree,
    hold_every_tree,      hold_every_tree, hold_every_tree,
    check_trees_fit_metis};

}  // namespace

std::span<const FormatInfo> tree_formats() {
    return known_tree_formats;
}

void check_solution_path(const std::string& path) {
    (void)chosen_format(path, {}, known_tree_formats);
    check_writable(path);
}

void write_solution(const std::string& path, const Instance& instance, const Solution& solution) {
    const std::size_t format = chosen_format(path, {}, known_tree_formats);
    // Opened first, so that a folder that is not there is found out before a large picture is drawn.
    OutputFile file(path);
    file.write(tree_writers[format](instance, solution));
    file.commit();
}

void formats::check_solution_format(const std::string& path, const Instance& instance) {
    tree_checks[chosen_format(path, {}, known_tree_formats)](instance);
}

}  // namespace neuroprim
