#pragma once

#include <array>
#include <vector>

#include "graph/neighbours.hpp"
#include "graph/stop_token.hpp"
#include "neuroprim/random.hpp"
#include "search/paths/lengths.hpp"
#include "search/paths/tour.hpp"
#include "search/vertex_queue.hpp"

namespace neuroprim::paths {

/// Improves one closed tour by chains of exchanges in the manner of Lin and Kernighan, each of up to three edges, and
/// by small random changes that are taken back unless they lead to a tour that is no longer.
///
/// Only vertices at changed edges are looked at again, so that a change costs about the same whatever the size.
class LinKernighan {
public:
    /// How the search goes about it.
    struct Options {
        std::size_t depth = 3;     ///< exchanges in a chain
        Vertex first = no_vertex;  ///< its edge to the opening vertex stays in the tour
        Vertex last = no_vertex;   ///< so does that of this one
        bool looks_at_all = true;  ///< false: only at the vertices that `look_at` names
    };

    /// `tour` goes through the vertices of `lengths`, its opening vertex included; five at least.
    LinKernighan(const Lengths& lengths, const Neighbours& near, Tour tour, const Options& options);
    LinKernighan(const Lengths& lengths, const Neighbours& near, Tour tour)
        : LinKernighan(lengths, near, std::move(tour), Options{}) {}

    /// The next descent looks for moves at `v`.
    void look_at(Vertex v) { queue_.push(v); }

    /// Improves till no vertex has a move left. False when the stop token expired first: the tour is then as good as
    /// it got, and a later call goes on.
    bool descend(const StopToken& stop);

    /// Four edges close to each other are exchanged at random, the damage is repaired, and what is longer than before
    /// is taken back. Needs a tour without moves left. False when the stop token expired: nothing has changed then.
    bool perturb(Random& random, const StopToken& stop);

    /// The same within some hundred places of `place`, 0 ≤ place < size of the tour: changes one after the other
    /// along the tour find what they need in the cache.
    bool perturb_near(Vertex place, Random& random, const StopToken& stop);

    /// The same change in several places, for good: somewhere else to search. `descend` repairs the damage.
    void shake(Random& random, int places);

    [[nodiscard]] const Tour& tour() const { return tour_; }

    /// How much shorter the tour is than at the beginning, added up move by move.
    [[nodiscard]] double gained() const { return gained_; }

private:
    struct Flip {
        Vertex a, b;
    };
    /// Exchanges two or three edges (t1 t2, t3 t4, t5 t6) for as many (t2 t3, t4 t5 or none, the last t1).
    struct Exchange {
        enum class Kind { none, two, three_in_turn, swapped, turned };
        Kind kind = Kind::none;
        std::array<Vertex, 5> t = {};  ///< t2 … t6
        double open = 0;               ///< removed minus added, without the edge to t1 that closes the tour
        double closed = 0;             ///< how much shorter the tour gets
    };

    void improve(Vertex v);
    bool chain_from(Vertex t1);
    [[nodiscard]] bool is_short(const Exchange& exchange, Vertex longest) const;
    [[nodiscard]] bool stays(Vertex a, Vertex b) const;
    void consider(const Exchange& exchange);
    void search_exchanges(Vertex t1, double gain);
    void extend(Vertex t1, Exchange exchange, double before, bool tour_is_whole);
    void carry_out(const Exchange& exchange);
    [[nodiscard]] bool was_removed(Vertex a, Vertex b) const;
    bool settle(const StopToken& stop);
    void flip(Vertex a, Vertex b);
    void undo_flips(std::size_t kept);
    bool repair(double before, const StopToken& stop);
    void shuffle_stretches(Vertex place, Vertex count, Random& random);

    const Lengths* lengths_;
    const Neighbours* near_;
    Options options_;
    Tour tour_;
    bool backwards_ = false;       // the tour is read the other way round than at the beginning
    std::vector<Flip> flips_;      // since the state that a perturbation may return to, as read at the beginning
    VertexQueue queue_;            // vertices that may have a move
    std::vector<Vertex> touched_;  // ends of the exchanges of the chain in hand
    std::vector<Flip> removed_;    // edges that the chain in hand has removed: not to come back
    Exchange best_closed_;         // of the search in hand
    Exchange best_open_;
    double gained_ = 0;
    double least_gain_ = 0;  // what is gained by rounding alone would go on for ever
};

}  // namespace neuroprim::paths
