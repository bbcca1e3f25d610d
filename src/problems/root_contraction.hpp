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
class RootContraction {
public:
    /// Throws InputError when there are too many points for a matrix.
    RootContraction(const TreeSpec& spec, const Instance& instance);

    [[nodiscard]] const TreeSpec& spec() const { return spec_; }
    [[nodiscard]] const Instance& instance() const { return instance_; }

    /// The vertex that stands for `v` here; that of all roots is the same.
    [[nodiscard]] Vertex contracted(Vertex v) const { return number_[index(v)]; }

    /// A forest of the given instance as a tree of the contracted one. Edges of a root become those of the lightest.
    [[nodiscard]] Tree contracted(const Tree& forest) const;

    /// The forest that a tree here stands for: postsolve. Edges keep their order, and it starts at the first root.
    [[nodiscard]] Tree forest(const Tree& tree) const;

private:
    [[nodiscard]] Edge edge_of(Vertex u, Vertex v) const;
    void contract_weights(const TreeSpec& spec, const Instance& given);
    void contract_specification(const TreeSpec& spec);

    std::vector<Vertex> number_;    // (n given) the vertex here
    std::vector<Vertex> original_;  // (n here) the vertex there; the first root for the root
    std::vector<Vertex> joined_;    // (n here) the root that the root's edge to this vertex comes from; or none
    Instance instance_;
    TreeSpec spec_;
};

}  // namespace neuroprim
