#include "search/paths/path_search.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "heuristics/quick_paths.hpp"
#include "problems/kinds.hpp"
#include "search/local_perturbation_worker.hpp"
#include "search/paths/lin_kernighan.hpp"
#include "search/paths/windowed_path.hpp"

namespace neuroprim::paths {

namespace {

constexpr std::size_t near_count = 8;

/// The fewest vertices that leave a chain of flips something to do.
constexpr Vertex fewest = 4;

/// From here on a path is long enough for all threads to work on it together.
constexpr Vertex many = 10'000;

class PathWorker final : public LocalPerturbationWorker<LinKernighan> {
public:
    PathWorker(const Problem& problem, const Lengths& lengths, const Neighbours& near, Random random)
        : LocalPerturbationWorker(problem, random, 3 + problem.size() / 30), lengths_(&lengths), near_(&near) {}

    void adopt(const Tree& tree) override {
        begin_from(tree);
        if (problem().size() < fewest) return;
        std::vector<Vertex> order = vertices_along(tree, problem().size());
        order.push_back(lengths_->opening());
        search_.emplace(*lengths_, *near_, Tour(std::move(order)));
    }

    std::int64_t run(std::int64_t steps, const StopToken& stop) override {
        if (!search_) return settled_ || problem().size() < 3 ? 0 : best_of_three();
        return LocalPerturbationWorker::run(steps, stop);
    }

private:
    [[nodiscard]] Tree current() const override {
        const Tour& tour = search_->tour();
        Tree path{tour.next(lengths_->opening()), {}};
        path.edges.reserve(index(problem().size()));
        for (Vertex v = path.start, w = tour.next(v); w != lengths_->opening(); v = w, w = tour.next(v)) {
            path.edges.push_back({v, w});
        }
        return path;
    }

    std::int64_t best_of_three() {
        for (Vertex middle = 0; middle < 3; ++middle) {
            const Tree path{(middle + 1) % 3, {{(middle + 1) % 3, middle}, {middle, (middle + 2) % 3}}};
            if (problem().cost(path) < cost()) adopt(path);
        }
        settled_ = true;
        return 1;
    }

    const Lengths* lengths_;
    const Neighbours* near_;
};

/// A worker whose rounds all threads share.
class WindowedWorker final : public SearchWorker {
public:
    WindowedWorker(const Problem& problem, const Neighbours& near, int threads, std::uint64_t seed)
        : problem_(&problem), near_(&near), threads_(threads), seed_(seed) {}

    void adopt(const Tree& tree) override {
        cost_ = problem_->cost(tree);
        path_.emplace(problem_->weights(), *near_, vertices_along(tree, problem_->size()));
    }

    void use_threads(int threads) override { threads_ = threads; }

    std::int64_t run(std::int64_t steps, const StopToken& stop) override {
        if (!path_ || steps == 0 || stop.expired()) return 0;
        const bool perturbs = path_->settled();
        const double before = path_->gained();
        const std::int64_t done = path_->run_round(steps, seed_, threads_, stop);
        cost_ -= path_->gained() - before;
        return perturbs ? done : 1;
    }

    [[nodiscard]] double cost() const override { return cost_; }
    [[nodiscard]] Tree tree() const override { return path_in_order(path_->order()); }

private:
    const Problem* problem_;
    const Neighbours* near_;
    int threads_;
    std::uint64_t seed_;
    std::optional<WindowedPath> path_;
    double cost_ = Weights::infinity;
};

class PathSearch final : public LocalSearch {
public:
    PathSearch(const Problem& problem, int threads, const StopToken& stop)
        : problem_(&problem),
          threads_(threads),
          lengths_(problem.weights()),
          near_(nearest_neighbours(problem.weights(), near_count, threads, stop)) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        if (has_parallel_rounds()) {
            return std::make_unique<WindowedWorker>(*problem_, near_, threads_, Random(seed, stream).next());
        }
        return std::make_unique<PathWorker>(*problem_, lengths_, near_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        return has_parallel_rounds() ? problem_->size() / windowed_round : 1000;
    }

    [[nodiscard]] std::int64_t slices_per_round() const override {
        constexpr std::int64_t steps_per_slice = 160;
        return has_parallel_rounds() ? std::max<std::int64_t>(1, steps_per_round() / steps_per_slice) : 1;
    }

    [[nodiscard]] bool has_parallel_rounds() const override {
        return problem_->size() >= many && problem_->weights().form() == Weights::Form::points;
    }

private:
    /// To cut a path into windows and to look at the result costs as much as a perturbation of some vertices.
    static constexpr Vertex windowed_round = 20;

    const Problem* problem_;
    int threads_;
    Lengths lengths_;
    Neighbours near_;
};

}  // namespace

bool is_path_problem(const Problem& problem) {
    return asks_for_a_path(problem) && problem.weights().is_complete();
}

std::unique_ptr<LocalSearch> prepare_path_search(const Problem& problem, int threads, const StopToken& stop) {
    return std::make_unique<PathSearch>(problem, threads, stop);
}

}  // namespace neuroprim::paths
