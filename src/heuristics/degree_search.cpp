#include "heuristics/degree_search.hpp"

#include <algorithm>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "heuristics/support.hpp"

namespace neuroprim {

namespace {

class Search {
public:
    Search(std::span<const WeightedEdge> edges, std::span<const int> limits)
        : edges_(edges.begin(), edges.end()), residual_(limits.begin(), limits.end()) {
        std::stable_sort(edges_.begin(), edges_.end(),
                         [](const WeightedEdge& a, const WeightedEdge& b) { return a.weight < b.weight; });
    }

    /// Decides the edges from `next` on, given the parts that those before have joined.
    bool extend(std::size_t next, const DisjointSets& parts) {
        if (chosen_.size() + 1 == residual_.size()) return true;
        if (!can_connect(next, parts)) return false;
        const auto& [u, v, weight] = edges_[next];
        DisjointSets joined = parts;
        if (residual_[index(u)] > 0 && residual_[index(v)] > 0 && joined.join(u, v)) {
            --residual_[index(u)];
            --residual_[index(v)];
            chosen_.push_back({u, v});
            if (extend(next + 1, joined)) return true;
            chosen_.pop_back();
            ++residual_[index(u)];
            ++residual_[index(v)];
        }
        return extend(next + 1, parts);
    }

    [[nodiscard]] const std::vector<Edge>& chosen() const { return chosen_; }

private:
    [[nodiscard]] bool can_connect(std::size_t next, DisjointSets parts) const {
        std::size_t missing = residual_.size() - 1 - chosen_.size();
        for (; next < edges_.size() && missing > 0; ++next) {
            const auto& [u, v, weight] = edges_[next];
            if (residual_[index(u)] > 0 && residual_[index(v)] > 0 && parts.join(u, v)) --missing;
        }
        return missing == 0;
    }

    std::vector<WeightedEdge> edges_;  // lightest first
    std::vector<int> residual_;        // (n)
    std::vector<Edge> chosen_;
};

}  // namespace

std::optional<Tree> search_degree_limited_tree(std::span<const WeightedEdge> edges, std::span<const int> limits) {
    const auto n = static_cast<Vertex>(limits.size());
    Search search(edges, limits);
    if (!search.extend(0, DisjointSets(n))) return std::nullopt;
    return grown_from({0, search.chosen()}, 0, n);
}

}  // namespace neuroprim
