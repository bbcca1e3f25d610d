#pragma once

#include <span>
#include <vector>

#include "neuroprim/types.hpp"
#include "policy/aligned.hpp"
#include "policy/model.hpp"
#include "policy/stop_request.hpp"

namespace neuroprim::policy {

/// Moved and scaled by one factor into the unit square (aspect kept), then seen under one of its eight symmetries:
/// bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps them.
[[nodiscard]] std::vector<Point> in_unit_square(std::span<const Point> points, int symmetry);

/// The points turned about the origin.
[[nodiscard]] std::vector<Point> turned(std::vector<Point> points, double degrees);

/// Features of all vertices, (n, d_v): input layer, encoder layers, closing norm. `distances` (n, n) is what a policy
/// that sees them needs, and null for others; `facts` (n, input_facts) likewise for one that is told the
/// specification. Throws Interrupted once `stop` is made.
[[nodiscard]] AlignedFloats encode_vertices(const Model& model, std::span<const Point> points,
                                            const std::vector<bool>& is_terminal, const float* distances,
                                            const float* facts, int threads, StopRequest& stop);

}  // namespace neuroprim::policy
