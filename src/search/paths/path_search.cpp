#include "search/paths/path_search.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "problems/dcmst.hpp"
#include "search/paths/lin_kernighan.hpp"

namespace neuroprim::paths {

namespace {

constexpr std::size_t near_count = 8;

/// After so many kicks per vertex that gained nothing, a lane searches elsewhere.
constexpr std::int64_t patience = 10;

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

class PathLane final : public Lane {
public:
    PathLane(const Problem& problem, const Lengths& lengths, const Neighbours& near, Random random)
        : problem_(&problem), lengths_(&lengths), near_(&near), random_(random) {}

    void adopt(const Tree& tree) override {
        best_ = tree;
        best_cost_ = cost_ = problem_->cost(tree);
        search_.reset();
        settled_ = false;
        in_vain_ = 0;
        if (problem_->size() < fewest) return;
        std::vector<Vertex> order = along(tree, problem_->size());
        order.push_back(lengths_->opening());
        search_.emplace(*lengths_, *near_, Tour(std::move(order)));
    }

    std::int64_t run(std::int64_t steps, const Watch& watch) override {
        if (!search_) return settled_ || problem_->size() < 3 ? 0 : best_of_three();
        std::int64_t done = 0;
        while (done < steps && !watch.expired()) {
            const double before = search_->gained();
            const bool completed = settled_ ? search_->kick(random_, watch) : search_->descend(watch);
            in_vain_ = search_->gained() > before ? 0 : in_vain_ + 1;
            cost_ -= search_->gained() - before;
            if (!completed) break;
            settled_ = true;
            ++done;
            if (in_vain_ > patience * problem_->size()) move_on();
        }
        return done;
    }

    [[nodiscard]] double cost() const override { return std::min(cost_, best_cost_); }
    [[nodiscard]] Tree tree() const override { return cost_ < best_cost_ ? current() : best_; }

private:
    [[nodiscard]] Tree current() const {
        const Tour& tour = search_->tour();
        Tree path{tour.next(lengths_->opening()), {}};
        path.edges.reserve(index(problem_->size()));
        for (Vertex v = path.start, w = tour.next(v); w != lengths_->opening(); v = w, w = tour.next(v)) {
            path.edges.push_back({v, w});
        }
        return path;
    }

    void move_on() {
        if (cost_ < best_cost_) {
            best_ = current();
            best_cost_ = cost_;
        }
        const double before = search_->gained();
        search_->shake(random_, 3 + problem_->size() / 30);
        cost_ -= search_->gained() - before;
        settled_ = false;
        in_vain_ = 0;
    }

    std::int64_t best_of_three() {
        for (Vertex middle = 0; middle < 3; ++middle) {
            const Tree path{(middle + 1) % 3, {{(middle + 1) % 3, middle}, {middle, (middle + 2) % 3}}};
            if (problem_->cost(path) < cost_) adopt(path);
        }
        settled_ = true;
        return 1;
    }

    const Problem* problem_;
    const Lengths* lengths_;
    const Neighbours* near_;
    Random random_;
    Tree best_;  // of the places that the search has left
    double best_cost_ = Weights::infinity;
    std::optional<LinKernighan> search_;
    double cost_ = Weights::infinity;  // of the tour that the search is at
    bool settled_ = false;
    std::int64_t in_vain_ = 0;  // kicks since something was gained
};

class PathSearch final : public LocalSearch {
public:
    PathSearch(const Problem& problem, int threads)
        : problem_(&problem),
          lengths_(problem.weights()),
          near_(nearest_neighbours(problem.weights(), near_count, threads)) {}

    [[nodiscard]] std::unique_ptr<Lane> lane(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<PathLane>(*problem_, lengths_, near_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override { return 1000; }

private:
    const Problem* problem_;
    Lengths lengths_;
    Neighbours near_;
};

}  // namespace

bool is_path_problem(const Problem& problem) {
    const auto* limited = dynamic_cast<const DegreeConstrainedMst*>(&problem);
    if (limited == nullptr || !problem.weights().is_complete()) return false;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (limited->limit(v) != 2) return false;
    }
    return true;
}

std::unique_ptr<LocalSearch> prepare_path_search(const Problem& problem, int threads, const Watch& /*watch*/) {
    return std::make_unique<PathSearch>(problem, threads);
}

}  // namespace neuroprim::paths
