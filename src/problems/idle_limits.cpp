#include "problems/idle_limits.hpp"

#include <algorithm>

namespace neuroprim {

namespace {

/// All that can hang from the root.
double demand_below_root(const TreeSpec& spec, Vertex n) {
    double demand = 0;
    for (Vertex v = 0; v < n; ++v) {
        if (v != spec.root) demand += spec.demand(v);
    }
    return demand;
}

}  // namespace

TreeSpec without_idle_limits(TreeSpec spec, Vertex n) {
    const int longest = n - 1;
    const auto is_idle = [&](int limit) { return limit >= longest; };
    if (std::all_of(spec.degrees.begin(), spec.degrees.end(), is_idle)) spec.degrees.clear();
    if (spec.hops && *spec.hops >= std::min(longest, spec.diameter.value_or(longest))) spec.hops.reset();
    const bool is_near = spec.diameter && spec.hops && *spec.diameter >= 2 * *spec.hops;
    if (is_near || (spec.diameter && is_idle(*spec.diameter))) spec.diameter.reset();
    if (spec.capacity && *spec.capacity >= demand_below_root(spec, n)) spec.capacity.reset();
    return spec;
}

}  // namespace neuroprim
