#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/random.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/flat_graph.hpp"

namespace neuroprim::steiner {

/// Simulated annealing over Steiner trees by small moves, for graphs where most trees nearby cost the same
/// (hypercubes, words that differ in one letter): there descents end at once, and what counts is how many trees are
/// seen.
///
/// A move takes a Steiner vertex out and joins the parts of the tree again, by edges between them or by vertices
/// outside that touch two parts or more, the cheapest join per part first; or it takes a vertex in that touches the
/// tree twice, and the heaviest key path of each cycle goes; or it cuts a key path of a terminal. Leaves that are no
/// terminals go. The tree that results is kept if it costs no more, or a little more with a chance that falls with
/// the temperature. A move looks at what it separates and at the neighbours of that; taking in is O(n).
class VertexAnnealing {
public:
    VertexAnnealing(const FlatGraph& graph, const EdgeTree& start);

    /// Tries so many moves at this temperature. Fewer when the stop token expires.
    void run(std::int64_t moves, double temperature, Random& random, const StopToken& stop);

    /// Goes on from another tree.
    void restart(const EdgeTree& tree);

    [[nodiscard]] double cost() const { return cost_; }
    [[nodiscard]] EdgeTree tree() const;
    /// The cheapest since the last start.
    [[nodiscard]] const EdgeTree& best() const { return best_; }

private:
    /// An edge to one of the parts. (Part: a vertex, where a vertex is taken in.)
    struct End {
        Vertex part;
        int edge;  // −1: none is needed
        double weight;
    };
    /// Some edges that have a vertex in common, or one edge and where it leads: a range of `ends_`.
    struct Join {
        std::size_t first;
        std::size_t count;
    };

    void add(int e);
    void remove(int e);
    void undo();
    Vertex drop_leaves(Vertex from);
    [[nodiscard]] Vertex other_end(int e, Vertex v) const {
        return graph_.link(e).u == v ? graph_.link(e).v : graph_.link(e).u;
    }
    [[nodiscard]] bool contains(Vertex v) const { return !at_[index(v)].empty() || graph_.is_terminal(v); }
    [[nodiscard]] Vertex part(Vertex v) const { return mark_[index(v)] == stamp_ ? part_[index(v)] : largest_; }

    bool take_out(Vertex v, Random& random);
    bool cut_at(Vertex v, Random& random);
    bool take_in(Vertex v, Random& random);
    void find_parts(const std::vector<Vertex>& seeds);
    bool join_parts(Vertex without, Random& random);
    void join_by_vertex(Vertex v);
    [[nodiscard]] double price_of(const Join& join);
    [[nodiscard]] std::pair<double, int> heaviest_between(Vertex a, Vertex b, Random& random);

    const FlatGraph& graph_;
    std::vector<std::vector<int>> at_;  // (n) tree edges at each vertex
    double cost_ = 0;
    EdgeTree best_;
    double least_gain_ = 0;

    std::vector<std::pair<int, bool>> journal_;  // edges added (true) and removed, since the move began

    // The parts of a tree without a vertex; the largest one is not looked at.
    int stamp_ = 0;
    std::vector<int> mark_;     // (n)
    std::vector<Vertex> part_;  // (n)
    Vertex largest_ = 0;
    Vertex part_count_ = 0;
    std::vector<std::vector<Vertex>> members_;  // of each part; of the largest only some
    std::vector<Join> joins_;
    std::vector<End> ends_;
    std::vector<End> cheapest_;
    std::vector<Vertex> set_of_;  // of each part, while they are joined
    int seen_stamp_ = 0;
    std::vector<int> seen_;  // (n)
    std::vector<int> via_;   // (n)
    std::vector<Vertex> queue_;
};

}  // namespace neuroprim::steiner
