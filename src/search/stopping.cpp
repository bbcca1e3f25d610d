#include "neuroprim/stopping.hpp"

#include <algorithm>

namespace neuroprim {

bool FirstOf::stop(const SearchState& state) const {
    return std::any_of(rules_.begin(), rules_.end(), [&](const auto& rule) { return rule->stop(state); });
}

double FirstOf::deadline() const {
    double result = std::numeric_limits<double>::infinity();
    for (const auto& rule : rules_) result = std::min(result, rule->deadline());
    return result;
}

}  // namespace neuroprim
