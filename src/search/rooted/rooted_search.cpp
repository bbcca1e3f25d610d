#include "search/rooted/rooted_search.hpp"

#include <algorithm>
#include <limits>

#include "search/rooted/path_growth.hpp"
#include "search/rooted/path_lists.hpp"
#include "search/rooted/rooted_worker.hpp"
#include "search/rooted/windowed_worker.hpp"
#include "search/sectors/sector_worker.hpp"

namespace neuroprim {

namespace {

constexpr sectors::SectorPlan rooted_sectors = {
    .size = 1500, .steps_per_vertex = 1, .descents = 5, .last_doubling = 7};

sectors::SectorResult improve_rooted_sector(const sectors::Sector& sector, const WindowEffort& effort, Random random,
                                            const StopToken& stop) {
    rooted::RootedWorker worker(sector.problem(), sector.near(), random);
    worker.adopt(sector.root(), sector.parent(), effort);
    const double before = worker.cost();
    sectors::SectorResult result;
    result.steps = worker.run(effort.steps, stop);
    result.gain = before - worker.cost();
    if (result.gain <= rooted::rounding * before) return {{}, 0, result.steps};
    for (Vertex v = 0; v < sector.problem().size(); ++v) result.parent.push_back(worker.parent(v));
    return result;
}

class RootedSearch final : public LocalSearch {
public:
    RootedSearch(const Problem& problem, Neighbours near, int threads)
        : problem_(&problem), near_(std::move(near)), threads_(threads) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        if (sectors::works_in_sectors(*problem_)) {
            return std::make_unique<sectors::SectorWorker>(*problem_, near_, rooted_sectors, improve_rooted_sector,
                                                           threads_, Random(seed, stream));
        }
        if (has_parallel_rounds()) {
            return std::make_unique<rooted::WindowedWorker>(*problem_, near_, threads_, Random(seed, stream));
        }
        return std::make_unique<rooted::RootedWorker>(*problem_, near_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        if (has_parallel_rounds()) return whole_rounds;
        // What a round costs at its end is O(n): a large tree gets more steps.
        return std::max<std::int64_t>(1000, problem_->size() / 20);
    }

    [[nodiscard]] std::int64_t slices_per_round() const override { return has_parallel_rounds() ? 10 : 1; }

    [[nodiscard]] bool has_parallel_rounds() const override {
        // Long ways to the root, which lengths alone allow, pass through many windows that hold them in place.
        const bool is_shallow = problem_->spec().hops || problem_->spec().diameter;
        return sectors::works_in_sectors(*problem_) ||
               (problem_->size() >= many && is_shallow && rooted::has_rooted_windows(*problem_));
    }

    /// Annealing looks at worse trees for most of a cycle, which another tree would end before it pays.
    [[nodiscard]] int idle_rounds_allowed() const override { return std::numeric_limits<int>::max(); }

private:
    /// From here on the tree is large enough for all threads to work on it together.
    static constexpr Vertex many = 10'000;
    /// A worker with windows knows itself when a round is over.
    static constexpr std::int64_t whole_rounds = 1'000'000'000;

    const Problem* problem_;
    Neighbours near_;
    int threads_;
};

}  // namespace

bool suits_rooted(const Problem& problem) {
    if (!rooted::ResourceTree::supports(problem)) return false;
    if (!rooted::joins_by_paths(problem)) return true;
    // The root stays in the tree whatever it costs, so it must be a vertex that has to.
    return grows_by_paths(problem) && problem.required(problem.starts().front());
}

std::optional<std::int64_t> rooted_steps_beside_policy(const Problem& problem) {
    constexpr Vertex many = 100;  // the shared model learned from graphs of 20 to 100 vertices
    const TreeSpec& spec = problem.spec();
    const bool pays = !spec.degrees.empty() && (spec.hops || spec.diameter);
    if (problem.size() > many || !pays) return std::nullopt;
    constexpr std::int64_t steps_per_vertex = 250;  // so many take longer than the policy's trees (docs/results.md)
    return steps_per_vertex * problem.size();
}

std::unique_ptr<LocalSearch> prepare_rooted(const Problem& problem, int threads, const StopToken& stop) {
    constexpr std::size_t list_length = 14;
    return std::make_unique<RootedSearch>(problem,
                                          rooted::joins_by_paths(problem)
                                              ? rooted::lists_for_paths(problem, threads, stop)
                                              : nearest_neighbours(problem.weights(), list_length, threads, stop),
                                          threads);
}

}  // namespace neuroprim
