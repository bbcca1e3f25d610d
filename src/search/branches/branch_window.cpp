#include "search/branches/branch_window.hpp"

namespace neuroprim::branches {

namespace {

/// A window ends after so many dives.
constexpr std::int64_t most_dives_of_window = 6;

std::vector<Vertex> with_root_first(Vertex root, std::span<const Vertex> vertices) {
    std::vector<Vertex> result{root};
    result.insert(result.end(), vertices.begin(), vertices.end());
    return result;
}

Instance instance_of(const WeightTable& weights, std::span<const Vertex> vertices) {
    std::vector<double> lower;
    lower.reserve(vertices.size() * (vertices.size() - 1) / 2);
    for (std::size_t k = 1; k < vertices.size(); ++k) {
        for (std::size_t other = 0; other < k; ++other) lower.push_back(weights(vertices[k], vertices[other]));
    }
    Instance instance;
    instance.weights = Weights::from_lower_triangle(static_cast<Vertex>(vertices.size()), std::move(lower));
    return instance;
}

TreeSpec spec_of(const TreeSpec& whole, std::span<const Vertex> vertices) {
    TreeSpec spec{.root = 0, .capacity = *whole.capacity};
    for (const Vertex v : vertices) spec.demands.push_back(whole.demand(v));
    return spec;
}

}  // namespace

BranchWindow::BranchWindow(const Problem& problem, const WeightTable& weights, const BranchPool& pool,
                           std::span<const Vertex> vertices, double cost, Random random)
    : vertices_(with_root_first(*problem.spec().root, vertices)),
      instance_(instance_of(weights, vertices_)),
      problem_(instance_, spec_of(problem.spec(), vertices_)),
      weights_(problem_.weights()),
      dives_(problem_, weights_, random),
      cost_(cost) {
    std::vector<Vertex> place(index(problem.size()), no_vertex);
    for (std::size_t k = 0; k < vertices_.size(); ++k) place[index(vertices_[k])] = static_cast<Vertex>(k);
    std::vector<Vertex> members;
    for (std::size_t k = 0; k < pool.size(); ++k) {
        members.clear();
        for (const Vertex v : pool.vertices(k)) {
            if (place[index(v)] == no_vertex) break;
            members.push_back(place[index(v)]);
        }
        if (members.size() == pool.vertices(k).size()) dives_.offer(members, pool.cost(k), cost_);
    }
}

std::int64_t BranchWindow::advance() {
    const std::int64_t steps = dives_.advance(cost_);
    has_improved_ = dives_.found().has_value();
    if (!has_improved_) return steps;
    cost_ = problem_.cost(*dives_.found());
    parents_.clear();
    for (const auto& [parent, v] : dives_.found()->edges) {
        parents_.push_back({vertices_[index(parent)], vertices_[index(v)]});
    }
    return steps;
}

bool BranchWindow::is_done() const {
    return dives_.dives() >= most_dives_of_window || !dives_.has_hope(cost_);
}

void BranchWindow::offer_to(BranchDives& dives) const {
    std::vector<Vertex> members;
    const BranchPool& pool = dives_.pool();
    for (std::size_t k = 0; k < pool.size(); ++k) {
        members.clear();
        for (const Vertex v : pool.vertices(k)) members.push_back(vertices_[index(v)]);
        dives.offer_improvement(members, pool.cost(k));
    }
}

}  // namespace neuroprim::branches
