#pragma once

#include <cstdint>
#include <ctime>

#include "neuroprim/heuristics.hpp"
#include "search/local_search.hpp"

namespace neuroprim::testing {

/// Time that this program has worked: unlike the clock on the wall it does not care how busy the machine is.
[[nodiscard]] inline double processor_milliseconds() {
    return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// What one lane of the problem's local search makes of `start` in so many steps.
[[nodiscard]] inline Tree polished(const Problem& problem, const Tree& start, std::int64_t steps,
                                   std::uint64_t seed = 1, const Watch& watch = {}) {
    const auto search = local_search_for(problem).prepare(problem, 1, watch);
    const auto lane = search->lane(seed, 0);
    lane->adopt(start);
    lane->run(steps, watch);
    return lane->tree();
}

[[nodiscard]] inline Tree polished(const Problem& problem, std::int64_t steps, std::uint64_t seed = 1) {
    return polished(problem, default_method(problem).construct(problem, {}), steps, seed);
}

}  // namespace neuroprim::testing
