#pragma once

#include <cstddef>
#include <cstdint>
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
    /// A vertex that a floating subtree, or a vertex outside, may hang from.
    struct Option {
        double key = Weights::infinity;  // by which options are taken, smallest first
        Vertex u = no_vertex;
        Place place;  // of u
    };
    /// The best option of `v`, when it was found.
    struct Candidate {
        double key;
        Vertex u;
        Vertex v;
    };
    struct Waiting {
        Vertex u;
        Vertex v;
        double weight;
        int next;  // the next one whose u is in the same floating subtree, −1: none
    };
    struct KnownPlace {
        std::uint32_t stamp = 0;
        Place place;
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
    void find_option(Vertex v, Random& random);
    void consider(Vertex u, Vertex v, double weight, Random& random);
    void await(Vertex top, Vertex u, Vertex v, double weight);
    void offer(Vertex u, Vertex v, double weight, const Place& place, Random& random);
    bool take(Vertex v, const Option& option);
    void wake(Vertex top, Random& random);
    void prune(Vertex v);
    void forget_places() { ++stamp_; }
    [[nodiscard]] Place place(Vertex u);
    [[nodiscard]] bool is_too_dear(Vertex v, double weight, const Option& best) const;
    [[nodiscard]] double head_start(Vertex v) const;
    [[nodiscard]] Option cheapest_place(Vertex v, Vertex also, int most_hops, bool everywhere);
    [[nodiscard]] bool is_waiting(Vertex v) const { return waits_[index(v)] != 0; }

    const Problem* problem_;
    const TreeSpec* spec_;
    const Neighbours* near_;
    ResourceTree* tree_;
    bool has_expendable_ = false;
    bool priced_from_below_ = false;            // no edge costs less than its weight × what its own load makes of it
    std::vector<double> near_weight_;           // parallel to the lists
    std::vector<std::vector<Vertex>> members_;  // of each group

    // Of the present step.
    double from_root_ = 0;        // how much a vertex far from the root is preferred
    double by_depth_ = 0;         // how much a deep parent is avoided
    double by_length_ = 0;        // and one that is far from the root along the tree
    Vertex offered_ = no_vertex;  // a parent that is offered to all
    std::vector<Vertex> chosen_;
    std::vector<Vertex> floating_;  // tops that must hang again
    std::vector<Vertex> outside_;   // vertices that may come in
    std::vector<int> open_groups_;
    std::vector<Vertex> touched_;  // lost a child or came in
    std::vector<Option> option_;   // (n) of those that wait
    std::vector<Candidate> heap_;
    std::vector<Waiting> waiting_;
    std::vector<int> first_waiting_;  // (n) by top, −1: none
    std::vector<char> waits_;         // (n) a floating top or an outside vertex that may come in
    std::vector<char> mark_;          // (n) chosen for the ruin
    std::uint32_t stamp_ = 0;
    std::vector<KnownPlace> known_place_;  // (n) of vertices below the root, valid if the stamp is the present one
    std::vector<Vertex> way_up_;           // to one of them
    std::uint32_t looks_ = 0;
    std::vector<std::uint32_t> looked_at_;  // (n) the last look for options that came by
};

}  // namespace neuroprim::rooted
