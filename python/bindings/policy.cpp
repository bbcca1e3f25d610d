// Policies without the command line: decoding and the decisions behind a tree.
#include "neuroprim/policy.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "foreground.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/explanation_files.hpp"
#include "neuroprim/neural.hpp"
#include "outcome.hpp"
#include "parts.hpp"
#include "pickling.hpp"
#include "task.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

/// The task's problem, fit to be decoded.
std::unique_ptr<Problem> decodable(const Task& task) {
    auto problem = problem_of(task);
    if (const auto reason = problem->infeasibility_certificate()) throw Infeasible(*reason);
    const auto starts = problem->starts();
    const Vertex start = task.options.start;
    if (start != no_vertex && std::find(starts.begin(), starts.end(), start) == starts.end()) {
        throw InputError(fmt::format("{} cannot start at vertex {}", problem->name(), start));
    }
    return problem;
}

/// The task's neural method, with a policy that is in memory.
py::tuple decode_task(const Policy& policy, const Task& task) {
    Foreground foreground;
    SolveOptions options = task.options;
    options.policy = std::make_shared<const Policy>(policy);
    options.interrupted = [&] { return foreground.stopping(); };
    Outcome outcome;
    outcome.cut_short = foreground.run([&] { solve_into(outcome, *problem_of(task), options); });
    return to_python(outcome);
}

/// For work that has nothing to give back when it is cut short: the interruption is passed on. The work may ask
/// whether it should stop.
template <class Result>
Result attended(const std::function<Result(const std::function<bool()>&)>& work) {
    Foreground foreground;
    std::optional<Result> result;
    if (foreground.run([&] { result.emplace(work([&] { return foreground.stopping(); })); })) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set();
    }
    return std::move(*result);
}

EncodeOptions encoding_of(const Task& task, const std::function<bool()>& interrupted) {
    return {.threads = task.options.threads, .max_memory = task.options.max_memory, .interrupted = interrupted};
}

/// From the task's start, or from the one whose greedy tree is the cheapest.
Explanation explain_task(const Policy& policy, const Task& task, std::size_t alternatives) {
    return attended<Explanation>([&](const std::function<bool()>& interrupted) {
        const auto problem = decodable(task);
        ExplainOptions options;
        options.start = task.options.start;
        if (options.start == no_vertex) {
            NeuralOptions greedy;
            greedy.threads = task.options.threads;
            greedy.max_memory = task.options.max_memory;
            greedy.interrupted = interrupted;
            options.start = best_start(policy, *problem, greedy);
        }
        options.mode = task.options.method == "sample" ? DecodeMode::sample : DecodeMode::greedy;
        options.temperature = task.options.temperature;
        options.seed = task.options.seed;
        options.alternatives = alternatives;
        options.interrupted = interrupted;
        return explain(Encoded(policy, *problem, encoding_of(task, interrupted)), *problem, options);
    });
}

double log_probability_of(const Policy& policy, const Task& task, Vertex start, const Vertices& edges,
                          double temperature) {
    const Tree tree{start, edges_from(edges)};
    return attended<double>([&](const std::function<bool()>& interrupted) {
        const auto problem = problem_of(task);
        if (const auto reason = structural_violation(tree, problem->weights())) throw InputError(*reason);
        const Encoded encoded(policy, *problem, encoding_of(task, interrupted));
        return log_probability(encoded, *problem, tree, temperature);
    });
}

py::dict config_of(const Policy& policy) {
    const PolicyConfig& config = policy.config();
    py::dict result;
    result["d_v"] = config.d_v;
    result["d_e"] = config.d_e;
    result["d_f"] = config.d_f;
    result["heads"] = config.heads;
    result["encoder_layers"] = config.encoder_layers;
    result["decoder_layers"] = config.decoder_layers;
    result["clip"] = config.clip;
    result["attention_size"] = config.attention_size;
    result["features"] = config.features;
    result["problem"] = config.problem;
    result["facts"] = config.facts;
    return result;
}

py::list alternatives_of(const ExplainedStep& step) {
    py::list result;
    for (const auto& [edge, probability] : step.alternatives) {
        result.append(py::make_tuple(edge.u, edge.v, probability));
    }
    return result;
}

void bind_explanation(py::module_& module) {
    py::class_<ExplainedStep>(
        module, "Step",
        "One decision: the chosen edge, its probability, the entropy in nats, how many edges were open, the most "
        "probable ones as (u, v, probability).")
        .def_property_readonly("chosen",
                               [](const ExplainedStep& step) { return py::make_tuple(step.chosen.u, step.chosen.v); })
        .def_readonly("probability", &ExplainedStep::probability)
        .def_readonly("entropy", &ExplainedStep::entropy)
        .def_readonly("open_edges", &ExplainedStep::open_edges)
        .def_property_readonly("alternatives", alternatives_of)
        .def(py::pickle([](const ExplainedStep& self) { return state_of(self); },
                        [](const py::tuple& state) { return step_from(state); }))
        .def("__repr__", [](const ExplainedStep& step) {
            return fmt::format("<neuroprim.Step: edge ({}, {}) of {}, probability {:.4g}, entropy {:.4g}>",
                               step.chosen.u, step.chosen.v, step.open_edges, step.probability, step.entropy);
        });
    py::class_<Explanation>(module, "Explanation")
        .def(py::pickle([](const Explanation& self) { return state_of(self); },
                        [](const py::tuple& state) { return explanation_from(state); }))
        .def_readonly("problem", &Explanation::problem)
        .def_readonly("start", &Explanation::start)
        .def_readonly("steps", &Explanation::steps)
        .def_readonly("complete", &Explanation::complete)
        .def_readonly("log_probability", &Explanation::log_probability)
        .def_property_readonly("cost",
                               [](const Explanation& self) -> std::optional<double> {
                                   if (!self.complete) return std::nullopt;
                                   return self.cost;
                               })
        .def_property_readonly("edges", [](const Explanation& self) { return edges_copy(self.tree.edges); })
        .def("to_json",
             [](const Explanation& self, const Instance& instance) { return explanation_to_json(instance, self); })
        .def("to_svg", [](const Explanation& self,
                          const Instance& instance) { return explanation_to_animation(instance, self); })
        .def("save", [](const Explanation& self, const Instance& instance, const std::string& path, bool strip) {
            write_explanation(path, instance, self, strip);
        });
}

}  // namespace

void bind_policy(py::module_& module) {
    bind_explanation(module);
    py::class_<Policy>(module, "Policy")
        .def_static("load", [](const std::string& file) { return Policy::load(file); })
        .def_static("pretrained", [](const std::string& problem) { return load_policy(std::string_view(problem)); })
        .def("save", [](const Policy& self, const std::string& file,
                        bool half) { self.save(file, half ? Precision::half : Precision::full); })
        .def_property_readonly("config", config_of)
        .def_property_readonly("instruction_set", &Policy::instruction_set)
        .def("mismatch", [](const Policy& self, const Task& task) { return mismatch(self, *problem_of(task)); })
        .def("decode", decode_task)
        .def("explain", explain_task)
        .def("log_probability", log_probability_of);
}

}  // namespace neuroprim::python
