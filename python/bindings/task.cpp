#include "task.hpp"

#include "python_problem.hpp"

namespace neuroprim::python {

std::unique_ptr<Problem> problem_of(const Task& task) {
    if (!task.problem.empty()) return make_problem(task.problem, *task.instance, task.problem_options);
    return std::make_unique<PythonProblem>(*task.instance, task.rules, task.face);
}

}  // namespace neuroprim::python
