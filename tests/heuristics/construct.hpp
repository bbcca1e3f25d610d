#pragma once

#include <string>
#include <string_view>

#include "neuroprim/heuristics.hpp"

namespace neuroprim::testing {

inline Tree construct(std::string_view method, const Problem& problem, const MethodOptions& options = {}) {
    return method_named(method).construct(problem, options);
}

/// What the method says instead of building a tree; "built a tree" if it does build one.
[[nodiscard]] std::string complaint(std::string_view method, const Problem& problem,
                                    const MethodOptions& options = {});

/// Whether the method ends in Infeasible; InputError goes through.
[[nodiscard]] bool finds_no_tree(std::string_view method, const Problem& problem);

}  // namespace neuroprim::testing
