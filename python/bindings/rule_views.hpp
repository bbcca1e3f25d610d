#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <span>
#include <vector>

#include "neuroprim/construction.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim::python {

/// A growing tree as a rule written in Python sees it. It lives for one call: afterwards every question raises.
class StateView {
public:
    StateView(const Construction& state, pybind11::object instance)
        : state_(&state), instance_(std::move(instance)) {}

    /// Throws std::runtime_error once the call has ended.
    [[nodiscard]] const Construction& state() const;
    [[nodiscard]] Vertex checked(Vertex v) const;
    [[nodiscard]] const pybind11::object& instance() const { return instance_; }

    void expire() { state_ = nullptr; }

private:
    const Construction* state_;
    pybind11::object instance_;
};

/// A whole tree as a rule written in Python sees it: a copy, to be kept as long as one likes.
struct TreeView {
    Tree tree;
    const Weights weights;
    pybind11::object instance;
    std::optional<double> cost = {};  // by the specification's objective; of a whole tree only
};

}  // namespace neuroprim::python
