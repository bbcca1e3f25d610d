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

PythonProblem::PythonProblem(const Instance& instance, const py::object& rules, const py::object& face)
    : Problem(instance) {
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
    room_is_local_ = as_bool(rules_.attr("room_is_local"), "room_is_local");
    cost_is_total_weight_ = !overrides("cost");
    ask_once();
}

PythonProblem::~PythonProblem() {
    const py::gil_scoped_acquire gil;
    rules_ = {};
    face_ = {};
}

void PythonProblem::ask_once() {
    required_.assign(index(size()), true);
    if (overrides("required")) {
        for (Vertex v = 0; v < size(); ++v) {
            required_[index(v)] = as_bool(rules_.attr("required")(face_, v), "required");
        }
    }
    if (!overrides("starts")) {
        starts_ = Problem::starts();
    } else {
        for (const auto& start : rules_.attr("starts")(face_))
            starts_.push_back(py::cast<Vertex>(py::int_(py::reinterpret_borrow<py::object>(start))));
    }
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

template <class... Arguments>
bool PythonProblem::yes(const char* rule, const Construction& state, Arguments... arguments) const {
    const py::gil_scoped_acquire gil;
    const Shown shown(state, face_);
    return as_bool(rules_.attr(rule)(shown.object(), arguments...), rule);
}

bool PythonProblem::has_room(const Construction& state, Vertex u) const {
    return overrides("has_room") ? yes("has_room", state, u) : Problem::has_room(state, u);
}

bool PythonProblem::admits(const Construction& state, Vertex v) const {
    return overrides("admits") ? yes("admits", state, v) : Problem::admits(state, v);
}

bool PythonProblem::finished(const Construction& state) const {
    return overrides("finished") ? yes("finished", state) : Problem::finished(state);
}

double PythonProblem::cost(const Tree& tree) const {
    if (!overrides("cost")) return Problem::cost(tree);
    const py::gil_scoped_acquire gil;
    return as_number(rules_.attr("cost")(TreeView{tree, weights(), face_}), "cost");
}

Tree PythonProblem::tidied(Tree tree) const {
    if (!overrides("tidied")) return Problem::tidied(std::move(tree));
    const py::gil_scoped_acquire gil;
    const py::object answer = rules_.attr("tidied")(TreeView{std::move(tree), weights(), face_});
    if (!py::isinstance<TreeView>(answer)) {
        throw py::type_error(
            fmt::format("tidied must return a Tree, not {}", std::string(py::str(py::type::of(answer)))));
    }
    return answer.cast<const TreeView&>().tree;
}

std::optional<std::string> PythonProblem::obstacle() const {
    if (!overrides("obstacle")) return Problem::obstacle();
    const py::gil_scoped_acquire gil;
    const py::object answer = rules_.attr("obstacle")(face_);
    if (answer.is_none()) return std::nullopt;
    return std::string(py::str(answer));
}

}  // namespace neuroprim::python
