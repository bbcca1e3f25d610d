#include "neuroprim/solution.hpp"

#include "neuroprim/optimality.hpp"

namespace neuroprim {

bool Solution::proven() const {
    return neuroprim::proven(cost, bound);
}

std::optional<double> Solution::gap_percent() const {
    return neuroprim::gap_percent(cost, bound);
}

}  // namespace neuroprim
