#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "formats/write/output_file.hpp"
#include "formats/write/writer_choice.hpp"
#include "formats/write/writers.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

void refuse_loss(const Instance& instance, std::string_view format, Holds holds) {
    const auto refuse = [&](std::string_view what) {
        throw InputError(fmt::format("{} cannot hold {}: write .json, which can", format, what));
    };
    if (!instance.terminals.empty() && !holds.terminals) refuse("terminals");
    if (!instance.degree_limits.empty() && !holds.degree_limits) refuse("degree limits");
    if (!instance.leaves.empty() && !holds.leaves) refuse("leaves");
    if (!instance.demands.empty() && !holds.demands) refuse("demands");
    if (!instance.masses.empty() && !holds.masses) refuse("masses");
    if (!instance.prizes.empty() && !holds.prizes) refuse("prizes");
    if (!instance.groups.empty() && !holds.groups) refuse("groups");
    if (instance.root && !holds.root) refuse("a root");
    if (!instance.other_roots.empty() && !holds.several_roots) refuse("several roots");
    if (!instance.requirements.empty() && !holds.requirements) refuse("requirements");
}

namespace {

std::vector<bool> flags_of(const std::vector<Vertex>& vertices, Vertex n) {
    std::vector<bool> flags(static_cast<std::size_t>(n));
    for (const Vertex v : vertices) flags[static_cast<std::size_t>(v)] = true;
    return flags;
}

}  // namespace

bool is_root(const Instance& instance, Vertex v) {
    return v == instance.root || std::binary_search(instance.other_roots.begin(), instance.other_roots.end(), v);
}

std::vector<bool> terminal_flags(const Instance& instance) {
    return flags_of(instance.terminals, instance.size());
}

std::vector<bool> leaf_flags(const Instance& instance) {
    return flags_of(instance.leaves, instance.size());
}

}  // namespace neuroprim::formats

namespace neuroprim {
using namespace formats;

namespace {

constexpr std::array<FormatInfo, 9> known_instance_formats = {{
    {"json", "everything an instance can have"},
    {"tsp", "TSPLIB: points with TSPLIB's metrics, or a full matrix"},
    {"stp", "SteinLib: edges, terminals, degree limits, prizes, a root"},
    {"csv", "points as x,y or lon,lat; edges as u,v,weight when there are no points"},
    {"geojson", "points by longitude and latitude"},
    {"graphml", "GraphML: a graph with attributes"},
    {"node-link", "NetworkX node-link JSON, also as .node-link.json"},
    {"mtx", "Matrix Market: a sparse matrix"},
    {"metis", "METIS: a graph with whole weights, also as .graph"},
}};

using WriteInstance = std::string (*)(const Instance&);
constexpr std::array<WriteInstance, known_instance_formats.size()> instance_writers = {
    instance_to_json,    instance_to_tsplib,    instance_to_steinlib,      instance_to_csv,  instance_to_geojson,
    instance_to_graphml, instance_to_node_link, instance_to_matrix_market, instance_to_metis};

}  // namespace

std::span<const FormatInfo> instance_formats() {
    return known_instance_formats;
}

void check_instance_path(const std::string& path, std::string_view format) {
    (void)chosen_format(path, format, known_instance_formats);
    check_writable(path);
}

void write_instance(const std::string& path, const Instance& instance, std::string_view format) {
    const std::size_t chosen = chosen_format(path, format, known_instance_formats);
    OutputFile file(path);
    file.write(instance_writers[chosen](instance));
    file.commit();
}

}  // namespace neuroprim
