#pragma once

#include <cstdint>

#include "neuroprim/instance.hpp"
#include "neuroprim/tree_spec.hpp"

namespace neuroprim::testing {

/// An instance, and a specification that does not contradict it.
struct Asked {
    Instance instance;
    TreeSpec spec;
};

/// Objective, coverage and up to all limits by chance; there need not be a tree that keeps them.
[[nodiscard]] Asked random_question(Vertex n, std::uint64_t seed);

}  // namespace neuroprim::testing
