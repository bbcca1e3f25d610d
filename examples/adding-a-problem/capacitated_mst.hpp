#pragma once

#include <fmt/format.h>

#include "neuroprim/problem.hpp"

/// Capacitated MST with unit demand: every subtree that hangs from the root serves at most `capacity` vertices.
class CapacitatedMst final : public neuroprim::Problem {
public:
    CapacitatedMst(const neuroprim::Instance& instance, neuroprim::Vertex root, int capacity)
        : Problem(instance), root_(root), capacity_(capacity) {}

    [[nodiscard]] std::string_view name() const override { return "cmst"; }

    [[nodiscard]] std::vector<neuroprim::Vertex> starts() const override { return {root_}; }

    [[nodiscard]] bool has_residual_capacity(const neuroprim::Construction& state,
                                             neuroprim::Vertex u) const override {
        return u == root_ || load(state, u) < capacity_;
    }

    /// One more vertex fills the whole subtree, not only the vertex it hangs from.
    [[nodiscard]] bool residual_capacity_is_local() const override { return false; }

protected:
    [[nodiscard]] std::string describe_overflow(const neuroprim::Tree&, neuroprim::Vertex u) const override {
        return fmt::format("more than {} vertices in the subtree of vertex {}", capacity_, u);
    }

private:
    [[nodiscard]] neuroprim::Vertex gate(const neuroprim::Construction& state, neuroprim::Vertex v) const {
        while (state.parent(v) != root_) v = state.parent(v);
        return v;
    }

    /// Vertices that share the subtree of u. O(n · depth): plain, for a first version.
    [[nodiscard]] int load(const neuroprim::Construction& state, neuroprim::Vertex u) const {
        const neuroprim::Vertex own = gate(state, u);
        int count = 0;
        for (const auto& edge : state.tree().edges) count += gate(state, edge.v) == own ? 1 : 0;
        return count;
    }

    neuroprim::Vertex root_;
    int capacity_;
};
