#include "steiner/descent.hpp"

#include "steiner/key_moves.hpp"
#include "steiner/vertex_insertion.hpp"

namespace neuroprim::steiner {

bool descend(const FlatGraph& graph, EdgeTree& tree, std::span<const double> weights, const StopToken& stop) {
    VertexInsertion insertion(graph, weights);
    KeyMoves keys(graph, weights);
    while (true) {
        if (stop.expired()) return false;
        while (insertion.improve(tree, stop)) {
            if (stop.expired()) return false;
        }
        if (keys.improve(tree, stop)) continue;
        const EdgeTree spanned = respanned(graph, tree, weights);
        if (spanned.cost >= tree.cost) return true;
        tree = spanned;
    }
}

}  // namespace neuroprim::steiner
