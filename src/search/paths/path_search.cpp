#include "search/paths/path_search.hpp"

#include <vector>

#include "problems/kinds.hpp"
#include "search/local_perturbation_worker.hpp"
#include "search/paths/lin_kernighan.hpp"

namespace neuroprim::paths {

namespace {

constexpr std::size_t near_count = 8;

/// The fewest vertices that leave a chain of flips something to do.
constexpr Vertex fewest = 4;

std::vector<Vertex> along(const Tree& path, Vertex n) {
    const std::vector<int> degree = degrees(path, n);
    Vertex end = path.start;
    for (const auto& [u, v] : path.edges) {
        if (degree[index(v)] == 1) end = v;
    }
    return hang(path, end, n).order;
}

class PathWorker final : public LocalPerturbationWorker<LinKernighan> {
public:
    PathWorker(const Problem& problem, const Lengths& lengths, const Neighbours& near, Random random)
        : LocalPerturbationWorker(problem, random, 3 + problem.size() / 30), lengths_(&lengths), near_(&near) {}

    void adopt(const Tree& tree) override {
        begin_from(tree);
        if (problem().size() < fewest) return;
        std::vector<Vertex> order = along(tree, problem().size());
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

class PathSearch final : public LocalSearch {
public:
    PathSearch(const Problem& problem, int threads, const StopToken& stop)
        : problem_(&problem),
          lengths_(problem.weights()),
          near_(nearest_neighbours(problem.weights(), near_count, threads, stop)) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<PathWorker>(*problem_, lengths_, near_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override { return 1000; }

private:
    const Problem* problem_;
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
