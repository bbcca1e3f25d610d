#include "search/branches/branch_tree.hpp"

#include <algorithm>
#include <utility>

namespace neuroprim::branches {

void BranchTree::span(const WeightTable& weights, Vertex root) {
    const std::size_t count = members.size();
    above.assign(count, -1);
    lengths.resize(count);
    cost = 0;
    for (std::size_t k = 0; k < count; ++k) lengths[k] = weights(root, members[k]);
    for (std::size_t done = 0; done < count; ++done) {
        std::size_t next = done;
        for (std::size_t k = done + 1; k < count; ++k) {
            if (lengths[k] < lengths[next]) next = k;
        }
        std::swap(members[done], members[next]);
        std::swap(above[done], above[next]);
        std::swap(lengths[done], lengths[next]);
        cost += lengths[done];
        const Vertex u = members[done];
        for (std::size_t k = done + 1; k < count; ++k) {
            if (const double weight = weights(u, members[k]); weight < lengths[k]) {
                lengths[k] = weight;
                above[k] = static_cast<int>(done);
            }
        }
    }
}

double BranchTree::cost_with(Vertex v, const WeightTable& weights, Vertex root,
                             std::vector<double>& candidates) const {
    const std::size_t count = members.size();
    candidates.resize(count);
    for (std::size_t k = 0; k < count; ++k) candidates[k] = weights(v, members[k]);
    double to_root = weights(v, root);
    double sum = 0;
    for (std::size_t k = count; k-- > 0;) {
        sum += std::min(candidates[k], lengths[k]);
        double& candidate = above[k] < 0 ? to_root : candidates[static_cast<std::size_t>(above[k])];
        candidate = std::min(candidate, std::max(candidates[k], lengths[k]));
    }
    return sum + to_root;
}

}  // namespace neuroprim::branches
