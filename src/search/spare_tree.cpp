#include "search/spare_tree.hpp"

#include <cmath>
#include <utility>

#include "neuroprim/error.hpp"
#include "search/initial_solutions.hpp"

namespace neuroprim {

TreePool constructed_trees(const Problem& problem, const SolveOptions& options, const StopToken& stop) {
    TreePool pool(problem);
    add_first_tree(problem, options, stop, pool);
    if (!stop.expired()) add_quick_trees(problem, options, stop, pool);
    if (!stop.expired()) add_fitting_trees(problem, options, time_of_construction(stop).value_or(stop), pool);
    return pool;
}

Candidate constructed_tree(const Problem& problem, const SolveOptions& options, const StopToken& stop) {
    return constructed_trees(problem, options, stop)[0];
}

std::optional<StopToken> time_of_construction(const StopToken& stop) {
    constexpr double quarter = 0.25;
    if (std::isinf(stop.seconds_left())) return std::nullopt;
    return stop.share(quarter);
}

std::optional<Candidate> spare_tree(const Problem& problem, const SolveOptions& options, const StopToken& stop) {
    const auto briefly = time_of_construction(stop);
    if (!briefly) return std::nullopt;
    try {
        return constructed_tree(problem, options, *briefly);
    } catch (const Infeasible&) {
    } catch (const Interrupted&) {
    }
    return std::nullopt;
}

Candidate cheaper_of(Candidate own, std::optional<Candidate> spare) {
    return spare && spare->cost < own.cost ? std::move(*spare) : std::move(own);
}

}  // namespace neuroprim
