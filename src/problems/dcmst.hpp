#pragma once

#include <span>
#include <vector>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Minimum spanning tree in which no vertex has more tree edges than its limit (Section 2.1.1 of the paper).
class DegreeConstrainedMst final : public Problem {
public:
    /// `limits` has one number of at least 1 per vertex.
    DegreeConstrainedMst(const Instance& instance, std::vector<int> limits);

    [[nodiscard]] int limit(Vertex v) const { return limits_[index(v)]; }
    [[nodiscard]] std::span<const int> limits() const { return limits_; }

    /// Is every limit 2? Then feasible trees are Hamiltonian paths.
    [[nodiscard]] bool asks_for_a_path() const;

    [[nodiscard]] std::string_view name() const override { return "dcmst"; }
    [[nodiscard]] bool has_room(const Construction& state, Vertex u) const override;
    [[nodiscard]] Vertex most_open() const override { return asks_for_a_path() ? 2 : size(); }
    [[nodiscard]] bool admits(const Construction& state, Vertex v) const override;
    [[nodiscard]] bool admits_all(const Construction& state) const override;
    [[nodiscard]] std::optional<std::string> obstacle() const override;

protected:
    [[nodiscard]] std::string describe_overflow(const Tree& tree, Vertex u) const override;

private:
    std::vector<int> limits_;  // (n)
    bool has_leaves_;          // vertices of limit 1
};

}  // namespace neuroprim
