#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neuroprim/problem.hpp"
#include "neuroprim/solution.hpp"
#include "neuroprim/stopping.hpp"
#include "neuroprim/tree.hpp"

namespace neuroprim {

class Policy;

/// A way to solve, by its name on the command line.
struct MethodInfo {
    std::string_view name;
    std::string_view title;
    bool needs_policy = false;
};

/// Where `search` takes its first trees from.
enum class Initial { best, classical, policy, both };

/// Seconds that `search` takes when neither the time nor the iterations are limited.
inline constexpr double usual_time_limit = 1;

struct SolveOptions {
    std::string method = {};  ///< one of `solve_methods()`; empty: `search`
    Vertex start = no_vertex;
    std::uint64_t seed = 0;
    int threads = 1;

    // For the neural methods; see NeuralOptions.
    std::string model = {};                     ///< a file or a pretrained one's name; empty: the one for the problem
    std::shared_ptr<const Policy> policy = {};  ///< loaded already: nothing is read from `model` or anywhere else
    std::size_t starts = 0;   ///< 0: as in NeuralOptions, but ten, or one from a root, of more than 150 vertices
    std::size_t samples = 0;  ///< 0: likewise, from ten starts
    std::size_t beam = 4;     ///< how many partial trees `beam` keeps
    int augmentations = 0;    ///< 0: one, or what suits the looks at parts of a large graph
    int augmentations_per_start = 0;
    int rounds = 1;
    double temperature = 1;
    std::optional<std::size_t> max_memory = {};  ///< bytes; `search` does without a policy that needs more

    // For `search`: it ends when one of these says so, when the tree is proven optimal or when nothing is left to
    // try. A classical method that has no tree within the time limit gives up. `rebuild` counts its passes as
    // iterations.
    std::optional<double> time_limit =
        {};  ///< seconds; for `search` `usual_time_limit` unless iterations are limited
    std::optional<double> target_gap = {};  ///< percent
    std::optional<std::int64_t> max_iterations = {};
    std::optional<std::int64_t> no_improvement = {};    ///< iterations
    std::shared_ptr<const StoppingRule> stopping = {};  ///< a rule of your own
    std::optional<Tree> warm_start = {};                ///< go on from this feasible tree
    Initial initial = Initial::best;                    ///< `best`: what was measured to help the problem

    /// Told about every better tree or bound, in the thread that called `solve`.
    std::function<void(const SearchState& state, std::string_view found_by)> watcher = {};

    /// Asked now and then, by any thread; once true the best tree so far is the answer.
    std::function<bool()> interrupted = {};
};

/// Every name that `SolveOptions::method` may have: the classical ones, the neural ones, `search` last.
[[nodiscard]] std::vector<MethodInfo> solve_methods();

/// Is it the name of a method whose trees are all grown by a policy?
[[nodiscard]] bool is_neural(std::string_view method);

/// Builds, prunes, checks and prices a tree. Throws Infeasible when the method finds no feasible one, and
/// Interrupted when it was stopped before there was one.
[[nodiscard]] Solution solve(const Problem& problem, const SolveOptions& options = {});

}  // namespace neuroprim
