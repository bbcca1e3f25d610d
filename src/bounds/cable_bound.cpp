#include "bounds/cable_bound.hpp"

#include <algorithm>
#include <limits>

#include "bounds/price_lines.hpp"
#include "bounds/steiner_bound.hpp"
#include "graph/shortest_ways.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

class CableBound final : public BoundProcess {
public:
    explicit CableBound(const Problem& problem)
        : problem_(problem),
          lines_(price_lines(problem.spec().cables, problem.spec().cables.front().price)),
          steiner_(problem.instance(), steiner_spec(problem), std::string(problem.name())),
          steiner_bound_(make_steiner_bound(steiner_)) {}

    bool advance(double, const StopToken& stop) override {
        if (!ways_) {
            try {
                ways_ = ways_of_demands(stop);
            } catch (const Interrupted&) {
                // Another time.
            }
            return true;
        }
        // What the best tree weighs is not known here, so the Steiner tree has to be closed without it.
        return steiner_bound_->advance(std::numeric_limits<double>::infinity(), stop);
    }

    [[nodiscard]] double value() const override {
        double best = 0;
        for (const PriceLine& line : lines_) {
            best = std::max(best, line.at_nothing * steiner_bound_->value() + line.slope * ways_.value_or(0));
        }
        return best;
    }

private:
    static TreeSpec steiner_spec(const Problem& problem) {
        TreeSpec spec;
        spec.coverage = Coverage::terminals;
        for (Vertex v = 0; v < problem.size(); ++v) {
            if (problem.required(v)) spec.terminals.push_back(v);
        }
        return spec;
    }

    /// Σ over what must be in of demand × shortest way to the root.
    [[nodiscard]] double ways_of_demands(const StopToken& stop) const {
        const TreeSpec& spec = problem_.spec();
        const std::vector<double> length = shortest_ways(problem_.weights(), *spec.root, stop).length;
        double sum = 0;
        for (const Vertex v : steiner_.spec().terminals) {
            if (v != *spec.root) sum += spec.demand(v) * length[index(v)];
        }
        return sum;
    }

    const Problem& problem_;
    std::vector<PriceLine> lines_;
    Problem steiner_;
    std::unique_ptr<BoundProcess> steiner_bound_;
    std::optional<double> ways_;
};

}  // namespace

std::unique_ptr<BoundProcess> make_cable_bound(const Problem& problem) {
    const TreeSpec& spec = problem.spec();
    const bool suits = problem.is_plain() && spec.objective == Objective::cables &&
                       spec.coverage == Coverage::terminals && spec.root && spec.other_roots.empty();
    return suits ? std::make_unique<CableBound>(problem) : nullptr;
}

}  // namespace neuroprim
