#include "problems/required.hpp"

namespace neuroprim {

std::vector<bool> required_by(const TreeSpec& spec, Vertex n) {
    std::vector<bool> result(index(n), spec.coverage == Coverage::all);
    for (const Vertex root : spec.roots()) result[index(root)] = true;
    for (const Vertex v : spec.terminals) result[index(v)] = true;
    for (const auto& [u, v] : spec.included_edges) result[index(u)] = result[index(v)] = true;
    return result;
}

bool is_expendable(const Problem& problem, Vertex v) {
    return !problem.required(v) && (problem.spec().coverage != Coverage::groups || problem.spec().group(v) < 0);
}

}  // namespace neuroprim
