#include "bounds/best_of_bounds.hpp"
#include "bounds/bound_process.hpp"
#include "bounds/cable_bound.hpp"
#include "bounds/capacity_bound.hpp"
#include "bounds/degree_lagrangian.hpp"
#include "bounds/free_centre_bound.hpp"
#include "bounds/group_bound.hpp"
#include "bounds/layered_bound.hpp"
#include "bounds/pair_cost_bound.hpp"
#include "bounds/routing_bound.hpp"
#include "bounds/spanning_bound.hpp"
#include "bounds/steiner_bound.hpp"
#include "bounds/subset_bound.hpp"

namespace neuroprim {

namespace {

/// No bound knows of crossings: what is proven without that limit holds with it. A tree that such a bound meets may
/// have crossings, so that nobody is told of it.
class BoundWithCrossings final : public BoundProcess {
public:
    explicit BoundWithCrossings(const Problem& problem)
        : relaxed_(problem.instance(), without_crossings(problem.spec()), std::string(problem.name())),
          bound_(make_bound_process(relaxed_)) {}

    [[nodiscard]] bool has_bound() const { return bound_ != nullptr; }
    bool advance(double upper, const StopToken& stop) override { return bound_->advance(upper, stop); }
    [[nodiscard]] double value() const override { return bound_->value(); }

private:
    static TreeSpec without_crossings(TreeSpec spec) {
        spec.no_crossings = false;
        spec.excluded_edges.clear();  // the instance does without them already
        return spec;
    }

    Problem relaxed_;
    std::unique_ptr<BoundProcess> bound_;
};

}  // namespace

std::unique_ptr<BoundProcess> make_bound_process(const Problem& problem) {
    if (problem.is_plain() && problem.spec().no_crossings) {
        auto bound = std::make_unique<BoundWithCrossings>(problem);
        return bound->has_bound() ? std::move(bound) : nullptr;
    }
    std::vector<std::unique_ptr<BoundProcess>> bounds;
    if (degree_lagrangian_suits(problem)) {
        bounds.push_back(make_degree_lagrangian(problem));
    } else if (steiner_bound_suits(problem)) {
        bounds.push_back(make_steiner_bound(problem));
    } else if (group_bound_suits(problem)) {
        bounds.push_back(make_group_bound(problem));
    } else if (routing_bound_suits(problem)) {
        bounds.push_back(make_routing_bound(problem));
    } else {
        bounds.push_back(make_spanning_bound(problem));
    }
    bounds.push_back(make_cable_bound(problem));
    bounds.push_back(make_pair_cost_bound(problem));
    bounds.push_back(make_hop_bound(problem));
    bounds.push_back(make_length_bound(problem));
    bounds.push_back(make_free_centre_bound(problem));
    bounds.push_back(make_diameter_bound(problem));
    bounds.push_back(make_capacity_bound(problem));
    return best_of_bounds(problem, std::move(bounds), make_subset_bound(problem));
}

}  // namespace neuroprim
