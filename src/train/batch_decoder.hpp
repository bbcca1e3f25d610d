#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim::train {

/// How trees are grown in batches.
struct BatchDecoding {
    std::int64_t starts = 0;  ///< vertices of each problem to grow from, spread evenly; 0: all that are allowed
    std::int64_t samples =
        0;                  ///< trees drawn from the policy for each problem, over its starts; 0: greedy, one a start
    int augmentations = 1;  ///< symmetries of the square that each problem is seen under, at most 8
    std::uint64_t seed = 0;
};

/// The best of the trees that grew for one problem.
struct DecodedTree {
    Tree tree;
    double cost = 0;
    bool is_feasible = false;  ///< false: all ended in a dead end, and there is no tree
    std::int64_t grown = 0;    ///< how many trees it is the best of
};

/// A policy that grows trees of many problems at once, on a CPU or through the fused kernels of a GPU. The same trees
/// as those of `neuroprim::decode`, up to ties within rounding. (Mirrored points are moved into the corner of the
/// unit square again, as in training, which `solve_neurally` does not do.)
class BatchDecoder {
public:
    BatchDecoder(const Policy& policy, c10::Device device);
    ~BatchDecoder();

    /// The best tree of each problem, judged in double precision. Problems of equal size and rules share batches, as
    /// many as fit into memory. Throws InputError naming the first problem that cannot grow in batches.
    [[nodiscard]] std::vector<DecodedTree> decode(std::span<const Problem* const> problems,
                                                  const BatchDecoding& options);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace neuroprim::train
