#include "bounds/bound_process.hpp"
#include "bounds/degree_lagrangian.hpp"
#include "bounds/routing_bound.hpp"
#include "bounds/steiner_bound.hpp"

namespace neuroprim {

std::unique_ptr<BoundProcess> make_bound_process(const Problem& problem) {
    if (degree_lagrangian_suits(problem)) return make_degree_lagrangian(problem);
    if (steiner_bound_suits(problem)) return make_steiner_bound(problem);
    if (routing_bound_suits(problem)) return make_routing_bound(problem);
    return nullptr;
}

}  // namespace neuroprim
