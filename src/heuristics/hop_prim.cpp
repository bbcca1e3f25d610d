#include <fmt/format.h>

#include <algorithm>

#include "heuristics/cheapest_growth.hpp"
#include "heuristics/hop_flattening.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"

namespace neuroprim {

namespace {

/// `tree` with `v` in it: every vertex on the way of fewest hops to `v` hangs from the one before.
/// None of them, and nothing below them, gets deeper by that.
Tree reattached_towards(Vertex v, const Tree& tree, const RootedTree& flattest) {
    const auto n = static_cast<Vertex>(flattest.parent.size());
    RootedTree rooted = hang(tree, tree.start, n);
    for (Vertex w = v; w != tree.start; w = flattest.parent[index(w)]) {
        if (!rooted.contains(w)) rooted.order.push_back(w);
        rooted.parent[index(w)] = flattest.parent[index(w)];
    }
    Tree result{tree.start, {}};
    for (const Vertex w : rooted.order) {
        if (w != tree.start) result.edges.push_back({rooted.parent[index(w)], w});
    }
    return grown_from(result, tree.start, n);
}

/// Puts the vertices of `tree` into `state` again; false when the rules do not allow it.
bool replay(const Tree& tree, Construction& state) {
    return std::all_of(tree.edges.begin(), tree.edges.end(), [&](const Edge& edge) {
        const bool open = state.is_open(edge.u);
        if (open) state.add(edge.u, edge.v);
        return open;
    });
}

}  // namespace

Tree hop_prim(const Problem& problem, const MethodOptions& options) {
    const Vertex start = start_of(problem, options);
    const StopToken stop = stop_token_of(options);
    Construction state(problem, start);
    if (grow_cheapest(state, stop)) return state.tree();

    const RootedTree flattest = breadth_first(problem, start);
    while (!state.may_stop()) {
        stop.check();
        const auto outside =
            std::find_if(flattest.order.begin(), flattest.order.end(), [&](Vertex v) { return !state.contains(v); });
        const bool reachable = outside != flattest.order.end();
        Construction next(problem, start);
        if (!reachable || !replay(reattached_towards(*outside, state.tree(), flattest), next)) {
            give_up(problem, fmt::format("hop-prim is stuck at {} vertices with {} still to join", state.size(),
                                         state.required_outside()));
        }
        state = std::move(next);
        if (grow_cheapest(state, stop)) break;
    }
    return state.tree();
}

}  // namespace neuroprim
