#include "search/tree_pool.hpp"

#include <algorithm>

namespace neuroprim {

bool TreePool::offer(Tree tree, std::string source) {
    tree = problem_->tidied(std::move(tree));
    if (problem_->violation(tree)) return false;
    const double cost = problem_->cost(tree);
    const auto place = std::lower_bound(candidates_.begin(), candidates_.end(), cost,
                                        [](const Candidate& other, double limit) { return other.cost < limit; });
    if (place != candidates_.end() && place->cost == cost) return true;
    candidates_.insert(place, {std::move(tree), cost, std::move(source)});
    return true;
}

}  // namespace neuroprim
