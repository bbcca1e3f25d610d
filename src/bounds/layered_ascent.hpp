#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "bounds/layered_graph.hpp"
#include "graph/stop_token.hpp"
#include "steiner/root_component.hpp"

namespace neuroprim {

/// Wong's dual ascent on a layered graph, small cuts first. It can be laid down and taken up again; its bound is
/// proven at every moment.
class LayeredAscent {
public:
    explicit LayeredAscent(const LayeredGraph& graph);

    /// True when it is finished; false when `looks` at arcs were used up or the stop token expired. Takes off `looks`
    /// what it used.
    [[nodiscard]] bool advance(std::int64_t& looks, const StopToken& stop);

    /// Every tree of the layered graph weighs this and the reduced costs of its arcs at least. Infinity when some
    /// terminal cannot be reached.
    [[nodiscard]] double bound() const { return bound_; }
    [[nodiscard]] const std::vector<double>& reduced() const { return reduced_; }  ///< (arcs)

private:
    using Waiting = std::pair<std::size_t, Vertex>;  // size of the cut when last seen, terminal

    std::vector<double> reduced_;
    steiner::RootComponent<LayeredGraph> component_;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
    double bound_ = 0;
};

/// (arcs) What a tree that uses the arc weighs more than the bound, at least: the way there from the centre and on to
/// the nearest terminal, by reduced costs. Near O(arcs). Throws Interrupted when the stop token expires.
[[nodiscard]] std::vector<double> detours(const LayeredGraph& graph, const std::vector<double>& reduced,
                                          const StopToken& stop = {});

}  // namespace neuroprim
