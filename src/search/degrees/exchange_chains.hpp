#pragma once

#include <span>
#include <vector>

#include "graph/exchange_tree.hpp"
#include "graph/near_edges.hpp"
#include "graph/stop_token.hpp"
#include "heuristics/degree_relief.hpp"
#include "neuroprim/random.hpp"
#include "search/vertex_queue.hpp"

namespace neuroprim::limited_degrees {

/// Improves one spanning tree with limited degrees by chains of edge exchanges. The first exchange of a chain may
/// give one vertex an edge too many, each further one takes an edge off that vertex and may pass the excess on; a
/// chain is carried out when it ends without excess in a lighter tree.
///
/// Only the ends of exchanged edges are looked at again, so that a small change costs about the same whatever the
/// size.
class ExchangeChains {
public:
    /// `tree` spans the graph and keeps the limits.
    ExchangeChains(const Weights& weights, const NearEdges& near, std::span<const int> limits, const Tree& tree);

    /// Improves till no vertex starts a chain. False when the stop token expired first: a later call goes on.
    bool descend(const StopToken& stop);

    /// One or two random exchanges, repaired; what is heavier than before is taken back. Needs a tree without chains
    /// left. False when the stop token expired: nothing has changed then.
    bool perturb(Random& random, const StopToken& stop);

    /// Several random exchanges, for good: somewhere else to search. `descend` repairs the damage.
    void shake(Random& random, int exchanges);

    [[nodiscard]] const ExchangeTree& tree() const { return tree_; }

    /// How much lighter the tree is than at the beginning, added up exchange by exchange.
    [[nodiscard]] double gained() const { return gained_; }

private:
    struct Done {
        EdgeExchange made;
        EdgeExchange undo;
        double weight;  ///< of the edge that left
    };
    void improve(Vertex v);
    bool try_each(std::span<const Relief> openings, double gain, std::size_t level);
    bool deepen(Vertex c, double gain, std::size_t level);
    void collect_openings(Vertex a);
    [[nodiscard]] Relief replacing(Vertex a, Vertex b, double weight, std::span<const Vertex> path,
                                   std::size_t edge) const;
    [[nodiscard]] double path_weight(std::span<const Vertex> path, std::size_t edge) const;
    void carry_out(const Relief& relief);
    void push_ends(std::size_t since);
    void undo_to(std::size_t kept);
    bool exchange_at_random(Random& random);
    bool settle(const StopToken& stop);

    const NearEdges* near_;
    ExchangeTree tree_;
    ReliefFinder finder_;
    std::size_t extent_;            // how far branches are walked
    std::vector<Done> done_;        // since the state that a perturbation may return to
    std::vector<Relief> openings_;  // of the vertex in hand, the best few that leave an excess
    Relief best_closed_;
    VertexQueue queue_;  // vertices that may start a chain
    double gained_ = 0;
    double least_gain_ = 0;  // what is gained by rounding alone would go on for ever
};

}  // namespace neuroprim::limited_degrees
