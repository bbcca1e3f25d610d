#include "python_problem.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "neuroprim/error.hpp"
#include "rule_views.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

bool as_bool(const py::object& answer, std::string_view rule) {
    const int truth = answer.is_none() ? -1 : PyObject_IsTrue(answer.ptr());
    if (truth >= 0) return truth == 1;
    PyErr_Clear();
    throw py::type_error(
        fmt::format("{} must return True or False, not {}", rule, std::string(py::str(py::type::of(answer)))));
}

double as_number(const py::object& answer, std::string_view rule) {
    const double value = answer.is_none() ? -1 : PyFloat_AsDouble(answer.ptr());
    if (answer.is_none() || PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        throw py::type_error(
            fmt::format("{} must return a number, not {}", rule, std::string(py::str(py::type::of(answer)))));
    }
    if (std::isnan(value)) throw py::value_error(fmt::format("{} must return a number, not nan", rule));
    return value;
}

/// The view of a state for one call.
class Shown {
public:
    Shown(const Construction& state, const py::object& face) : object_(py::cast(StateView(state, face))) {}
    ~Shown() { object_.cast<StateView&>().expire(); }
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;
    [[nodiscard]] const py::object& object() const { return object_; }

private:
    py::object object_;
};

}  // namespace

PythonProblem::PythonProblem(const Instance& instance, TreeSpec spec, const py::object& rules, const py::object& face)
    : Problem(instance, std::move(spec)) {
    const py::gil_scoped_acquire gil;
    rules_ = rules;
    face_ = face;
    try {
        begin();
    } catch (...) {
        rules_ = {};  // now, while the GIL is held
        face_ = {};
        throw;
    }
}

void PythonProblem::begin() {
    overridden_ = rules_.attr("_overridden")().cast<std::set<std::string, std::less<>>>();
    name_ = py::str(rules_.attr("name"));
    for (const auto& kind : problem_kinds()) {
        if (kind.name == name_)
            throw InputError(fmt::format("\"{}\" is the name of a problem of the library", name_));
    }
    residual_capacity_is_local_ = as_bool(rules_.attr("residual_capacity_is_local"), "residual_capacity_is_local");
    ask_once();
}

PythonProblem::~PythonProblem() {
    const py::gil_scoped_acquire gil;
    rules_ = {};
    face_ = {};
}

void PythonProblem::ask_once() {
    required_.resize(index(size()));
    for (Vertex v = 0; v < size(); ++v) {
        // That all must be in is no demand of the specification's but what holds without one.
        const bool by_spec = Problem::required(v) && (spec().coverage != Coverage::all || spec().root == v);
        required_[index(v)] = !overrides("required")
                                  ? Problem::required(v)
                                  : by_spec || as_bool(rules_.attr("required")(face_, v), "required");
    }
    starts_ = overrides("starts") ? asked_starts() : Problem::starts();
    if (starts_.empty()) {
        throw InputError(
            "there is no vertex to start from: starts must list some, since no vertex is required or none was "
            "listed");
    }
    for (const Vertex v : starts_) {
        if (v < 0 || v >= size()) {
            throw InputError(fmt::format("starts: vertex {} is not among the {} vertices", v, size()));
        }
    }
}

/// Those that the rule lists; of a rooted specification the root, which has to be one of them.
std::vector<Vertex> PythonProblem::asked_starts() const {
    std::vector<Vertex> result;
    for (const auto& start : rules_.attr("starts")(face_)) {
        result.push_back(py::cast<Vertex>(py::int_(py::reinterpret_borrow<py::object>(start))));
    }
    const auto root = spec().root;
    if (!root) return result;
    if (std::find(result.begin(), result.end(), *root) == result.end()) {
        throw InputError(fmt::format("the root is vertex {}, but starts does not list it", *root));
    }
    return {*root};
}

template <class... Arguments>
bool PythonProblem::yes(const char* rule, const Construction& state, Arguments... arguments) const {
    const py::gil_scoped_acquire gil;
    const Shown shown(state, face_);
    return as_bool(rules_.attr(rule)(shown.object(), arguments...), rule);
}

bool PythonProblem::has_residual_capacity(const Construction& state, Vertex u) const {
    return Problem::has_residual_capacity(state, u) &&
           (!overrides("has_residual_capacity") || yes("has_residual_capacity", state, u));
}

bool PythonProblem::lookahead_allows(const Construction& state, Vertex v) const {
    return Problem::lookahead_allows(state, v) &&
           (!overrides("lookahead_allows") || yes("lookahead_allows", state, v));
}

bool PythonProblem::lookahead_allows_all(const Construction& state) const {
    return !overrides("lookahead_allows") && Problem::lookahead_allows_all(state);
}

bool PythonProblem::joins(const Construction& state, Vertex u, Vertex v) const {
    return Problem::joins(state, u, v) && (!overrides("joins") || yes("joins", state, u, v));
}

bool PythonProblem::has_pair_rule() const {
    return overrides("joins") || Problem::has_pair_rule();
}

bool PythonProblem::may_stop(const Construction& state) const {
    return Problem::may_stop(state) && (!overrides("finished") || yes("finished", state));
}

bool PythonProblem::cost_is_total_weight() const {
    return !overrides("cost") && Problem::cost_is_total_weight();
}

double PythonProblem::cost(const Tree& tree) const {
    const double by_objective = Problem::cost(tree);
    if (!overrides("cost")) return by_objective;
    const py::gil_scoped_acquire gil;
    return as_number(rules_.attr("cost")(TreeView{tree, weights(), face_, by_objective}), "cost");
}

/// Where the rules say when a tree is finished, or whether a prize pays, they alone know what it does not need.
Tree PythonProblem::pruned(Tree tree) const {
    const bool rules_know = overrides("finished") || (overrides("cost") && !spec().prizes.empty());
    if (!rules_know) tree = Problem::pruned(std::move(tree));
    if (!overrides("pruned")) return tree;
    const double by_objective = Problem::cost(tree);
    const py::gil_scoped_acquire gil;
    const py::object answer = rules_.attr("pruned")(TreeView{std::move(tree), weights(), face_, by_objective});
    if (!py::isinstance<TreeView>(answer)) {
        throw py::type_error(
            fmt::format("pruned must return a Tree, not {}", std::string(py::str(py::type::of(answer)))));
    }
    return answer.cast<const TreeView&>().tree;
}

std::optional<std::string> PythonProblem::infeasibility_certificate() const {
    if (!overrides("infeasibility_certificate")) return Problem::infeasibility_certificate();
    {
        const py::gil_scoped_acquire gil;
        const py::object answer = rules_.attr("infeasibility_certificate")(face_);
        if (!answer.is_none()) return std::string(py::str(answer));
    }
    // Where a rule says which vertices must be in, the specification does not know what stands in the way.
    return overrides("required") ? std::nullopt : Problem::infeasibility_certificate();
}

}  // namespace neuroprim::python
