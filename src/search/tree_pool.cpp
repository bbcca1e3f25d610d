#include "search/tree_pool.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "graph/stop_token.hpp"

namespace neuroprim {

bool TreePool::offer(Tree tree, std::string source) {
    const auto began = StopToken::Clock::now();
    tree = problem_->pruned(std::move(tree));
    if (problem_->violation(tree)) return false;
    const double cost = problem_->cost(tree);
    seconds_of_last_check_ = seconds_since(began);
    const auto place = std::lower_bound(candidates_.begin(), candidates_.end(), cost,
                                        [](const Candidate& other, double limit) { return other.cost < limit; });
    const auto same = [cost](const Candidate& other) {
        constexpr double rounding = 1e-12;  // the same edges summed in another order
        return std::abs(other.cost - cost) <= rounding * cost;
    };
    if (place != candidates_.end() && same(*place)) return true;
    if (place != candidates_.begin() && same(*std::prev(place))) return true;
    candidates_.insert(place, {std::move(tree), cost, std::move(source)});
    return true;
}

}  // namespace neuroprim
