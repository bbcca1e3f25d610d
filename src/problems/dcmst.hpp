#pragma once

#include <vector>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// Minimum spanning tree in which no vertex has more tree edges than its limit (Section 2.1.1 of the paper).
class DegreeConstrainedMst final : public Problem {
public:
    /// `limits` has one number of at least 1 per vertex.
    DegreeConstrainedMst(const Instance& instance, std::vector<int> limits);

    [[nodiscard]] int limit(Vertex v) const { return limits_[static_cast<std::size_t>(v)]; }

    [[nodiscard]] std::string_view name() const override { return "dcmst"; }
    [[nodiscard]] bool has_room(const Construction& state, Vertex u) const override;
    [[nodiscard]] bool admits(const Construction& state, Vertex v) const override;
    [[nodiscard]] std::optional<std::string> obstacle() const override;

protected:
    [[nodiscard]] std::string describe_overflow(const Tree& tree, Vertex u) const override;

private:
    std::vector<int> limits_;  // (n)
};

}  // namespace neuroprim
