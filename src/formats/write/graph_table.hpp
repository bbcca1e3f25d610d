#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/solution.hpp"

namespace neuroprim::formats {

/// A graph as other tools hold it: nodes with identifiers and attributes, edges with weights.
struct GraphTable {
    /// One attribute of all nodes. `type` is GraphML's word for it: boolean, int, double.
    struct Column {
        std::string_view name;
        std::string_view type;
        std::vector<std::string> values;  // (nodes)
    };

    std::string name;
    std::vector<Vertex> nodes;     // increasing
    std::vector<std::string> ids;  // (nodes); empty: their numbers
    std::vector<Column> columns;
    std::vector<WeightedEdge> edges;
    std::vector<std::size_t> place;  // (n) of each vertex in `nodes`

    [[nodiscard]] std::string id(std::size_t place) const;
};

/// All edges of the instance. Throws InputError where the attributes would lose what decides the answer, and where
/// points have too many pairs; `format` names the format in messages.
[[nodiscard]] GraphTable graph_table(const Instance& instance, std::string_view format);

/// The tree: its vertices, with roots and terminals marked, and its edges.
[[nodiscard]] GraphTable graph_table(const Instance& instance, const Solution& solution);

/// Throws InputError where an instance has so many pairs of points that no list of edges should hold them.
void refuse_many_pairs(const Instance& instance, std::string_view format);

}  // namespace neuroprim::formats
