#pragma once

#include "neuroprim/problem.hpp"

namespace neuroprim::testing {

/// The cheapest tree of at least `size` vertices, any of them: no vertex is required, `finished` alone ends it.
class TreeOfSize final : public Problem {
public:
    TreeOfSize(const Instance& instance, Vertex size) : Problem(instance), wanted_(size) {}
    [[nodiscard]] std::string_view name() const override { return "tree-of-size"; }
    [[nodiscard]] bool required(Vertex) const override { return false; }
    [[nodiscard]] std::vector<Vertex> starts() const override {
        std::vector<Vertex> all;
        for (Vertex v = 0; v < size(); ++v) all.push_back(v);
        return all;
    }
    [[nodiscard]] bool may_stop(const Construction& state) const override { return state.size() >= wanted_; }

private:
    Vertex wanted_;
};

}  // namespace neuroprim::testing
