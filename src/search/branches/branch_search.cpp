#include "search/branches/branch_search.hpp"

#include <algorithm>
#include <limits>

#include "search/branches/branch_worker.hpp"

namespace neuroprim {

namespace {

/// With more vertices to a branch, spanning one anew for each move takes too long.
constexpr double most_vertices_of_branch = 60;

/// Longer branches, or more vertices, are too many for the dives' linear program.
constexpr double most_vertices_of_branch_for_dives = 12;
constexpr Vertex most_vertices_for_dives = 400;

/// How many vertices a full branch has on average; infinity where nothing is carried.
double vertices_of_branch(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    double demand = 0;
    for (Vertex v = 0; v < problem.size(); ++v) demand += v == *spec.root ? 0 : spec.demand(v);
    return problem.size() * *spec.capacity / demand;
}

class BranchSearch final : public LocalSearch {
public:
    BranchSearch(const Problem& problem, Neighbours near)
        : problem_(&problem), weights_(problem.weights()), near_(std::move(near)) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        const bool dives = problem_->size() <= most_vertices_for_dives &&
                           vertices_of_branch(*problem_) <= most_vertices_of_branch_for_dives;
        return std::make_unique<branches::BranchWorker>(*problem_, weights_, near_, Random(seed, stream), dives);
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        // Some 60 ns a step, and 15 more for every vertex of a branch. What a round costs at its end is O(n): a large
        // tree gets more steps.
        const auto steps = static_cast<std::int64_t>(600'000 / (4 + vertices_of_branch(*problem_)));
        return std::max<std::int64_t>(steps, problem_->size());
    }

    /// Annealing looks at worse trees for most of a cycle, which another tree would end before it pays.
    [[nodiscard]] int idle_rounds_allowed() const override { return std::numeric_limits<int>::max(); }

private:
    const Problem* problem_;
    branches::WeightTable weights_;
    Neighbours near_;
};

}  // namespace

bool suits_branches(const Problem& problem) {
    if (!branches::BranchPartition::suits(problem)) return false;
    return vertices_of_branch(problem) <= most_vertices_of_branch;
}

std::unique_ptr<LocalSearch> prepare_branches(const Problem& problem, int threads, const StopToken& stop) {
    constexpr std::size_t list_length = 14;
    return std::make_unique<BranchSearch>(problem, nearest_neighbours(problem.weights(), list_length, threads, stop));
}

}  // namespace neuroprim
