#include "search/closure/closure_problem.hpp"

#include <utility>

#include "problems/tolerance.hpp"

namespace neuroprim {

ClosureProblem::ClosureProblem(const Instance& instance, TreeSpec spec, std::string name,
                               std::vector<WayLimit> limits)
    : Problem(instance, std::move(spec), std::move(name)), limits_(std::move(limits)) {}

bool ClosureProblem::joins(const Construction& state, Vertex u, Vertex v) const {
    const std::size_t n = index(size());
    for (const WayLimit& limit : limits_) {
        double way = limit.way[index(u) * n + index(v)] + limit.height[index(v)];
        for (Vertex at = u; state.parent(at) != no_vertex; at = state.parent(at)) {
            way += limit.way[index(state.parent(at)) * n + index(at)];
        }
        if (way > limit.most * (1 + sum_tolerance)) return false;
    }
    return true;
}

}  // namespace neuroprim
