#pragma once

#include <string>
#include <vector>

#include "neuroprim/problem.hpp"

namespace neuroprim {

/// A limit on ways from the root, where edges stand for longer ways and vertices for what hangs from them.
struct WayLimit {
    double most = 0;
    std::vector<double> way;     // (n, n) of each edge; for edges of the root with what lies between it and them
    std::vector<double> height;  // (n) of what hangs from a vertex
};

/// A window whose ways from the root are counted by tables, and not by its own edges.
class ClosureProblem final : public Problem {
public:
    ClosureProblem(const Instance& instance, TreeSpec spec, std::string name, std::vector<WayLimit> limits);

    /// O(depth of u).
    [[nodiscard]] bool joins(const Construction& state, Vertex u, Vertex v) const override;
    [[nodiscard]] bool has_pair_rule() const override { return true; }

private:
    std::vector<WayLimit> limits_;
};

}  // namespace neuroprim
