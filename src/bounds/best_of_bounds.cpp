#include "bounds/best_of_bounds.hpp"

#include <algorithm>
#include <cstdint>

#include "neuroprim/optimality.hpp"

namespace neuroprim {

namespace {

class BestOfBounds final : public BoundProcess {
public:
    BestOfBounds(const Problem& problem, std::vector<std::unique_ptr<BoundProcess>> bounds, bool favours_last)
        : problem_(problem),
          bounds_(std::move(bounds)),
          rises_(bounds_.size(), true),
          favourite_(favours_last ? bounds_.size() - 1 : bounds_.size()),
          head_start_(favours_last ? 0 : 8) {}

    bool advance(double upper, const StopToken& stop) override {
        // The objective's bound works in small slices and soon has most of its value. A limit's first turn may be a
        // whole dual ascent on many copies of the graph.
        if (rises_.front() && head_start_ > 0) {
            --head_start_;
            return advance_one(0, upper, stop);
        }
        constexpr int share_of_others = 4;  // every fourth turn
        const bool is_favoured = favourite_ < rises_.size() && rises_[favourite_] && count_++ % share_of_others != 0;
        if (is_favoured) return advance_one(favourite_, upper, stop);
        const auto open = std::find(rises_.begin() + turn_, rises_.end(), true);
        turn_ = open != rises_.end() ? open - rises_.begin()
                                     : std::find(rises_.begin(), rises_.end(), true) - rises_.begin();
        if (turn_ == std::ssize(rises_)) return false;
        const auto at = static_cast<std::size_t>(turn_);
        turn_ = (turn_ + 1) % std::ssize(rises_);
        return advance_one(at, upper, stop);
    }

    [[nodiscard]] double value() const override {
        double best = 0;
        for (const auto& bound : bounds_) best = std::max(best, bound->value());
        return best;
    }

    [[nodiscard]] std::optional<Tree> tree() const override { return tree_; }

private:
    bool advance_one(std::size_t at, double upper, const StopToken& stop) {
        rises_[at] = bounds_[at]->advance(upper, stop);
        take_tree(*bounds_[at]);
        return !proven(upper, value()) && std::ranges::find(rises_, true) != rises_.end();
    }

    void take_tree(const BoundProcess& bound) {
        const auto found = bound.tree();
        if (!found || found == tree_ || problem_.violation(*found)) return;
        const double cost = problem_.cost(*found);
        if (tree_ && cost >= tree_cost_) return;
        tree_ = found;
        tree_cost_ = cost;
    }

    const Problem& problem_;
    std::vector<std::unique_ptr<BoundProcess>> bounds_;
    std::vector<bool> rises_;  // (bounds) may it still?
    std::size_t favourite_;    // none: as many as there are bounds
    int head_start_;           // turns of the first bound before the others begin
    std::int64_t count_ = 0;   // of turns while the favourite may rise
    std::ptrdiff_t turn_ = 0;
    std::optional<Tree> tree_;
    double tree_cost_ = 0;
};

}  // namespace

std::unique_ptr<BoundProcess> best_of_bounds(const Problem& problem,
                                             std::vector<std::unique_ptr<BoundProcess>> bounds,
                                             std::unique_ptr<BoundProcess> favourite) {
    const bool has_favourite = favourite != nullptr;
    bounds.push_back(std::move(favourite));
    std::erase(bounds, nullptr);
    if (bounds.empty()) return nullptr;
    if (bounds.size() == 1) return std::move(bounds.front());
    return std::make_unique<BestOfBounds>(problem, std::move(bounds), has_favourite);
}

}  // namespace neuroprim
