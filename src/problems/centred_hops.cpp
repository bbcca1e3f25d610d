#include "problems/centred_hops.hpp"

namespace neuroprim {

namespace {

/// A tree seen from one of its vertices. A chain of so many edges seems to hang from `chained`, if that is a vertex.
struct Seen {
    RootedTree tree;
    Vertex chained;
    int chain;

    [[nodiscard]] int reach(Vertex v) const {
        return static_cast<int>(tree.depth[index(v)]) + (v == chained ? chain : 0);
    }
    [[nodiscard]] Vertex farthest() const {
        Vertex result = tree.order.front();
        for (const Vertex v : tree.order) {
            if (reach(v) > reach(result)) result = v;
        }
        return result;
    }
};

}  // namespace

bool counts_hops_from_centre(const TreeSpec& spec) {
    if (!spec.diameter || spec.length || spec.has(Limit::capacity)) return false;
    return !spec.hops || 2 * *spec.hops >= *spec.diameter;
}

std::vector<Vertex> centre_of(const Tree& tree, Vertex n, const TreeSpec& spec) {
    const Vertex chained = spec.root.value_or(no_vertex);
    const int chain = chain_at_root(spec);
    const Vertex one_end = Seen{hang(tree, tree.start, n), chained, chain}.farthest();
    const Seen seen{hang(tree, one_end, n), chained, chain};
    // From its own end the chain is no way to anywhere else: all others are farther by its length.
    const bool begins_with_chain = one_end == chained;
    Vertex v = begins_with_chain ? seen.tree.order.back() : seen.farthest();
    const int longest = static_cast<int>(seen.tree.depth[index(v)]) + (begins_with_chain || v == chained ? chain : 0);
    const int in_chain = !begins_with_chain && v == chained ? chain : 0;
    for (int k = in_chain; k < longest / 2 && seen.tree.parent[index(v)] != no_vertex; ++k) {
        v = seen.tree.parent[index(v)];
    }
    const Vertex next = seen.tree.parent[index(v)];
    if (longest % 2 == 0 || longest / 2 < in_chain || next == no_vertex) return {v};
    return {v, next};
}

}  // namespace neuroprim
