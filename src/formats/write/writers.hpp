#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/solution.hpp"

/// One function per format, each giving the whole text of the file. Numbers read back exactly.
/// All throw InputError when the format cannot hold the instance.
namespace neuroprim::formats {

[[nodiscard]] std::string solution_to_csv(const Instance& instance, const Solution& solution);
[[nodiscard]] std::string solution_to_geojson(const Instance& instance, const Solution& solution);
[[nodiscard]] std::string solution_to_dot(const Instance& instance, const Solution& solution);
[[nodiscard]] std::string solution_to_graphml(const Instance& instance, const Solution& solution);
[[nodiscard]] std::string solution_to_node_link(const Instance& instance, const Solution& solution);
[[nodiscard]] std::string solution_to_matrix_market(const Instance& instance, const Solution& solution);
[[nodiscard]] std::string solution_to_metis(const Instance& instance, const Solution& solution);

/// For the time before a search: throw where no tree of the instance could be written, as far as weights and
/// positions tell; O(n). The first asks for the format of this path.
void check_solution_format(const std::string& path, const Instance& instance);
void check_trees_have_positions(const Instance& instance);
void check_trees_fit_metis(const Instance& instance);

[[nodiscard]] std::string instance_to_json(const Instance& instance);
[[nodiscard]] std::string instance_to_tsplib(const Instance& instance);
[[nodiscard]] std::string instance_to_steinlib(const Instance& instance);
[[nodiscard]] std::string instance_to_csv(const Instance& instance);
[[nodiscard]] std::string instance_to_geojson(const Instance& instance);
[[nodiscard]] std::string instance_to_graphml(const Instance& instance);
[[nodiscard]] std::string instance_to_node_link(const Instance& instance);
[[nodiscard]] std::string instance_to_matrix_market(const Instance& instance);
[[nodiscard]] std::string instance_to_metis(const Instance& instance);

/// A field of CSV, quoted as RFC 4180 says where the text needs it.
[[nodiscard]] std::string csv_field(const std::string& text);

/// What a format keeps beside the graph. Names and layouts are ornaments and may get lost; these may not.
struct Holds {
    bool terminals = false;
    bool degree_limits = false;
    bool leaves = false;
    bool demands = false;
    bool masses = false;
    bool prizes = false;
    bool groups = false;
    bool root = false;
    bool several_roots = false;
    bool requirements = false;
};

/// A table of points has a column for each fact about one vertex, and none for pairs.
inline constexpr Holds facts_of_vertices = {.terminals = true,
                                            .degree_limits = true,
                                            .leaves = true,
                                            .demands = true,
                                            .masses = true,
                                            .prizes = true,
                                            .groups = true,
                                            .root = true,
                                            .several_roots = true,
                                            .requirements = false};

/// Throws InputError when `instance` has something that decides its answers and that the format would lose.
void refuse_loss(const Instance& instance, std::string_view format, Holds holds);

[[nodiscard]] bool is_root(const Instance& instance, Vertex v);

/// One flag per vertex.
[[nodiscard]] std::vector<bool> terminal_flags(const Instance& instance);
[[nodiscard]] std::vector<bool> leaf_flags(const Instance& instance);

}  // namespace neuroprim::formats
