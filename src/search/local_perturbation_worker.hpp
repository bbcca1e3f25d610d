#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "neuroprim/random.hpp"
#include "search/local_search.hpp"

namespace neuroprim {

/// A worker around a search that descends, then perturbs its tree locally and takes back what does not pay. After
/// many perturbations in vain it keeps the best and goes on from a tree that is shaken in many places.
///
/// `Search` has `descend(stop)` and `perturb(random, stop)`, false when the stop token expired first, `shake(random,
/// places)`, and `gained()`, by how much its tree has got cheaper since it began. Those who derive from it adopt
/// trees.
template <class Search>
class LocalPerturbationWorker : public SearchWorker {
public:
    std::int64_t run(std::int64_t steps, const StopToken& stop) override {
        std::int64_t done = 0;
        while (search_ && done < steps && !stop.expired()) {
            const double before = search_->gained();
            const bool completed = settled_ ? search_->perturb(random_, stop) : search_->descend(stop);
            in_vain_ = search_->gained() > before ? 0 : in_vain_ + 1;
            cost_ -= search_->gained() - before;
            if (!completed) break;
            settled_ = true;
            ++done;
            if (in_vain_ > allowed_in_vain * problem_->size()) move_on();
        }
        return done;
    }

    [[nodiscard]] double cost() const final { return std::min(cost_, best_cost_); }
    [[nodiscard]] Tree tree() const final { return cost_ < best_cost_ ? current() : best_; }

protected:
    LocalPerturbationWorker(const Problem& problem, Random random, int shaken_places)
        : problem_(&problem), random_(random), shaken_places_(shaken_places) {}

    /// Makes this tree the one to beat; `search_` has yet to be set.
    void begin_from(const Tree& tree) {
        best_ = tree;
        best_cost_ = cost_ = problem_->cost(tree);
        search_.reset();
        settled_ = false;
        in_vain_ = 0;
    }

    /// The tree that the search is at.
    [[nodiscard]] virtual Tree current() const = 0;

    [[nodiscard]] const Problem& problem() const { return *problem_; }

    std::optional<Search> search_;
    bool settled_ = false;  // in a local optimum

private:
    /// After so many perturbations per vertex that gained nothing, a worker searches elsewhere.
    static constexpr std::int64_t allowed_in_vain = 10;

    void move_on() {
        if (cost_ < best_cost_) {
            best_ = current();
            best_cost_ = cost_;
        }
        const double before = search_->gained();
        search_->shake(random_, shaken_places_);
        cost_ -= search_->gained() - before;
        settled_ = false;
        in_vain_ = 0;
    }

    const Problem* problem_;
    Random random_;
    int shaken_places_;
    Tree best_;  // of the places that the search has left
    double best_cost_ = Weights::infinity;
    double cost_ = Weights::infinity;  // of the tree that the search is at
    std::int64_t in_vain_ = 0;         // perturbations since something was gained
};

}  // namespace neuroprim
