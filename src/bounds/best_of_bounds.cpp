#include "bounds/best_of_bounds.hpp"

#include <algorithm>

#include "neuroprim/optimality.hpp"

namespace neuroprim {

namespace {

class BestOfBounds final : public BoundProcess {
public:
    BestOfBounds(const Problem& problem, std::vector<std::unique_ptr<BoundProcess>> bounds)
        : problem_(problem), bounds_(std::move(bounds)), rises_(bounds_.size(), true) {}

    bool advance(double upper, const StopToken& stop) override {
        const auto open = std::find(rises_.begin() + turn_, rises_.end(), true);
        turn_ = open != rises_.end() ? open - rises_.begin()
                                     : std::find(rises_.begin(), rises_.end(), true) - rises_.begin();
        if (turn_ == std::ssize(rises_)) return false;
        const auto at = static_cast<std::size_t>(turn_);
        rises_[at] = bounds_[at]->advance(upper, stop);
        take_tree(*bounds_[at]);
        turn_ = (turn_ + 1) % std::ssize(rises_);
        return !proven(upper, value()) && std::ranges::find(rises_, true) != rises_.end();
    }

    [[nodiscard]] double value() const override {
        double best = 0;
        for (const auto& bound : bounds_) best = std::max(best, bound->value());
        return best;
    }

    [[nodiscard]] std::optional<Tree> tree() const override { return tree_; }

private:
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
    std::ptrdiff_t turn_ = 0;
    std::optional<Tree> tree_;
    double tree_cost_ = 0;
};

}  // namespace

std::unique_ptr<BoundProcess> best_of_bounds(const Problem& problem,
                                             std::vector<std::unique_ptr<BoundProcess>> bounds) {
    std::erase(bounds, nullptr);
    if (bounds.empty()) return nullptr;
    if (bounds.size() == 1) return std::move(bounds.front());
    return std::make_unique<BestOfBounds>(problem, std::move(bounds));
}

}  // namespace neuroprim
