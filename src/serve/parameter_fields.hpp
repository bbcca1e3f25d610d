#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "neuroprim/parameters.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "serve/fields.hpp"
#include "serve/settings.hpp"

// The table of parameters as members of a request.
namespace neuroprim::serve {

/// The keys of a request: `instance`, every parameter that is not a fact about vertices, which are members of the
/// instance, and these more.
[[nodiscard]] std::vector<std::string_view> request_keys(std::initializer_list<std::string_view> more = {});

/// The parameter with the range that this server allows.
[[nodiscard]] Parameter narrowed(const Parameter& parameter, const Limits& limits);

/// The limits of a request about an instance of `n` vertices.
[[nodiscard]] ProblemOptions read_limits(const Fields& fields, Vertex n);

/// Throws InputError when the method does not read a parameter that is there.
void check_use(const Fields& fields, std::string_view method);

/// How to solve it. Throws InputError when options contradict each other, or when the method does not read one.
[[nodiscard]] SolveOptions read_method_options(const Fields& fields, Vertex n, const Limits& limits);

/// For /api/about: names, types, ranges, usual values and words.
[[nodiscard]] nlohmann::ordered_json parameters_to_json(const Limits& limits);

/// openapi.json with the parameters in the schemas that ask for them by a property `x-parameters`.
[[nodiscard]] const std::string& description();

}  // namespace neuroprim::serve
