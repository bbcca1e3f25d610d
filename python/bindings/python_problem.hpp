#pragma once

#include <pybind11/pybind11.h>

#include <set>
#include <string>

#include "neuroprim/problem.hpp"

namespace neuroprim::python {

/// A specification with rules that are methods of a Python object. Both must hold: a vertex has room where the limits
/// and the rule say so. Rules that the class leaves alone are answered here, in C++; a cost of its own replaces the
/// objective.
///
/// May be asked from any thread: each rule takes the GIL for its call. An exception in a rule passes through the
/// search as pybind11::error_already_set. Which vertices are required and where trees may start is asked once, at the
/// beginning.
class PythonProblem final : public Problem {
public:
    /// `face` is what rules get as `instance`. Throws InputError on a name that the registry has, and where rules and
    /// specification contradict each other.
    PythonProblem(const Instance& instance, TreeSpec spec, const pybind11::object& rules,
                  const pybind11::object& face);
    ~PythonProblem() override;

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] bool required(Vertex v) const override { return required_[index(v)]; }
    [[nodiscard]] std::vector<Vertex> starts() const override { return starts_; }
    [[nodiscard]] bool has_residual_capacity(const Construction& state, Vertex u) const override;
    [[nodiscard]] bool residual_capacity_is_local() const override {
        return residual_capacity_is_local_ && Problem::residual_capacity_is_local();
    }
    [[nodiscard]] bool lookahead_allows(const Construction& state, Vertex v) const override;
    [[nodiscard]] bool lookahead_allows_all(const Construction& state) const override;
    [[nodiscard]] bool joins(const Construction& state, Vertex u, Vertex v) const override;
    [[nodiscard]] bool has_pair_rule() const override;
    [[nodiscard]] bool may_stop(const Construction& state) const override;
    [[nodiscard]] double cost(const Tree& tree) const override;
    [[nodiscard]] bool cost_is_total_weight() const override;
    [[nodiscard]] Tree pruned(Tree tree) const override;
    [[nodiscard]] std::optional<std::string> infeasibility_certificate() const override;

private:
    void begin();
    void ask_once();
    [[nodiscard]] std::vector<Vertex> asked_starts() const;
    template <class... Arguments>
    [[nodiscard]] bool yes(const char* rule, const Construction& state, Arguments... arguments) const;
    [[nodiscard]] bool overrides(const char* rule) const { return overridden_.contains(rule); }

    pybind11::object rules_;
    pybind11::object face_;
    std::set<std::string, std::less<>> overridden_;
    std::string name_;
    bool residual_capacity_is_local_ = true;
    std::vector<bool> required_;  // (n)
    std::vector<Vertex> starts_;
};

}  // namespace neuroprim::python
