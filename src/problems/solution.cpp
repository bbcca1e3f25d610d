#include "neuroprim/solution.hpp"

#include "neuroprim/optimality.hpp"

namespace neuroprim {

std::vector<Vertex> Solution::roots() const {
    std::vector<Vertex> result = {tree.start};
    result.insert(result.end(), other_roots.begin(), other_roots.end());
    return result;
}

bool Solution::proven() const {
    return neuroprim::proven(cost, bound);
}

std::optional<double> Solution::gap_percent() const {
    return neuroprim::gap_percent(cost, bound);
}

}  // namespace neuroprim
