#pragma once

#include <span>

#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "search/best_tree.hpp"

namespace neuroprim {

/// Simulation-guided beam search (Choo and others, 2022): the greedy trees of all starts first; then, from the start
/// of the best, `width` partial trees are kept, each tries its `width` edges of highest score, and a partial tree is
/// judged by what the policy makes of it greedily. `decoding` must be greedy. About width²·n trees, all given to
/// `best`; returns the cost of the cheapest.
double search_by_beam(const Encoded& encoded, const Problem& problem, std::span<const Start> starts,
                      const DecodeOptions& decoding, std::size_t width, BestTree& best);

}  // namespace neuroprim
