#include "search/degrees/degree_search.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "neuroprim/mst.hpp"
#include "problems/dcmst.hpp"
#include "search/degrees/exchange_chains.hpp"

namespace neuroprim::limited_degrees {

namespace {

/// After so many kicks per vertex that gained nothing, a lane searches elsewhere.
constexpr std::int64_t patience = 10;

std::size_t near_count(const Weights& weights) {
    return weights.form() == Weights::Form::points ? 8 : 16;
}

class ExchangeLane final : public Lane {
public:
    ExchangeLane(const Problem& problem, const NearEdges& near, std::span<const int> limits, Random random)
        : problem_(&problem), near_(&near), limits_(limits), random_(random) {}

    void adopt(const Tree& tree) override {
        best_ = tree;
        best_cost_ = cost_ = problem_->cost(tree);
        search_.emplace(problem_->weights(), *near_, limits_, tree);
        settled_ = false;
        in_vain_ = 0;
    }

    std::int64_t run(std::int64_t steps, const Watch& watch) override {
        std::int64_t done = 0;
        while (search_ && done < steps && !watch.expired()) {
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
    [[nodiscard]] Tree tree() const override { return cost_ < best_cost_ ? search_->tree().tree() : best_; }

private:
    void move_on() {
        if (cost_ < best_cost_) {
            best_ = search_->tree().tree();
            best_cost_ = cost_;
        }
        const double before = search_->gained();
        search_->shake(random_, 3 + problem_->size() / 10);
        cost_ -= search_->gained() - before;
        settled_ = false;
        in_vain_ = 0;
    }

    const Problem* problem_;
    const NearEdges* near_;
    std::span<const int> limits_;
    Random random_;
    Tree best_;  // of the places that the search has left
    double best_cost_ = Weights::infinity;
    std::optional<ExchangeChains> search_;
    double cost_ = Weights::infinity;  // of the tree that the search is at
    bool settled_ = false;
    std::int64_t in_vain_ = 0;  // kicks since something was gained
};

/// Knows the answer.
class OptimalLane final : public Lane {
public:
    OptimalLane(const Problem& problem, const Tree& optimum) : problem_(&problem), optimum_(&optimum) {}

    void adopt(const Tree& tree) override {
        tree_ = tree;
        cost_ = problem_->cost(tree);
        arrived_ = false;
    }

    std::int64_t run(std::int64_t steps, const Watch& watch) override {
        if (arrived_ || steps == 0 || watch.expired()) return 0;
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
    DegreeSearch(const Problem& problem, int threads, const Watch& watch)
        : problem_(&problem), limits_(index(problem.size())) {
        const auto* limited = dynamic_cast<const DegreeConstrainedMst*>(&problem);
        for (Vertex v = 0; v < problem.size(); ++v) {
            limits_[index(v)] = limited ? limited->limit(v) : problem.size();
        }
        if (watch.expired()) {
            near_.emplace(problem.weights(), std::size_t{0}, threads);
            return;
        }
        Tree lightest = minimum_spanning_tree(problem.weights(), threads);
        if (!problem.violation(lightest)) {
            optimum_ = std::move(lightest);
        } else {
            near_.emplace(problem.weights(), near_count(problem.weights()), threads);
        }
    }

    [[nodiscard]] std::unique_ptr<Lane> lane(std::uint64_t seed, std::uint64_t stream) const override {
        if (optimum_) return std::make_unique<OptimalLane>(*problem_, *optimum_);
        return std::make_unique<ExchangeLane>(*problem_, *near_, limits_, Random(seed, stream));
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
    return dynamic_cast<const DegreeConstrainedMst*>(&problem) != nullptr || problem.name() == "mst";
}

std::unique_ptr<LocalSearch> prepare_degree_search(const Problem& problem, int threads, const Watch& watch) {
    return std::make_unique<DegreeSearch>(problem, threads, watch);
}

}  // namespace neuroprim::limited_degrees
