#include "bounds/subset_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "bounds/subset_program.hpp"
#include "bounds/whole_weights.hpp"

namespace neuroprim {

namespace {

constexpr Vertex most_below_a_root = 22;  // with a root; tables have an entry for each set of the others
constexpr Vertex most_without_root = 20;
constexpr Vertex most_with_pairs = 16;  // nothing is known about what the rest of such a tree costs

/// Looks at a pair of sets that take some ten milliseconds: a slice must not depend on the clock.
constexpr std::int64_t subset_looks_per_slice = 2'000'000;

class SubsetBound final : public BoundProcess {
public:
    explicit SubsetBound(const Problem& problem) : problem_(problem), is_whole_(costs_are_whole(problem)) {}

    bool advance(double upper, const StopToken&) override {
        if (finished_) return false;
        upper_ = std::min(upper_, upper);
        if (!program_) program_ = std::make_unique<SubsetProgram>(SubsetRules(problem_));
        finished_ = !program_->advance(cutoff(), subset_looks_per_slice);
        tree_ = program_->tree();
        if (!finished_) return true;
        const double least = std::min(upper_, program_->cost() * (1 - rounding));
        if (program_->is_complete() && std::isfinite(least)) value_ = least;
        program_.reset();
        return false;
    }

    [[nodiscard]] double value() const override { return value_; }
    [[nodiscard]] std::optional<Tree> tree() const override { return tree_; }

private:
    static constexpr double rounding = 1e-12;

    [[nodiscard]] static bool costs_are_whole(const Problem& problem) {
        const TreeSpec& spec = problem.spec();
        const auto is_whole = [](double x) { return x == std::floor(x); };
        return spec.objective == Objective::length && has_whole_weights(problem.weights()) &&
               std::ranges::all_of(spec.prizes, is_whole);
    }

    /// What a tree has to cost less than.
    [[nodiscard]] double cutoff() const {
        constexpr double most_whole = 1e8;  // beyond it rounding comes near to one
        const double below = upper_ * (1 - 1e-10);
        return is_whole_ && upper_ < most_whole ? std::ceil(below) - 0.5 : below;
    }

    const Problem& problem_;
    bool is_whole_;
    std::unique_ptr<SubsetProgram> program_;
    std::optional<Tree> tree_;
    double upper_ = std::numeric_limits<double>::infinity();
    double value_ = 0;
    bool finished_ = false;
};

}  // namespace

std::unique_ptr<BoundProcess> make_subset_bound(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const bool has_pairs = spec.objective == Objective::routing_cost || spec.objective == Objective::communication;
    if (!problem.is_plain() || !spec.other_roots.empty() || problem.size() < 2) return nullptr;
    const Vertex most = has_pairs ? most_with_pairs : spec.root ? most_below_a_root + 1 : most_without_root;
    if (problem.size() > most) return nullptr;
    if (has_pairs && spec.coverage != Coverage::all) return nullptr;
    return std::make_unique<SubsetBound>(problem);
}

}  // namespace neuroprim
