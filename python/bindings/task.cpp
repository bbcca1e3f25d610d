#include "task.hpp"

#include <algorithm>

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
    if (!task.rules.is_none()) {
        return std::make_unique<PythonProblem>(*task.instance, spec_beside_rules(task), task.rules, task.face);
    }
    const std::string name =
        task.problem.empty() ? std::string(implied_preset(*task.instance, task.problem_options)) : task.problem;
    return make_problem(name, *task.instance, task.problem_options);
}

}  // namespace neuroprim::python
