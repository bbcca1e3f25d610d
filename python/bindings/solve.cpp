// solve and solve_many: the search runs without the GIL, Python hears of its progress and may interrupt it.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <atomic>

#include "arrays.hpp"
#include "foreground.hpp"
#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/limits.hpp"
#include "neuroprim/models.hpp"
#include "neuroprim/parameters.hpp"
#include "neuroprim/policy.hpp"
#include "outcome.hpp"
#include "parts.hpp"
#include "task.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

py::tuple solve_one(const Task& task, const py::object& progress) {
    Foreground foreground;
    SolveOptions options = task.options;
    options.interrupted = [&] { return foreground.stopping(); };
    if (!progress.is_none()) {
        options.watcher = [&](const SearchState& state, std::string_view found_by) {
            foreground.post_latest([&progress, state, found_by = std::string(found_by)] {
                progress(state.seconds, state.iterations, state.cost, state.bound, found_by);
            });
        };
    }
    Outcome outcome;
    outcome.cut_short = foreground.run([&] { solve_into(outcome, *problem_of(task), options); });
    return to_python(outcome);
}

/// What several threads do, or as many as the system grants: take the next task till none is left.
class Batch {
public:
    Batch(const std::vector<const Task*>& tasks, Foreground& foreground, bool stop_on_failure)
        : tasks_(tasks), foreground_(foreground), stop_on_failure_(stop_on_failure), outcomes_(tasks.size()) {}

    void run(int threads, const std::function<void(std::size_t)>& ended) {
        run_on_threads(threads, [&](int) { work(ended); });
    }

    [[nodiscard]] const Outcome& outcome(std::size_t k) const { return outcomes_[k]; }

private:
    void work(const std::function<void(std::size_t)>& ended) {
        const KnownToPython known;
        for (std::size_t k = next_++; k < tasks_.size() && !stopping(); k = next_++) {
            attempt(k);
            ended(k);
        }
    }

    void attempt(std::size_t k) {
        Outcome& outcome = outcomes_[k];
        SolveOptions options = tasks_[k]->options;
        options.interrupted = [this] { return stopping(); };
        try {
            solve_into(outcome, *problem_of(*tasks_[k]), options);
            outcome.cut_short = stopping();
        } catch (...) {
            if (stopping()) return;  // before it had a tree: as if it had not begun
            outcome.failure = std::current_exception();
            if (stop_on_failure_) failed_ = true;
        }
    }

    [[nodiscard]] bool stopping() const { return failed_ || foreground_.stopping(); }

    const std::vector<const Task*>& tasks_;
    Foreground& foreground_;
    bool stop_on_failure_;
    std::atomic<bool> failed_ = false;
    std::atomic<std::size_t> next_ = 0;
    std::vector<Outcome> outcomes_;
};

/// A list of (solution, exception, cut_short), in the order of the tasks, and whether all was interrupted.
py::tuple solve_several(const std::vector<const Task*>& tasks, int threads, const py::object& progress,
                        bool stop_on_failure) {
    Foreground foreground;
    Batch batch(tasks, foreground, stop_on_failure);
    const auto ended = [&](std::size_t k) {
        if (progress.is_none()) return;
        foreground.post([&, k] { progress(k, to_python(batch.outcome(k))); });
    };
    const bool interrupted = foreground.run([&] { batch.run(threads, ended); });
    py::list results;
    for (std::size_t k = 0; k < tasks.size(); ++k) results.append(to_python(batch.outcome(k)));
    return py::make_tuple(results, interrupted);
}

Initial initial_named(const std::string& name) {
    if (name == "best") return Initial::best;
    if (name == "classical") return Initial::classical;
    if (name == "policy") return Initial::policy;
    if (name == "both") return Initial::both;
    throw InputError("unknown initial \"" + name + "\": expected best, classical, policy or both");
}

std::optional<std::string> violation_of(const Task& task, Vertex start, const Vertices& edges) {
    return problem_of(task)->violation({start, edges_from(edges)});
}

/// The file of the pretrained policy that the task's problem would be given, or nothing.
std::optional<std::string> model_for(const Task& task) {
    const auto file = find_model(*problem_of(task));
    return file ? std::optional(file->string()) : std::nullopt;
}

void bind_options(py::module_& module) {
    py::class_<ProblemOptions>(module, "ProblemOptions")
        .def(py::init<>())
        .def_readwrite("root", &ProblemOptions::root)
        .def_readwrite("other_roots", &ProblemOptions::other_roots)
        .def_readwrite("no_crossings", &ProblemOptions::no_crossings)
        .def("set_limit",
             [](ProblemOptions& self, const std::string& name, double number) {
                 const NumberLimit* line = find_number_limit(name);
                 if (line == nullptr) throw InputError(name + " is no limit that is one number");
                 line->set(self, number);
             })
        .def("set_cables",
             [](ProblemOptions& self, const std::vector<std::pair<double, double>>& pairs) {
                 self.cables.clear();
                 for (const auto& [capacity, price] : pairs) self.cables.push_back({capacity, price});
             })
        .def("read_cables", [](ProblemOptions& self, const std::string& path) { self.cables = read_cables(path); })
        .def("include_edges",
             [](ProblemOptions& self, const Vertices& edges) { self.included_edges = edges_from(edges); })
        .def("exclude_edges",
             [](ProblemOptions& self, const Vertices& edges) { self.excluded_edges = edges_from(edges); });

    py::class_<SolveOptions>(module, "SolveOptions")
        .def(py::init<>())
        .def_readwrite("method", &SolveOptions::method)
        .def_readwrite("start", &SolveOptions::start)
        .def_readwrite("seed", &SolveOptions::seed)
        .def_readwrite("threads", &SolveOptions::threads)
        .def_readwrite("model", &SolveOptions::model)
        .def_readwrite("starts", &SolveOptions::starts)
        .def_readwrite("samples", &SolveOptions::samples)
        .def_readwrite("beam", &SolveOptions::beam)
        .def_readwrite("augmentations", &SolveOptions::augmentations)
        .def_readwrite("augmentations_per_start", &SolveOptions::augmentations_per_start)
        .def_readwrite("rounds", &SolveOptions::rounds)
        .def_readwrite("temperature", &SolveOptions::temperature)
        .def_readwrite("max_memory", &SolveOptions::max_memory)
        .def_readwrite("time_limit", &SolveOptions::time_limit)
        .def_readwrite("target_gap", &SolveOptions::target_gap)
        .def_readwrite("max_iterations", &SolveOptions::max_iterations)
        .def_readwrite("no_improvement", &SolveOptions::no_improvement)
        .def("set_policy",
             [](SolveOptions& self, const Policy& policy) { self.policy = std::make_shared<const Policy>(policy); })
        .def("set_initial", [](SolveOptions& self, const std::string& name) { self.initial = initial_named(name); })
        .def("set_warm_start", [](SolveOptions& self, Vertex start, const Vertices& edges) {
            self.warm_start = Tree{start, edges_from(edges)};
        });
}

}  // namespace

void bind_solve(py::module_& module) {
    bind_options(module);
    py::class_<Task>(module, "Task")
        .def(py::init([](std::shared_ptr<Instance> instance, py::object face, std::string problem, py::object rules,
                         const ProblemOptions& problem_options, const SolveOptions& options,
                         std::vector<std::string> facts) {
                 check_use(options);
                 return Task{std::move(instance), std::move(face), std::move(problem), std::move(rules),
                             problem_options,     options,         std::move(facts)};
             }),
             py::arg("instance"), py::arg("face"), py::arg("problem"), py::arg("rules"), py::arg("problem_options"),
             py::arg("options"), py::arg("facts"));
    module.def("solve", solve_one, py::arg("task"), py::arg("progress"));
    module.def("solve_many", solve_several, py::arg("tasks"), py::arg("threads"), py::arg("progress"),
               py::arg("stop_on_failure"));
    module.def("model_for", model_for, py::arg("task"));
    module.def("problem_name", [](const Task& task) { return std::string(problem_of(task)->name()); });
    module.def("violation", violation_of, py::arg("task"), py::arg("start"), py::arg("edges"));
}

}  // namespace neuroprim::python
