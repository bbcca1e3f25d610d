#include <fmt/format.h>

#include "heuristics/cheapest_growth.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"

namespace neuroprim {

Tree prim(const Problem& problem, const MethodOptions& options) {
    Construction state(problem, start_of(problem, options));
    if (!grow_cheapest(state, stop_token_of(options))) {
        give_up(problem, fmt::format("prim is stuck at {} vertices with {} still to join: no allowed edge is left",
                                     state.size(), state.required_outside()));
    }
    return state.tree();
}

}  // namespace neuroprim
