#include "neuroprim/bounds.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

std::optional<double> lower_bound(const Problem& problem, int threads) {
    if (!problem.cost_is_total_weight()) return std::nullopt;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (!problem.required(v)) return std::nullopt;
    }
    return total_weight(minimum_spanning_tree(problem.weights(), threads), problem.weights());
}

}  // namespace neuroprim
