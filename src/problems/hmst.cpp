#include "problems/hmst.hpp"

#include <fmt/format.h>

#include <vector>

#include "neuroprim/error.hpp"
#include "problems/registry.hpp"

namespace neuroprim {

/// Breadth-first search is the flattest tree there is: a vertex it reaches too late is out of reach.
std::optional<std::string> HopConstrainedMst::obstacle() const {
    if (weights().is_complete()) return std::nullopt;
    if (auto reason = Problem::obstacle()) return reason;
    std::vector<int> hops(static_cast<std::size_t>(size()), -1);
    std::vector<Vertex> queue = {root_};
    hops[static_cast<std::size_t>(root_)] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const int next = hops[static_cast<std::size_t>(queue[head])] + 1;
        const Vertex u = queue[head];
        weights().for_each_neighbour(u, [&](Vertex v, double) {
            if (hops[static_cast<std::size_t>(v)] >= 0) return;
            hops[static_cast<std::size_t>(v)] = next;
            queue.push_back(v);
        });
    }
    const Vertex last = queue.back();
    if (const int farthest = hops[static_cast<std::size_t>(last)]; farthest > hops_) {
        return fmt::format("vertex {} is {} hops from root {} on any path, the limit is {}", last, farthest, root_,
                           hops_);
    }
    return std::nullopt;
}

std::string HopConstrainedMst::describe_overflow(const Tree&, Vertex u) const {
    return fmt::format("more than {} hops from root {} below vertex {}", hops_, root_, u);
}

std::unique_ptr<Problem> make_hmst(const Instance& instance, const ProblemOptions& options) {
    if (!options.hops) throw InputError("hmst needs a hop limit: --hops H");
    if (*options.hops < 1) throw InputError(fmt::format("hop limit {}: expected at least 1", *options.hops));
    const Vertex root = options.root.value_or(0);
    if (root < 0 || root >= instance.size()) {
        throw InputError(fmt::format("root {} is not among the {} vertices", root, instance.size()));
    }
    return std::make_unique<HopConstrainedMst>(instance, root, *options.hops);
}

}  // namespace neuroprim
