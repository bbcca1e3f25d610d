#include "task.hpp"

#include <algorithm>

#include "neuroprim/parameters.hpp"
#include "python_problem.hpp"

namespace neuroprim::python {

namespace {

/// All that the options and the input say. Not `specify`: a root of no use to the specification may be one to the
/// rules.
TreeSpec spec_beside_rules(const Task& task) {
    const auto kinds = problem_kinds();
    const auto tree = std::find_if(kinds.begin(), kinds.end(), [](const auto& kind) { return kind.name == "tree"; });
    return tree->specify(*task.instance, task.problem_options);
}

}  // namespace

std::unique_ptr<Problem> problem_of(const Task& task) {
    const std::string name =
        task.problem.empty() ? std::string(implied_preset(*task.instance, task.problem_options)) : task.problem;
    std::unique_ptr<Problem> problem;
    if (task.rules.is_none()) {
        problem = make_problem(name, *task.instance, task.problem_options);
    } else {
        problem = std::make_unique<PythonProblem>(*task.instance, spec_beside_rules(task), task.rules, task.face);
    }
    for (const auto& fact : task.facts) check_use(fact, problem->spec(), name);
    return problem;
}

}  // namespace neuroprim::python
