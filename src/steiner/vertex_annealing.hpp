#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/random.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// Simulated annealing over Steiner trees by small moves, for graphs where most trees nearby cost the same
/// (hypercubes, words that differ in one letter, bipartite graphs): there descents end at once, and what counts is
/// how many trees are seen.
///
/// A state is a set of vertices that holds the terminals. It costs its minimum spanning forest, the prizes outside,
/// and a penalty for every tree of the forest but one. So terminals may stand alone for a while, and sets change by
/// one vertex that joins or leaves, or by one that takes another's place. The forest is kept from move to move:
/// joining is O(degree · depth), leaving looks at what it separates but for the largest part.
///
/// Prizes are those of the flat graph's copies, which themselves are no part of a state.
class VertexAnnealing {
public:
    VertexAnnealing(const FlatGraph& graph, const EdgeTree& start);

    struct Heat {
        double temperature;
        double penalty;  ///< of a tree of the forest
    };

    /// Tries so many moves. Fewer when the stop token expires.
    void run(std::int64_t moves, const Heat& heat, Random& random, const StopToken& stop);

    /// The forest and the prizes outside, without penalties; by the flat graph's weights where it is a tree.
    [[nodiscard]] double cost() const { return weight_ + lost_ + copies_; }
    [[nodiscard]] int trees() const { return trees_; }
    [[nodiscard]] bool contains(Vertex v) const { return v < n_ && in_[index(v)] != 0; }
    /// The forest and the edges about prizes, as they stand.
    [[nodiscard]] std::vector<int> edges() const;
    /// The cheapest tree so far, pruned.
    [[nodiscard]] const EdgeTree& best() const { return best_; }

private:
    struct Near {
        Vertex to;
        int edge;
        double weight;
    };
    struct Hook {
        Vertex parent = no_vertex;
        int edge = -1;
        double weight = 0;
    };
    struct Change {
        Vertex v;
        Hook hook;
    };
    struct Joint {
        Vertex from, to;  // from is in a part that was looked at
        int edge;
        double weight;
    };

    [[nodiscard]] std::span<const Near> near(Vertex v) const {
        return std::span(near_).subspan(begin_[index(v)], static_cast<std::size_t>(count_[index(v)]));
    }
    [[nodiscard]] bool is_in(Vertex v) const { return in_[index(v)] != 0; }
    [[nodiscard]] Vertex part(Vertex v) const { return mark_[index(v)] == stamp_ ? part_[index(v)] : largest_; }

    void load(const EdgeTree& tree);
    void hook(Vertex v, const Hook& to);
    void turn(Vertex v, const Hook& to);
    void join(Vertex v);
    void connect(Vertex v, const Near& edge);
    void leave(Vertex v);
    void find_parts();
    void find_joints(Vertex without);
    void show(Vertex v);
    void hide(Vertex v);
    void undo(Vertex joined, Vertex left);
    void keep_best();

    const FlatGraph& graph_;
    Vertex n_ = 0;       // without copies
    double copies_ = 0;  // what they weigh in every tree
    double weight_ = 0;  // of the forest
    double lost_ = 0;    // prizes outside
    int trees_ = 0;      // of the forest
    EdgeTree best_;
    double least_gain_ = 0;

    std::vector<double> prize_;       // (n)
    std::vector<std::size_t> begin_;  // (n + 1) of the arcs of a vertex
    std::vector<Near> near_;          // arcs to vertices of the state: the first count_ of each vertex
    std::vector<int> count_;          // (n)
    std::vector<char> in_;            // (n)
    std::vector<Hook> hook_;          // (n) where a vertex of the state hangs in the forest
    std::vector<Vertex> inside_;      // vertices that may leave
    std::vector<Vertex> outside_;     // vertices that may join
    std::vector<std::size_t> place_;  // (n) in one of the two
    std::vector<Change> changes_;     // since the move began
    double weight_before_ = 0;
    double lost_before_ = 0;
    int trees_before_ = 0;

    // The parts of a tree without a vertex; the largest one is not looked at.
    int stamp_ = 0;
    std::vector<int> mark_;     // (n)
    std::vector<Vertex> part_;  // (n)
    Vertex largest_ = 0;
    std::vector<Vertex> seeds_;
    std::vector<std::vector<Vertex>> members_;  // of each part; of the largest only some
    std::vector<std::size_t> next_;
    std::vector<Joint> joints_;
    std::vector<Vertex> set_of_;  // of each part, while they are joined
};

}  // namespace neuroprim::steiner
