#include "search/branches/branch_search.hpp"

#include <algorithm>
#include <limits>

#include "search/branches/branch_worker.hpp"
#include "search/sectors/sector_worker.hpp"

namespace neuroprim {

namespace {

/// With more vertices to a branch, spanning one anew for each move takes too long.
constexpr double most_vertices_of_branch = 60;

/// Longer branches, or more vertices, are too many for the dives' linear program.
constexpr double most_vertices_of_branch_for_dives = 12;
constexpr Vertex most_vertices_for_dives = 400;

sectors::SectorResult improve_sector(const sectors::Sector& sector, const WindowEffort& effort, Random random,
                                     const StopToken& stop) {
    const branches::WeightTable weights(sector.problem().weights());
    branches::BranchWorker worker(sector.problem(), weights, sector.near(), random, false);
    const Tree tree = sector.tree();
    worker.adopt(tree, effort);
    sectors::SectorResult result;
    result.steps = worker.run(effort.steps, stop);
    result.gain = sector.problem().cost(tree) - worker.cost();
    if (result.gain <= 0) return {{}, 0, result.steps};
    result.parent = worker.parents();
    return result;
}

constexpr sectors::SectorPlan sector_plan = {.size = 999, .steps_per_vertex = 50, .descents = 6, .last_doubling = 7};

class BranchSearch final : public LocalSearch {
public:
    BranchSearch(const Problem& problem, Neighbours near, int threads)
        : problem_(&problem), weights_(problem.weights()), near_(std::move(near)), threads_(threads) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        if (has_parallel_rounds()) {
            return std::make_unique<sectors::SectorWorker>(*problem_, near_, sector_plan, improve_sector, threads_,
                                                           Random(seed, stream));
        }
        const bool dives = problem_->size() <= most_vertices_for_dives &&
                           sectors::vertices_per_branch(*problem_) <= most_vertices_of_branch_for_dives;
        return std::make_unique<branches::BranchWorker>(*problem_, weights_, near_, Random(seed, stream), dives);
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        if (has_parallel_rounds()) return sectors::whole_rounds;
        // Some 60 ns a step, and 15 more for every vertex of a branch. What a round costs at its end is O(n): a large
        // tree gets more steps.
        const auto steps = static_cast<std::int64_t>(600'000 / (4 + sectors::vertices_per_branch(*problem_)));
        return std::max<std::int64_t>(steps, problem_->size());
    }

    [[nodiscard]] std::int64_t slices_per_round() const override { return has_parallel_rounds() ? 10 : 1; }

    [[nodiscard]] bool has_parallel_rounds() const override { return sectors::works_in_sectors(*problem_); }

    /// Annealing looks at worse trees for most of a cycle, which another tree would end before it pays.
    [[nodiscard]] int idle_rounds_allowed() const override { return std::numeric_limits<int>::max(); }

private:
    const Problem* problem_;
    branches::WeightTable weights_;
    Neighbours near_;
    int threads_;
};

}  // namespace

bool suits_branches(const Problem& problem) {
    if (!branches::BranchPartition::suits(problem)) return false;
    return sectors::vertices_per_branch(problem) <= most_vertices_of_branch;
}

std::unique_ptr<LocalSearch> prepare_branches(const Problem& problem, int threads, const StopToken& stop) {
    constexpr std::size_t list_length = 14;
    return std::make_unique<BranchSearch>(problem, nearest_neighbours(problem.weights(), list_length, threads, stop),
                                          threads);
}

}  // namespace neuroprim
