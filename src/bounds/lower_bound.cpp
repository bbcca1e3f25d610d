#include "neuroprim/bounds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "problems/root_contraction.hpp"

namespace neuroprim {

bool mst_is_a_bound(const Problem& problem) {
    if (!problem.cost_is_total_weight() || !problem.spec().other_roots.empty()) return false;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (!problem.required(v)) return false;
    }
    return true;
}

bool costs_are_never_negative(const Problem& problem) {
    return problem.is_plain() || problem.cost_is_total_weight();
}

std::optional<double> lower_bound(const Problem& problem, int threads, const std::function<bool()>& interrupted) {
    if (problem.is_plain() && !problem.spec().other_roots.empty()) {
        const RootContraction contraction(problem.spec(), problem.instance());
        return lower_bound(Problem(contraction.instance(), contraction.spec()), threads, interrupted);
    }
    if (!mst_is_a_bound(problem)) return std::nullopt;
    try {
        return total_weight(minimum_spanning_tree(problem.weights(), threads, interrupted), problem.weights());
    } catch (const Interrupted&) {
        return std::nullopt;
    }
}

}  // namespace neuroprim
