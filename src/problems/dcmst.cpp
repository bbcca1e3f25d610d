#include "problems/dcmst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "neuroprim/error.hpp"
#include "problems/registry.hpp"

namespace neuroprim {

DegreeConstrainedMst::DegreeConstrainedMst(const Instance& instance, std::vector<int> limits)
    : Problem(instance),
      limits_(std::move(limits)),
      has_leaves_(std::find(limits_.begin(), limits_.end(), 1) != limits_.end()) {
    for (Vertex v = 0; v < size(); ++v) {
        if (limit(v) < 1)
            throw InputError(fmt::format("degree limit {} at vertex {}: expected at least 1", limit(v), v));
    }
}

bool DegreeConstrainedMst::asks_for_a_path() const {
    return std::all_of(limits_.begin(), limits_.end(), [](int limit) { return limit == 2; });
}

bool DegreeConstrainedMst::has_room(const Construction& state, Vertex u) const {
    return state.degree(u) < limit(u);
}

/// A vertex of limit 1 takes a free place and offers none. It must leave at least one while others wait; on
/// complete graphs that alone keeps the construction completable (the sum of limits never gets worse).
bool DegreeConstrainedMst::admits(const Construction& state, Vertex v) const {
    if (limit(v) > 1 || state.outside().size() == 1 || state.open().size() > 1) return true;
    const Vertex only = state.open().empty() ? no_vertex : state.open().front();
    return only != no_vertex && limit(only) - state.degree(only) > 1;
}

bool DegreeConstrainedMst::admits_all(const Construction& state) const {
    return !has_leaves_ || state.open().size() > 1;
}

std::optional<std::string> DegreeConstrainedMst::obstacle() const {
    const long places = std::accumulate(limits_.begin(), limits_.end(), 0L);
    const long needed = 2L * (size() - 1);
    if (places < needed) {
        return fmt::format("the degree limits add up to {}, a tree of {} vertices needs {}", places, size(), needed);
    }
    return Problem::obstacle();
}

std::string DegreeConstrainedMst::describe_overflow(const Tree& tree, Vertex u) const {
    return fmt::format("degree {} > {} at vertex {}", degrees(tree, size())[static_cast<std::size_t>(u)], limit(u),
                       u);
}

std::unique_ptr<Problem> make_dcmst(const Instance& instance, const ProblemOptions& options) {
    const auto n = static_cast<std::size_t>(instance.size());
    if (options.degree) {
        return std::make_unique<DegreeConstrainedMst>(instance, std::vector<int>(n, *options.degree));
    }
    if (instance.degree_limits.empty()) {
        throw InputError("dcmst needs a degree limit: --degree D, or one per vertex in the input");
    }
    return std::make_unique<DegreeConstrainedMst>(instance, instance.degree_limits);
}

}  // namespace neuroprim
