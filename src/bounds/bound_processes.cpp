#include "bounds/bound_process.hpp"
#include "bounds/steiner_bound.hpp"

namespace neuroprim {

std::unique_ptr<BoundProcess> make_bound_process(const Problem& problem) {
    if (steiner_bound_suits(problem)) return make_steiner_bound(problem);
    return nullptr;
}

}  // namespace neuroprim
