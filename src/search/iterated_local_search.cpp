#include "search/iterated_local_search.hpp"

namespace neuroprim {

std::int64_t IteratedLocalSearch::run(std::int64_t steps, const StopToken& stop) {
    if (!can_descend()) return 0;
    std::int64_t done = 0;
    if (!settled_ && steps > 0) {
        settled_ = descend(random_, stop);
        keep_if_best();
        if (!settled_) return done;
        ++done;
    }
    for (; done < steps && can_perturb() && !stop.expired(); ++done) {
        remember();
        const double before = cost_now();
        perturb(random_, stop);
        const bool finished = repair(random_, stop);
        keep_if_best();
        if (!accepts(before, random_) || !finished) go_back();
        if (!finished) break;
    }
    return done;
}

}  // namespace neuroprim
