#pragma once

#include <functional>

#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// Grows trees greedily from every start, one start at first, then twice as many each time, and hands over the best
/// trees of each batch as soon as it is done. `start` alone where it is a vertex. Where there is one start, such as a
/// root, it grows from there under the eight symmetries of the square, one after the other: another tree under each.
/// Works on the calling thread only, asks `encoding.interrupted` every few milliseconds and ends soon after it says
/// yes, by Interrupted where there was no tree yet.
void offer_policy_trees(const Policy& policy, const Problem& problem, Vertex start, const EncodeOptions& encoding,
                        const std::function<void(Tree)>& offer);

}  // namespace neuroprim
