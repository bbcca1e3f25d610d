#pragma once

#include <string>
#include <vector>

#include "neuroprim/instance.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim::testing {

/// Streets in a grid, some of them missing, each a chain of up to three edges. Connected; with a layout.
[[nodiscard]] Instance chained_streets(Vertex side, std::uint64_t seed);

struct StreetProblem {
    std::string what;
    TreeSpec spec;
};

/// Terminals, prizes, groups, and terminals under limits on ways.
[[nodiscard]] std::vector<StreetProblem> street_problems(const Instance& streets);

/// Not trained: what it proposes is feasible all the same.
[[nodiscard]] const Policy& policy_of_chance();

}  // namespace neuroprim::testing
