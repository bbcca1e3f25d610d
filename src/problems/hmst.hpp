#pragma once

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Minimum spanning tree in which no vertex is more than `hops` edges away from the root.
class HopConstrainedMst final : public Problem {
public:
    /// `hops` is at least 1.
    HopConstrainedMst(const Instance& instance, Vertex root, int hops)
        : Problem(instance), root_(root), hops_(hops) {}

    [[nodiscard]] Vertex root() const { return root_; }
    [[nodiscard]] int hops() const { return hops_; }

    [[nodiscard]] std::string_view name() const override { return "hmst"; }
    [[nodiscard]] std::vector<Vertex> starts() const override { return {root_}; }
    [[nodiscard]] bool has_room(const Construction& state, Vertex u) const override { return state.depth(u) < hops_; }
    [[nodiscard]] std::optional<std::string> obstacle() const override;

protected:
    [[nodiscard]] std::string describe_overflow(const Tree& tree, Vertex u) const override;

private:
    Vertex root_;
    int hops_;
};

}  // namespace neuroprim
