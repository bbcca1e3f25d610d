#pragma once

#include <optional>
#include <string_view>

#include "graph/stop_token.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Does `tree_from_one_limit` build trees for it? For hops or a limited diameter beside degrees, beside each other,
/// and lengths beside hops, where all vertices are in the tree.
[[nodiscard]] bool begins_with_one_limit(const Problem& problem);

struct OneLimitTree {
    Tree tree;
    std::string_view method;  ///< the construction that it comes from
};

/// What the construction for hops or the diameter alone builds, with degrees repaired: a vertex with too many edges
/// hands children over to near vertices, or to other children, that have room for them under all limits, cheapest
/// first. It begins anew with flatter trees, which leave more room, as long as these are not dearer than the best one
/// is by then. Lengths are left to luck, and so is a diameter beside them: judge the tree. Nothing where none was
/// found. Throws Interrupted when the stop token expires first.
[[nodiscard]] std::optional<OneLimitTree> tree_from_one_limit(const Problem& problem, int threads,
                                                              const StopToken& stop);

}  // namespace neuroprim
