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

/// What one worker of the problem's local search makes of `start` in so many steps.
[[nodiscard]] inline Tree polished(const Problem& problem, const Tree& start, std::int64_t steps,
                                   std::uint64_t seed = 1, const StopToken& stop = {}) {
    const auto search = local_search_for(problem).prepare(problem, 1, stop);
    const auto worker = search->worker(seed, 0);
    worker->adopt(start);
    worker->run(steps, stop);
    return worker->tree();
}

[[nodiscard]] inline Tree polished(const Problem& problem, std::int64_t steps, std::uint64_t seed = 1) {
    return polished(problem, default_method(problem).construct(problem, {}), steps, seed);
}

}  // namespace neuroprim::testing
