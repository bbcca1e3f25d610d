#include "search/degrees/degree_search.hpp"

#include <optional>
#include <vector>

#include "neuroprim/mst.hpp"
#include "problems/kinds.hpp"
#include "search/degrees/exchange_chains.hpp"
#include "search/local_perturbation_worker.hpp"

namespace neuroprim::limited_degrees {

namespace {

std::size_t near_count(const Weights& weights) {
    return weights.form() == Weights::Form::points ? 8 : 16;
}

class ExchangeWorker final : public LocalPerturbationWorker<ExchangeChains> {
public:
    ExchangeWorker(const Problem& problem, const NearEdges& near, std::span<const int> limits, Random random)
        : LocalPerturbationWorker(problem, random, 3 + problem.size() / 10), near_(&near), limits_(limits) {}

    void adopt(const Tree& tree) override {
        begin_from(tree);
        search_.emplace(problem().weights(), *near_, limits_, tree);
    }

private:
    [[nodiscard]] Tree current() const override { return search_->tree().tree(); }

    const NearEdges* near_;
    std::span<const int> limits_;
};

/// Knows the answer.
class OptimalWorker final : public SearchWorker {
public:
    OptimalWorker(const Problem& problem, const Tree& optimum) : problem_(&problem), optimum_(&optimum) {}

    void adopt(const Tree& tree) override {
        tree_ = tree;
        cost_ = problem_->cost(tree);
        arrived_ = false;
    }

    std::int64_t run(std::int64_t steps, const StopToken& stop) override {
        if (arrived_ || steps == 0 || stop.expired()) return 0;
        const double least = problem_->cost(*optimum_);
        if (least < cost_) {
            tree_ = *optimum_;
            cost_ = least;
        }
        arrived_ = true;
        return 1;
    }

    [[nodiscard]] double cost() const override { return cost_; }
    [[nodiscard]] Tree tree() const override { return tree_; }

private:
    const Problem* problem_;
    const Tree* optimum_;
    Tree tree_;
    double cost_ = Weights::infinity;
    bool arrived_ = false;
};

class DegreeSearch final : public LocalSearch {
public:
    DegreeSearch(const Problem& problem, int threads, const StopToken& stop)
        : problem_(&problem), limits_(problem.spec().degrees) {
        if (limits_.empty()) limits_.assign(index(problem.size()), problem.size());
        if (stop.expired()) {
            near_.emplace(problem.weights(), std::size_t{0}, threads);
            return;
        }
        Tree lightest = minimum_spanning_tree(problem.weights(), threads, [&] { return stop.expired(); });
        if (!problem.violation(lightest)) {
            optimum_ = std::move(lightest);
        } else {
            near_.emplace(problem.weights(), near_count(problem.weights()), threads, stop);
        }
    }

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        if (optimum_) return std::make_unique<OptimalWorker>(*problem_, *optimum_);
        return std::make_unique<ExchangeWorker>(*problem_, *near_, limits_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override { return 500; }

private:
    const Problem* problem_;
    std::vector<int> limits_;      // (n)
    std::optional<Tree> optimum_;  // the minimum spanning tree, where it keeps the limits
    std::optional<NearEdges> near_;
};

}  // namespace

bool has_degree_limits(const Problem& problem) {
    return limits_degrees(problem) || is_spanning_tree(problem);
}

std::unique_ptr<LocalSearch> prepare_degree_search(const Problem& problem, int threads, const StopToken& stop) {
    return std::make_unique<DegreeSearch>(problem, threads, stop);
}

}  // namespace neuroprim::limited_degrees
