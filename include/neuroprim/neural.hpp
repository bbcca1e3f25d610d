#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

/// The policy in `file`, or, when that is empty, the pretrained one for the problem (models.hpp). Throws InputError
/// when there is none.
[[nodiscard]] Policy load_policy(const Problem& problem, const std::string& file = {});

/// The same for the problem of this name.
[[nodiscard]] Policy load_policy(std::string_view problem, const std::string& file = {});

/// The policy that the options hold or name, or the pretrained one for the problem.
[[nodiscard]] Policy policy_for(const Problem& problem, const SolveOptions& options);

/// The same for parts of the problem that have so many vertices.
[[nodiscard]] Policy policy_for(const Problem& problem, const SolveOptions& options, Vertex size);

/// What is odd about asking this policy: that it was trained for another of the known problems. Its trees are
/// feasible all the same, but poor. Nothing when they suit each other, or when its file does not say.
[[nodiscard]] std::optional<std::string> mismatch(const Policy& policy, const Problem& problem);

/// The eight symmetries of the square, seven more times turned by a few degrees: for the policy all of them are
/// different instances, with the same trees.
inline constexpr int most_augmentations = 64;

/// How a policy is asked for a tree.
struct NeuralOptions {
    DecodeMode mode = DecodeMode::greedy;
    Vertex start = no_vertex;  ///< only from here; `no_vertex`: from every allowed start
    /// Greedily so many trees, their starts spread evenly, or with a root as many of its shortest edges first; 0:
    /// from every vertex where a policy may begin, or with a root 49 trees.
    std::size_t starts = 0;
    std::size_t beam = 0;     ///< greedy: go on by a beam of this width from the best start; 0: do not
    std::size_t samples = 0;  ///< how many trajectories to sample; 0: twenty per start, as in the paper
    int augmentations = 1;    ///< decode under this many augmentations, at most `most_augmentations`
    /// Each start or sample under so many of them only, in turn; 0: under all, first edges of a root under one.
    int augmentations_per_start = 0;
    int rounds = 1;          ///< take the starts or samples in so many parts; after each the best quarter of the
                             ///< augmentations goes on
    double temperature = 1;  ///< sampling: below one sharper, above one flatter
    std::uint64_t seed = 0;
    int threads = 1;
    std::optional<std::size_t> max_memory = {};  ///< bytes; not given: `default_max_memory()`
    std::size_t keep = 0;  ///< how many of the cheapest trees to give back, besides the best one

    /// Asked now and then from any thread; once true the best tree so far is the answer, within some milliseconds.
    std::function<bool()> interrupted = {};
};

/// Bytes that `solve_neurally` takes at most, within some percent: the encoded instance and the trees that grow at a
/// time.
[[nodiscard]] std::size_t memory_needed(const Policy& policy, const Problem& problem, const NeuralOptions& options);

/// The best of many trees, and how the others did.
struct NeuralAnswer {
    Tree tree;
    double cost = 0;
    CostStatistics statistics;
    std::vector<Tree> others;  ///< the next cheapest, of different costs, cheapest first; at most `keep`
};

/// Decodes and keeps the cheapest tree. The answer depends on the options, never on the threads; of equals the first
/// stays. Throws Infeasible when every trajectory ran into a dead end, TooLarge when it would need more memory than
/// it may take, and Interrupted when it was stopped before the first tree was complete.
[[nodiscard]] NeuralAnswer solve_neurally(const Policy& policy, const Problem& problem, const NeuralOptions& options);

/// The vertex from which the cheapest greedy tree grows, of those where any construction may begin.
[[nodiscard]] Vertex best_start(const Policy& policy, const Problem& problem, NeuralOptions options);

}  // namespace neuroprim
