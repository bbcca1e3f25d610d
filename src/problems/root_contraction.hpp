#pragma once

#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/tree.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim {

/// A specification with several roots as one with a single root, so that growing, searches and bounds know of one
/// only.
///
/// The roots become one vertex. Its edge to a vertex v is the lightest of the roots' edges to v, so that hops,
/// lengths and loads of branches are those of the forest, and the best tree here is the best forest there. Points
/// become a matrix: O(n²); sparse graphs stay sparse.
///
/// Of more than `most_for_a_matrix` points only the edges to near points, those of the minimum spanning tree and
/// those of the root are kept: O(n log n). The shortest forest without limits is among them, and each vertex may hang
/// from its root directly, but what is proven about these trees is not proven about all forests.
class RootContraction {
public:
    static constexpr std::size_t most_for_a_matrix = 10'000;

    RootContraction(const TreeSpec& spec, const Instance& instance);

    [[nodiscard]] const TreeSpec& spec() const { return spec_; }
    [[nodiscard]] const Instance& instance() const { return instance_; }

    /// Does it have every edge of the given instance?
    [[nodiscard]] bool has_all_edges() const { return has_all_edges_; }

    /// The vertex that stands for `v` here; that of all roots is the same.
    [[nodiscard]] Vertex contracted(Vertex v) const { return number_[index(v)]; }

    /// A forest of the given instance as a tree of the contracted one. Edges of a root become those of the lightest.
    [[nodiscard]] Tree contracted(const Tree& forest) const;

    /// The forest that a tree here stands for: postsolve. Edges keep their order, and it starts at the first root.
    [[nodiscard]] Tree forest(const Tree& tree) const;

private:
    [[nodiscard]] Edge edge_of(Vertex u, Vertex v) const;
    void take_near_edges(const TreeSpec& spec, const Weights& given, const std::vector<double>& lightest);
    void contract_weights(const TreeSpec& spec, const Instance& given);
    void contract_specification(const TreeSpec& spec);

    std::vector<Vertex> number_;    // (n given) the vertex here
    std::vector<Vertex> original_;  // (n here) the vertex there; the first root for the root
    std::vector<Vertex> joined_;    // (n here) the root that the root's edge to this vertex comes from; or none
    bool has_all_edges_ = true;
    Instance instance_;
    TreeSpec spec_;
};

}  // namespace neuroprim
