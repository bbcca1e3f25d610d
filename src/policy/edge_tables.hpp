#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "neuroprim/problem.hpp"
#include "policy/aligned.hpp"
#include "policy/model.hpp"

namespace neuroprim::policy {

/// Everything about one instance that its trajectories share. A record per directed edge: edge (u, v) of a complete
/// graph has number u·n + v; on other graphs the neighbours of u stand at [row_begin[u], row_begin[u + 1]).
struct EdgeTables {
    struct Layer {
        AlignedFloats records;                 // (edges, 2·d_e): key and value of edge attention, in lane order
        std::vector<float> squared_key_norms;  // (heads) of the longest key of each head
    };

    std::shared_ptr<const Model> model;
    Vertex n = 0;
    bool complete = true;
    std::vector<std::size_t> row_begin;  // (n + 1), empty when complete
    std::vector<Vertex> neighbours;      // (edges), increasing inside each row, empty when complete
    double weight_unit = 1;              // feature distance per unit of weight
    AlignedFloats vertices;              // (n, d_v)
    std::vector<Layer> layers;           // (decoder_layers)
    AlignedFloats action_keys;           // (edges, d_e)
    AlignedFloats pooled;                // (edges, d_e/2): the part of the decoder's input that an edge brings
    std::vector<float> pooled_starts;    // (n, d_e/2): the same for the start (v, v)
    std::vector<float> pooled_graph;     // (d_e/2): the part that the graph feature brings

    [[nodiscard]] std::size_t first_record(Vertex u) const {
        const auto k = static_cast<std::size_t>(u);
        return complete ? k * static_cast<std::size_t>(n) : row_begin[k];
    }
    [[nodiscard]] std::size_t edge_count() const {
        return complete ? static_cast<std::size_t>(n) * static_cast<std::size_t>(n) : neighbours.size();
    }

    /// Number of the edge (u, v), which must exist. O(1), or O(log degree) on incomplete graphs.
    [[nodiscard]] std::size_t record(Vertex u, Vertex v) const {
        if (complete) return first_record(u) + static_cast<std::size_t>(v);
        const auto begin = neighbours.begin() + static_cast<std::ptrdiff_t>(row_begin[static_cast<std::size_t>(u)]);
        const auto end = neighbours.begin() + static_cast<std::ptrdiff_t>(row_begin[static_cast<std::size_t>(u) + 1]);
        return static_cast<std::size_t>(std::lower_bound(begin, end, v) - neighbours.begin());
    }
};

/// Encodes the vertices and fills the tables; costs O(n²·d_v·d_e) on complete graphs and O(m·d_v·d_e) on others,
/// besides the encoder. Throws Interrupted when the options say so.
[[nodiscard]] std::shared_ptr<const EdgeTables> make_edge_tables(std::shared_ptr<const Model> model,
                                                                 const Problem& problem,
                                                                 const EncodeOptions& options);

}  // namespace neuroprim::policy
