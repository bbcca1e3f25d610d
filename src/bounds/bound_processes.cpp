#include "bounds/best_of_bounds.hpp"
#include "bounds/bound_process.hpp"
#include "bounds/capacity_bound.hpp"
#include "bounds/degree_lagrangian.hpp"
#include "bounds/group_bound.hpp"
#include "bounds/layered_bound.hpp"
#include "bounds/pair_cost_bound.hpp"
#include "bounds/routing_bound.hpp"
#include "bounds/spanning_bound.hpp"
#include "bounds/steiner_bound.hpp"

namespace neuroprim {

std::unique_ptr<BoundProcess> make_bound_process(const Problem& problem) {
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
    bounds.push_back(make_pair_cost_bound(problem));
    bounds.push_back(make_hop_bound(problem));
    bounds.push_back(make_length_bound(problem));
    bounds.push_back(make_diameter_bound(problem));
    bounds.push_back(make_capacity_bound(problem));
    return best_of_bounds(problem, std::move(bounds));
}

}  // namespace neuroprim
