#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/heuristics.hpp"
#include "neuroprim/solution.hpp"

namespace neuroprim {

std::optional<double> Solution::gap_percent() const {
    if (!bound) return std::nullopt;
    if (*bound > 0) return std::max(0.0, 100 * (cost - *bound) / *bound);
    if (cost <= *bound) return 0.0;
    return std::nullopt;
}

Solution solve(const Problem& problem, const SolveOptions& options) {
    const auto began = std::chrono::steady_clock::now();
    if (const auto reason = problem.obstacle()) throw Infeasible(*reason);
    if (options.start != no_vertex) {
        const auto starts = problem.starts();
        if (std::find(starts.begin(), starts.end(), options.start) == starts.end()) {
            throw InputError(fmt::format("{} cannot start at vertex {}", problem.name(), options.start));
        }
    }
    const Method& method = options.method.empty() ? default_method(problem) : method_named(options.method);
    Tree tree = problem.tidied(method.construct(problem, {options.start, options.threads}));
    if (const auto reason = problem.violation(tree)) {
        throw Infeasible(fmt::format("{} found no feasible tree: {}", method.name, *reason));
    }

    Solution solution;
    solution.instance = problem.instance().name;
    solution.problem = problem.name();
    solution.n = problem.size();
    solution.method = method.name;
    solution.seed = options.seed;
    solution.cost = problem.cost(tree);
    solution.bound = lower_bound(problem, options.threads);
    solution.tree = std::move(tree);
    solution.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return solution;
}

}  // namespace neuroprim
