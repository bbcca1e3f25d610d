#include "search/windows/windowed_greedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "neuroprim/error.hpp"
#include "neuroprim/models.hpp"
#include "neuroprim/neural.hpp"
#include "problems/kinds.hpp"
#include "search/augmentation.hpp"
#include "search/neural_options.hpp"
#include "search/passes.hpp"
#include "search/spare_tree.hpp"
#include "search/windows/backbone_looks.hpp"
#include "search/windows/path_looks.hpp"
#include "search/windows/path_rebuilding.hpp"
#include "search/windows/prize_looks.hpp"
#include "search/windows/window_rebuilding.hpp"

namespace neuroprim {

namespace {

/// From here on one construction is rebuilt, not the best two, and in fewer passes.
constexpr Vertex many_vertices = 10'000;
/// Constructions under several limits are far from good trees, and each pass brings them nearer.
constexpr std::int64_t passes_of_greedy = 16;
constexpr std::int64_t passes_of_many_vertices = 10;
/// A share of the cost: after so many passes in a row that gained less, greedy has its tree.
constexpr double worth_of_greedy = 0.005;
constexpr std::int64_t fruitless_passes_of_greedy = 3;
/// One of theirs takes longer, and two see nearly every vertex.
constexpr std::int64_t passes_of_greedy_paths = 2;
/// One for each symmetry of the square.
constexpr std::int64_t usual_fruitless_passes = 8;

struct Passes {
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::int64_t fruitless = usual_fruitless_passes;  ///< in a row
    double worth = 0;                                 ///< a share of the cost; a pass that gains no more is fruitless
    int augmentations = 1;                            ///< of every window, in each of them
    std::size_t samples = 0;                          ///< likewise
    BackboneLooks* looks = nullptr;                   ///< where given, one after each: begin anew from a better tree
};

/// Starts of the first tree that is rebuilt. All of them where they are soon done; which is the best changes with
/// every pass.
std::size_t first_starts(const Problem& problem) {
    constexpr std::size_t enough_vertices = 10'000;
    constexpr std::size_t enough_with_prizes = 8;  // they hardly differ once they are pruned
    if (problem.spec().root) return 1;             // other first edges are soon rebuilt
    if (has_prize_looks(problem)) return enough_with_prizes;
    return std::max<std::size_t>(10, enough_vertices / index(problem.size()));
}

/// Where growth takes so long that a time limit may end it before it has a tree.
bool grows_slowly(const Problem& problem, const SolveOptions& options) {
    if (problem.size() <= most_trained || grows_in_windows(problem, options)) return false;
    return !sees_backbones_only(problem, options);
}

/// The best greedy tree of a policy that sees the whole graph; nothing where all end in dead ends, or there is no
/// time.
std::optional<Candidate> grown_whole(const Problem& problem, const SolveOptions& options, std::size_t starts,
                                     const StopToken& stop) {
    NeuralOptions neural = neural_options(options, problem);
    if (options.starts == 0 && options.start == no_vertex) neural.starts = starts;
    neural.interrupted = [&stop] { return stop.expired(); };
    try {
        Tree tree = solve_neurally(policy_for(problem, options), problem, neural).tree;
        const double cost = problem.cost(tree);
        return Candidate{std::move(tree), cost, "greedy"};
    } catch (const Infeasible&) {
    } catch (const Interrupted&) {
    } catch (const TooLarge&) {
    }
    return std::nullopt;
}

/// Trees whose windows are worth rebuilding: the cheapest construction need not be the one that windows gain most
/// from, and where the policy can soon grow a tree of its own, that is another one. Throws as `constructed_trees`
/// does.
std::vector<Candidate> trees_to_rebuild(const Problem& problem, const SolveOptions& options, const StopToken& stop) {
    constexpr Vertex soon_grown = 500;
    constexpr std::size_t few_starts = 4;
    const bool is_path = has_path_windows(problem);
    // Constructions for groups are too far from good trees, and those of the policy are small.
    const bool has_groups = problem.spec().coverage == Coverage::groups;
    const Vertex most_grown = has_groups ? most_whole_vertices : soon_grown;
    const bool grows_own = problem.size() <= most_grown && !is_path;
    std::vector<Candidate> trees;
    try {
        const TreePool constructed = constructed_trees(problem, options, stop);
        trees.push_back(constructed[0]);
        if (constructed.size() > 1 && problem.size() <= many_vertices && !is_path) trees.push_back(constructed[1]);
    } catch (const Infeasible&) {
        if (!grows_own) throw;
    }
    if (!grows_own) return trees;
    const std::size_t starts = has_groups ? first_starts(problem) : std::min(first_starts(problem), few_starts);
    auto own = grown_whole(problem, options, starts, time_of_construction(stop).value_or(stop));
    if (own) trees.push_back(std::move(*own));
    if (trees.empty()) throw Infeasible("no feasible tree was found, though there may be one");
    return trees;
}

/// The policy's greedy tree; that of a construction where it ends in dead ends, or has no time.
Candidate grown(const Policy& policy, BackboneLooks* looks, const Problem& problem, const SolveOptions& options,
                const std::optional<Candidate>& spare, const StopToken& stop) {
    const auto constructed = [&] { return spare ? *spare : constructed_tree(problem, options, stop); };
    if (looks != nullptr && sees_backbones_only(problem, options)) {
        try {
            return looks->best(stop);
        } catch (const Interrupted&) {
            return constructed();
        }
    }
    if (grows_in_windows(problem, options)) return solve_by_windows(policy, problem, options, stop);
    if (const auto of_ends = policy_of_path_looks(problem, options)) {
        constexpr std::size_t few = 2;  // the time is for rebuilding
        SolveOptions briefly = options;
        briefly.starts = options.starts > 0 ? options.starts : few;
        try {
            return PathLooks(*of_ends, problem, briefly).best(stop);
        } catch (const Interrupted&) {
            return constructed();
        }
    }
    auto own = grown_whole(problem, options, first_starts(problem), stop);
    return own ? std::move(*own) : constructed();
}

WindowOptions window_options(const Problem& problem, const SolveOptions& options, const Passes& passes) {
    WindowOptions windows;
    windows.size = index(window_size(problem));
    windows.starts = options.starts;
    windows.augmentations = passes.augmentations;
    windows.samples = passes.samples;
    windows.seed = options.seed;
    windows.threads = options.threads;
    return windows;
}

void rebuild_path(const Policy& policy, const Problem& problem, const WindowOptions& windows, const Passes& passes,
                  const StopToken& stop, Candidate& best) {
    PathRebuilding rebuilding(policy, problem, best.tree, windows, stop);
    double gain = 0;
    repeat_passes(passes.most, passes.fruitless, stop, [&](std::int64_t) {
        const double gain_of_pass = rebuilding.pass(stop);
        gain += gain_of_pass;
        return gain_of_pass > 0;
    });
    if (gain == 0) return;
    best.tree = rebuilding.tree();
    best.cost = problem.cost(best.tree);
}

void rebuild_tree(const Policy& policy, const Problem& problem, const WindowOptions& windows, const Passes& passes,
                  const StopToken& stop, Candidate& best) {
    std::optional<WindowRebuilding> rebuilding(std::in_place, policy, problem, best.tree, windows, stop);
    repeat_passes(passes.most, passes.fruitless, stop, [&](std::int64_t pass) {
        const bool is_better = rebuilding->pass(stop) > passes.worth * best.cost;
        best.tree = rebuilding->tree();
        best.cost = problem.cost(best.tree);
        if (passes.looks == nullptr) return is_better;
        auto other = passes.looks->next(pass % 2 == 0 ? &best.tree : nullptr, stop);
        if (!other || problem.cost(*other) >= best.cost) return is_better;
        const double cost = problem.cost(*other);
        best = {std::move(*other), cost, "backbone"};
        rebuilding.emplace(policy, problem, best.tree, windows, stop);
        return true;
    });
}

Candidate rebuilt(const Policy& policy, const Problem& problem, const SolveOptions& options, const Passes& passes,
                  const StopToken& stop, Candidate best) {
    if (stop.expired()) return best;
    const WindowOptions windows = window_options(problem, options, passes);
    try {
        const auto rebuild = has_path_windows(problem) ? rebuild_path : rebuild_tree;
        rebuild(policy, problem, windows, passes, stop, best);
    } catch (const Interrupted&) {
        return best;
    }
    if (!best.source.starts_with("windows")) best.source = fmt::format("windows from {}", best.source);
    return best;
}

/// The same where prizes are hidden in turn, and every pass looks at all vertices.
Candidate collected(const Policy& policy, const Problem& problem, const SolveOptions& options, const Passes& passes,
                    const StopToken& stop, Candidate best) {
    if (stop.expired()) return best;
    try {
        PrizeLooks looks(policy, problem, best.tree, options.seed, options.threads, stop);
        repeat_passes(passes.most, passes.fruitless, stop, [&](std::int64_t) { return looks.pass(stop) > 0; });
        return {looks.tree(), problem.cost(looks.tree()), fmt::format("looks from {}", best.source)};
    } catch (const Interrupted&) {
        return best;
    }
}

}  // namespace

Vertex window_size(const Problem& problem) {
    constexpr Vertex most = 100;
    constexpr Vertex least = 16;
    return std::clamp(problem.size() * 3 / 5, least, most);
}

bool grows_in_windows(const Problem& problem, const SolveOptions& options) {
    if (!has_windows(problem) || problem.size() <= most_trained) return false;
    if (problem.size() > most_whole_vertices) return true;
    if (asks_for_a_path(problem) || options.start != no_vertex) return false;
    return options.policy || !options.model.empty() || !find_large_model(problem);
}

bool sees_backbones_only(const Problem& problem, const SolveOptions& options) {
    if (!has_backbones(problem) || problem.size() <= most_trained) return false;
    return options.start == no_vertex || problem.size() > most_whole_vertices;
}

std::optional<Policy> policy_of_path_looks(const Problem& problem, const SolveOptions& options) {
    if (options.policy || !options.model.empty()) return std::nullopt;
    if (!has_path_looks(problem) || problem.size() <= most_trained || problem.size() > most_whole_vertices) {
        return std::nullopt;
    }
    const auto file = find_end_model(problem);
    return file ? std::optional(Policy::load(*file)) : std::nullopt;
}

Candidate solve_by_windows(const Policy& policy, const Problem& problem, const SolveOptions& options,
                           const StopToken& stop) {
    Passes passes;
    passes.augmentations = augmentations_or(options, 1);
    if (has_path_windows(problem)) {
        passes.most = passes_of_greedy_paths;
    } else {
        passes.most = problem.size() > many_vertices ? passes_of_many_vertices : passes_of_greedy;
        passes.fruitless = fruitless_passes_of_greedy;
        passes.worth = worth_of_greedy;
    }
    std::optional<Candidate> best;
    for (Candidate& tree : trees_to_rebuild(problem, options, stop)) {
        best = cheaper_of(rebuilt(policy, problem, options, passes, stop, std::move(tree)), std::move(best));
    }
    return std::move(*best);
}

Candidate solve_by_rebuilding(const Policy& policy, const Problem& problem, const SolveOptions& options,
                              const StopToken& stop) {
    if (!has_windows(problem)) {
        throw InputError(
            fmt::format("rebuild grows parts of a tree anew, and {} has none that stand alone: its cost "
                        "or a rule of its own is about all pairs of vertices",
                        problem.name()));
    }
    Passes passes;
    passes.samples = samples_of_windows;
    std::optional<BackboneLooks> looks;
    if (has_backbones(problem)) passes.looks = &looks.emplace(policy, problem, options);
    if (options.max_iterations) passes.most = *options.max_iterations;
    if (options.no_improvement) passes.fruitless = *options.no_improvement;
    std::optional<Candidate> spare;
    if (grows_slowly(problem, options)) spare = spare_tree(problem, options, stop);
    Candidate first = grown(policy, passes.looks, problem, options, spare, stop);
    if (has_prize_looks(problem)) return collected(policy, problem, options, passes, stop, std::move(first));
    return cheaper_of(rebuilt(policy, problem, options, passes, stop, std::move(first)), spare);
}

}  // namespace neuroprim
