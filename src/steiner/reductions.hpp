#pragma once

#include <cstddef>
#include <vector>

#include "graph/stop_token.hpp"
#include "steiner/graph.hpp"

namespace neuroprim::steiner {

/// One round of a test; each keeps an optimum and returns whether it changed the graph.
/// @{
/// Vertices of degree 1 and 2, terminals of degree 1; with prizes where these are small, or where they pay for the
/// only edge. O(n) and what it changes.
bool reduce_by_degree(Graph& graph);
/// Shortest ways out of a terminal's Voronoi region. O(m log n).
bool reduce_by_short_links(Graph& graph);
/// Prizes that pay for the way to a terminal, and for the lightest edge at an end of it. O(m log n).
bool reduce_by_prizes(Graph& graph);
/// @}

/// Makes a graph smaller so that an optimum of what is left, with the contracted edges, is an optimum of the whole:
/// the tests above, edges no shorter than the special distance of their ends, and vertices of degree 3 that no
/// optimum needs to branch at, in turn until a round gains little.
///
/// Every step is safe by itself, so the work may stop anywhere and go on later. Some O(m · effort) a round.
class Reducer {
public:
    /// A question about special distances looks at `effort` arcs at most.
    explicit Reducer(std::size_t effort = 400) : effort_(effort) {}

    /// True when finished; false when the stop token expired. Between calls the graph may lose edges and vertices,
    /// but numbers must stay what they are.
    bool advance(Graph& graph, const StopToken& stop);

private:
    enum class Stage { begin, edges, links, vertices, finished };

    void list_edges(const Graph& graph);
    [[nodiscard]] bool test_edges(Graph& graph, const StopToken& stop);
    [[nodiscard]] bool test_vertices(Graph& graph, const StopToken& stop);

    std::size_t effort_;
    Stage stage_ = Stage::begin;
    int edges_before_ = 0;
    int link_rounds_ = 0;
    std::vector<int> edges_;   // to test, heaviest first
    std::size_t next_ = 0;     // in edges_, or the next vertex
    std::size_t removed_ = 0;  // of the last thousand at most
};

/// All of it at once. False when the stop token ended it early.
bool reduce(Graph& graph, const StopToken& stop);

}  // namespace neuroprim::steiner
