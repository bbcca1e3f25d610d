#include "bounds/steiner_bound.hpp"

#include <algorithm>
#include <limits>

#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"
#include "steiner/branching.hpp"
#include "steiner/postsolve.hpp"
#include "steiner/search_graph.hpp"

namespace neuroprim {

namespace {

bool obeys_triangle_inequality(const Weights& weights) {
    if (weights.form() != Weights::Form::points) return false;
    switch (weights.metric()) {
        case Metric::euclidean:
        case Metric::manhattan:
        case Metric::maximum:
        case Metric::great_circle:
            return true;
        default:
            return false;
    }
}

class SteinerBound final : public BoundProcess {
public:
    explicit SteinerBound(const Problem& problem) : problem_(problem) {}

    bool advance(double upper, const StopToken& stop) override {
        if (finished_) return false;
        if (branching_ == nullptr) {
            const auto graph = steiner::exact_graph(problem_, stop);
            if (graph == nullptr) return advance_simple_bound(stop);
            branching_ = std::make_unique<steiner::Branching>(std::move(graph->graph), graph->whole_weights);
        }
        finished_ = !branching_->advance(upper, steiner::Branching::short_work, stop);
        return !finished_;
    }

    [[nodiscard]] double value() const override { return branching_ != nullptr ? branching_->bound() : simple_; }

    [[nodiscard]] std::optional<Tree> tree() const override {
        if (branching_ == nullptr || branching_->cost() == std::numeric_limits<double>::infinity())
            return std::nullopt;
        return steiner::tree_of(problem_, branching_->edges(), branching_->start());
    }

private:
    /// Too many edges for a better one. Says whether there is more to gain: there is after the stop token expired.
    bool advance_simple_bound(const StopToken& stop) {
        if (stop.expired()) return true;
        finished_ = true;
        if (!obeys_triangle_inequality(problem_.weights()) || problem_.spec().coverage != Coverage::terminals) {
            return false;
        }
        try {
            simple_ = half_of_terminal_tree(stop);
        } catch (const Interrupted&) {
            finished_ = false;
        }
        return !finished_;
    }

    /// A walk around a Steiner tree visits the terminals and is twice as long; without its way back and with
    /// straight lines instead of detours it spans them.
    [[nodiscard]] double half_of_terminal_tree(const StopToken& stop) const {
        std::vector<Vertex> terminals;
        for (Vertex v = 0; v < problem_.size(); ++v) {
            if (problem_.required(v)) terminals.push_back(v);
        }
        const Weights among = induced(problem_.weights(), terminals);
        return total_weight(minimum_spanning_tree(among, 1, [&stop] { return stop.expired(); }), among) / 2;
    }

    const Problem& problem_;
    std::unique_ptr<steiner::Branching> branching_;
    double simple_ = 0;
    bool finished_ = false;
};

}  // namespace

bool steiner_bound_suits(const Problem& problem) {
    // Limits only make trees dearer, so they may be there.
    const TreeSpec& spec = problem.spec();
    return problem.is_plain() && spec.objective == Objective::length &&
           (spec.coverage == Coverage::terminals || spec.coverage == Coverage::optional);
}

std::unique_ptr<BoundProcess> make_steiner_bound(const Problem& problem) {
    return std::make_unique<SteinerBound>(problem);
}

}  // namespace neuroprim
