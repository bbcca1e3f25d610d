#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/rooted/path_insertion.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim::rooted {

/// Ruin and recreate for trees that need not hold every vertex: what is cut off comes back by paths through vertices
/// that are outside, and vertices that serve nothing leave the tree.
///
/// `step` is for the search: the caller commits it or rolls it back. `insert` and `force` are for trees that still
/// miss some of their vertices.
class PathRecreate {
public:
    /// What it is given must outlive it.
    PathRecreate(const Problem& problem, const Neighbours& near, ResourceTree& tree);

    /// Takes a ruin of about `size` terminals and branching vertices around `seed`. False when something found no way
    /// back: the tree is then in pieces and has to be rolled back.
    bool step(Vertex seed, std::size_t size, Random& random);

    /// Takes the outside vertex `v` into the tree. False, and nothing has changed, when no path was found.
    bool insert(Vertex v, Random& random);

    /// The same by force: what is in the way leaves the tree and comes back where it can. What cannot is left out.
    bool force(Vertex v, Random& random);

    /// Ruins around `v`, brings `v` in first, and leaves out what finds no way back.
    bool make_way(Vertex v, std::size_t size, Random& random);

    /// Required vertices that the last `force` or `make_way` left out.
    [[nodiscard]] std::span<const Vertex> left_out() const { return left_out_; }

private:
    void begin(Random& random);
    void choose_around(Vertex seed, std::size_t size, Random& random);
    void ruin(Vertex seed, std::size_t size, Random& random);
    [[nodiscard]] Vertex top_of_small_subtree(Vertex v, std::size_t size);
    void dismantle(Vertex top);
    void isolate(Vertex v, Random& random);
    void cut(Vertex v);
    void prune(Vertex v);
    void trim();
    void take_paying(Random& random);
    void rehang(Random& random);
    void bring_back(Random& random);
    void note_insertion();
    bool insert_as_wished(Vertex v, Random& random);
    [[nodiscard]] bool is_key(Vertex v) const;

    const Problem* problem_;
    const TreeSpec* spec_;
    const Neighbours* near_;
    ResourceTree* tree_;
    PathInsertion insertion_;
    bool has_prizes_ = false;

    // Of the present step.
    PathTaste taste_;
    std::vector<Vertex> chosen_;    // inside, for the ruin
    std::vector<Vertex> around_;    // seen on the way to them
    std::vector<Vertex> floating_;  // tops that must hang again
    std::vector<Vertex> touched_;   // lost a child or came in
    std::vector<Vertex> left_out_;
    std::vector<Vertex> subtree_;
    std::vector<char> mark_;  // (n) seen
};

}  // namespace neuroprim::rooted
