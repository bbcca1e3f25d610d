#include "outcome.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <limits>
#include <new>

#include "neuroprim/error.hpp"
#include "neuroprim/parameters.hpp"

namespace neuroprim::python {

namespace py = pybind11;

namespace {

/// The exception as an object, not raised.
py::object exception_object(const std::exception_ptr& failure) {
    if (!failure) return py::none();
    const auto made = [](const py::object& type, const char* message) { return type(message); };
    const auto builtin = [](PyObject* type) { return py::reinterpret_borrow<py::object>(type); };
    try {
        std::rethrow_exception(failure);
    } catch (const py::error_already_set& error) {
        return error.value();
    } catch (const Infeasible& error) {
        return made(py::module_::import("neuroprim._core").attr("Infeasible"), error.what());
    } catch (const Interrupted& error) {
        return made(builtin(PyExc_TimeoutError), error.what());  // Ctrl-C is told otherwise
    } catch (const InputError& error) {
        return made(builtin(PyExc_ValueError), respelled(error.what(), Spelling::keyword).c_str());
    } catch (const std::bad_alloc& error) {
        return made(builtin(PyExc_MemoryError), error.what());
    } catch (const py::builtin_exception& error) {
        error.set_error();
        return py::error_already_set().value();
    } catch (const std::exception& error) {
        return made(builtin(PyExc_RuntimeError), error.what());
    }
}

/// (rows, columns), row after row.
py::array table(const std::vector<double>& numbers, py::ssize_t columns) {
    return py::array_t<double>({static_cast<py::ssize_t>(numbers.size()) / columns, columns}, numbers.data());
}

py::array history_of(const Outcome& outcome) {
    std::vector<double> rows;
    const auto add = [&](double seconds, std::int64_t iterations, double cost, std::optional<double> bound) {
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        rows.insert(rows.end(), {seconds, static_cast<double>(iterations), cost, bound.value_or(unknown)});
    };
    for (const SearchState& state : outcome.history) add(state.seconds, state.iterations, state.cost, state.bound);
    if (const auto& end = outcome.solution) add(end->seconds, end->iterations, end->cost, end->bound);
    return table(rows, 4);
}

py::array cables_of(const Outcome& outcome) {
    std::vector<double> rows;
    for (const Cable& cable : outcome.cables) rows.insert(rows.end(), {cable.capacity, cable.price});
    return table(rows, 2);
}

}  // namespace

void solve_into(Outcome& outcome, const Problem& problem, SolveOptions options) {
    options.watcher = [&outcome, watcher = options.watcher](const SearchState& state, std::string_view found_by) {
        outcome.history.push_back(state);
        outcome.history.back().tree = nullptr;
        if (watcher) watcher(state, found_by);
    };
    outcome.cables = problem.spec().cables;
    outcome.solution = solve(problem, options);
}

py::tuple to_python(const Outcome& outcome) {
    py::object solution = outcome.solution ? py::cast(*outcome.solution) : py::none();
    return py::make_tuple(std::move(solution), exception_object(outcome.failure), outcome.cut_short,
                          history_of(outcome), cables_of(outcome));
}

}  // namespace neuroprim::python
