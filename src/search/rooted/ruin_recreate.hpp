#pragma once

#include <cstddef>
#include <vector>

#include "graph/neighbours.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/random.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim::rooted {

/// One step of the search: cuts a few vertices and subtrees near each other out of the tree and hangs them back, as
/// Prim's algorithm would, cheapest edge first, each where the limits allow it.
///
/// What is cut out at random and a little noise in the order make the steps differ; the caller decides whether a new
/// tree stays (`ResourceTree::commit`) or goes (`roll_back`).
class RuinRecreate {
public:
    /// What it is given must outlive it.
    RuinRecreate(const Problem& problem, const Neighbours& near, ResourceTree& tree);

    /// Takes a ruin of about `size` vertices around `seed`. False when the limits left something without a place: the
    /// tree is then in pieces and has to be rolled back.
    bool step(Vertex seed, std::size_t size, Random& random);

    /// Makes `hub` one: moves it nearer to the root, at the place of a vertex with children if there is one, and
    /// offers it to those and to the vertices around it. For limits on hops.
    bool promote(Vertex hub, Random& random);

    /// Counts hops from another centre: `centre` or, if the diameter is odd, the edge between it and `twin`. What is
    /// too deep then hangs elsewhere. O(n).
    bool move_centre(Vertex centre, Vertex twin, Random& random);

private:
    /// A floating subtree, or a vertex outside, that may hang from `u`.
    struct Option {
        double key = 0;  // by which options are taken, smallest first
        Vertex u = no_vertex;
        Vertex v = no_vertex;
        Place place;  // of u
    };
    struct Waiting {
        Vertex u;
        Vertex v;
        int next;  // the next one whose u is in the same floating subtree, −1: none
    };

    void begin();
    bool finish(Random& random);
    void ruin(Vertex seed, std::size_t size, Random& random);
    void ruin_branches(Vertex seed, std::size_t size, Random& random);
    void cut_children(Vertex v);
    void isolate(Vertex v, Random& random);
    void cut(Vertex v);
    bool recreate(Random& random);
    void settle_singles();
    void add_options(Vertex v, Random& random);
    void add_option(Vertex u, Vertex v, Random& random);
    void await(Vertex top, Vertex u, Vertex v);
    void push(Vertex u, Vertex v, const Place& place, Random& random);
    bool take(const Option& option);
    void wake(Vertex top, Random& random);
    void prune(Vertex v);
    [[nodiscard]] Option cheapest_place(Vertex v, Vertex also, int most_hops, bool everywhere) const;
    [[nodiscard]] bool is_waiting(Vertex v) const { return waits_[index(v)] != 0; }

    const Problem* problem_;
    const TreeSpec* spec_;
    const Neighbours* near_;
    ResourceTree* tree_;
    bool has_expendable_ = false;
    std::vector<std::vector<Vertex>> members_;  // of each group

    // Of the present step.
    double from_root_ = 0;        // how much a vertex far from the root is preferred
    double by_depth_ = 0;         // how much a deep parent is avoided
    Vertex offered_ = no_vertex;  // a parent that is offered to all
    std::vector<Vertex> chosen_;
    std::vector<Vertex> floating_;  // tops that must hang again
    std::vector<Vertex> outside_;   // vertices that may come in
    std::vector<int> open_groups_;
    std::vector<Vertex> touched_;  // lost a child or came in
    std::vector<Option> heap_;
    std::vector<Waiting> waiting_;
    std::vector<int> first_waiting_;  // (n) by top, −1: none
    std::vector<char> waits_;         // (n) a floating top or an outside vertex that may come in
    std::vector<char> mark_;          // (n) chosen for the ruin
};

}  // namespace neuroprim::rooted
