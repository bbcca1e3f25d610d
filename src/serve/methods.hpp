#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/problem.hpp"

namespace neuroprim::serve {

/// What a client should know about a method before it offers or asks for it.
struct MethodFacts {
    std::string_view name;
    std::string_view title;
    std::vector<std::string_view> problems;  ///< it is made for; empty: all
    bool needs_policy = false;
    bool quadratic = false;  ///< takes about n² steps in one go
    bool anytime = false;    ///< reports better trees as it goes and ends by the time limit
};

/// Those of `solve_methods()`, `search` first.
[[nodiscard]] const std::vector<MethodFacts>& all_method_facts();

/// Throws InputError when there is no such method.
[[nodiscard]] const MethodFacts& method_facts(std::string_view name);

/// Throws TooLarge when there are more than `most` vertices for `what`.
void check_size_for(std::string_view what, const Problem& problem, Vertex most);

}  // namespace neuroprim::serve
