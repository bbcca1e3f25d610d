#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "formats/text/json_cursor.hpp"
#include "neuroprim/instance.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "serve/fields.hpp"
#include "serve/settings.hpp"

namespace neuroprim::serve {

/// The text of a request's body, as errors call it.
[[nodiscard]] formats::Text body_text(std::string_view body);

/// The instance in the member `instance`. Throws InputError, TooLarge when it is beyond the limits.
[[nodiscard]] Instance read_instance(const Fields& fields, const Limits& limits);

/// Throws TooLarge when an instance that came in some other way is beyond the limits.
void check_size(const Instance& instance, const Limits& limits);

/// An instance and what to ask of it; the problem points at the instance, so it stays where it is.
struct RequestedProblem {
    std::unique_ptr<const Instance> instance;
    std::unique_ptr<const Problem> problem;
};

/// From the instance, the problem's name and the limits. Throws InputError when they make no problem.
[[nodiscard]] RequestedProblem read_problem(const Fields& fields, const Limits& limits);

/// From the parameters of methods; checks that the method exists, reads what is given and suits the size.
[[nodiscard]] SolveOptions read_options(const Fields& fields, const Problem& problem, const Limits& limits);

}  // namespace neuroprim::serve
