#include "bounds/free_centre_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "bounds/layered_bound.hpp"

namespace neuroprim {

namespace {

class FreeCentreBound final : public BoundProcess {
public:
    explicit FreeCentreBound(const Problem& problem) : problem_(problem) {}

    bool advance(double upper, const StopToken& stop) override {
        if (finished_) return false;
        if (!hops_) begin(upper);
        finished_ = !hops_ || !hops_->advance(upper + weight_, stop);
        if (hops_) value_ = std::max(value_, hops_->value() - weight_);
        // Branching is left to the bounds from every centre, which know more.
        if (value_ > 0 && steady_ == value_) finished_ = true;
        steady_ = value_;
        return !finished_;
    }

    [[nodiscard]] double value() const override { return value_; }

private:
    void begin(double upper) {
        const TreeSpec& spec = problem_.spec();
        const Vertex n = problem_.size();
        std::vector<WeightedEdge> edges = problem_.weights().edges();
        double all = 0;
        for (const auto& [u, v, weight] : edges) all += weight;
        // No tree worth having pays for two of them.
        weight_ = std::ceil(std::min(upper, all)) + 1;
        for (Vertex v = 0; v < n; ++v) edges.push_back({v, n, weight_});
        instance_.weights = Weights::from_edges(n + 1, std::move(edges));
        TreeSpec rooted;
        rooted.root = n;
        rooted.hops = (*spec.diameter + 1) / 2 + 1;
        rooted.coverage = spec.coverage;
        rooted.terminals = spec.terminals;
        rooted.groups = spec.groups;
        if (!rooted.groups.empty()) rooted.groups.push_back(-1);
        rooted.prizes = spec.prizes;
        if (!rooted.prizes.empty()) rooted.prizes.push_back(0);
        with_root_.emplace(instance_, std::move(rooted));
        hops_ = make_hop_bound(*with_root_);
    }

    const Problem& problem_;
    Instance instance_;
    std::optional<Problem> with_root_;
    std::unique_ptr<BoundProcess> hops_;
    double weight_ = 0;  // of each edge at the new vertex
    double value_ = 0;
    double steady_ = -1;
    bool finished_ = false;
};

}  // namespace

std::unique_ptr<BoundProcess> make_free_centre_bound(const Problem& problem) {
    return make_diameter_bound(problem) == nullptr ? nullptr : std::make_unique<FreeCentreBound>(problem);
}

}  // namespace neuroprim
