#include "search/levels/level_search.hpp"

#include <limits>
#include <utility>

#include "graph/positions.hpp"
#include "problems/kinds.hpp"
#include "search/levels/level_worker.hpp"
#include "search/levels/list_level_reach.hpp"
#include "search/levels/point_level_reach.hpp"
#include "search/levels/windowed_level_worker.hpp"
#include "search/rooted/resource_tree.hpp"

namespace neuroprim {

namespace {

/// Up to here edges are sorted; points have a k-d tree beyond that.
constexpr Vertex few = 1000;
/// The same for matrices, which have nothing else.
constexpr Vertex few_of_matrix = 2000;
/// From here on the tree is large enough for all threads to work on it together.
constexpr Vertex many = 10'000;

/// Annealing looks at worse trees for most of a cycle, which another tree would end before it pays.
constexpr int never_idle = std::numeric_limits<int>::max();
constexpr std::int64_t steps_per_round_of_levels = 1000;

template <class Reach>
class LevelSearch final : public LocalSearch {
public:
    using Graph = typename Reach::Graph;

    template <class... Arguments>
    explicit LevelSearch(const Problem& problem, Arguments&&... arguments)
        : problem_(&problem), graph_(std::forward<Arguments>(arguments)...) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<levels::LevelWorker<Reach>>(*problem_, graph_, Random(seed, stream));
    }
    [[nodiscard]] std::int64_t steps_per_round() const override { return steps_per_round_of_levels; }
    [[nodiscard]] int idle_rounds_allowed() const override { return never_idle; }

private:
    const Problem* problem_;
    Graph graph_;
};

template <std::size_t Dim, class Norm>
class WindowedLevelSearch final : public LocalSearch {
public:
    WindowedLevelSearch(const Problem& problem, std::vector<Position<Dim>> positions, int threads,
                        const StopToken& stop)
        : problem_(&problem), graph_(problem.weights(), std::move(positions), stop), threads_(threads) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<levels::WindowedLevelWorker<Dim, Norm>>(*problem_, graph_, threads_,
                                                                        Random(seed, stream));
    }

    /// A worker with windows knows itself when a round is over.
    [[nodiscard]] std::int64_t steps_per_round() const override { return 1'000'000'000; }
    [[nodiscard]] std::int64_t slices_per_round() const override { return 10; }
    [[nodiscard]] bool has_parallel_rounds() const override { return true; }
    [[nodiscard]] int idle_rounds_allowed() const override { return never_idle; }

private:
    const Problem* problem_;
    levels::PlacedPoints<Dim> graph_;
    int threads_;
};

}  // namespace

bool suits_levels(const Problem& problem) {
    constexpr int few_hops = 10;  // subtrees of longer chains move better as a whole (docs/results.md)
    const bool is_known = limits_hops(problem) || limits_diameter(problem) || limits_hops_and_diameter(problem);
    if (!is_known || (problem.spec().diameter && !rooted::ResourceTree::has_centre(problem.spec()))) return false;
    if (!problem.weights().is_complete() || levels::levels_in(problem) > few_hops) return false;
    return problem.weights().form() == Weights::Form::points || problem.size() <= few_of_matrix;
}

std::unique_ptr<LocalSearch> prepare_levels(const Problem& problem, int threads, const StopToken& stop) {
    const Weights& weights = problem.weights();
    if (weights.size() <= few || weights.form() != Weights::Form::points) {
        return std::make_unique<LevelSearch<levels::ListLevelReach>>(problem, weights, threads, stop);
    }
    return with_positions(
        weights.points(), weights.metric(),
        [&]<std::size_t Dim, class Norm>(std::vector<Position<Dim>> positions, Norm) -> std::unique_ptr<LocalSearch> {
            if (weights.size() >= many) {
                return std::make_unique<WindowedLevelSearch<Dim, Norm>>(problem, std::move(positions), threads, stop);
            }
            return std::make_unique<LevelSearch<levels::PointLevelReach<Dim, Norm>>>(problem, weights,
                                                                                     std::move(positions), stop);
        });
}

}  // namespace neuroprim
