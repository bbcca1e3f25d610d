#include "search/swaps/swap_tree.hpp"

#include <algorithm>

namespace neuroprim::swaps {

namespace {

constexpr std::size_t hub_count = 4;

}  // namespace

void SwapTree::load(const Tree& tree) {
    rooted_ = hang(tree, tree.start, problem_->size());
    degree_ = degrees(tree, problem_->size());
    find_chains();
    find_hubs();
}

void SwapTree::find_chains() {
    chain_.resize(degree_.size());
    chain_weight_.assign(degree_.size(), 0);
    for (std::size_t k = 1; k < rooted_.order.size(); ++k) {
        const Vertex v = rooted_.order[k];
        const Vertex u = parent(v);
        const bool goes_on = u != root() && degree(u) == 2 && !problem_->required(u);
        chain_[index(v)] = goes_on ? chain_[index(u)] : v;
        chain_weight_[index(chain_[index(v)])] += problem_->weights()(u, v);
    }
}

void SwapTree::find_hubs() {
    hubs_.clear();
    for (const Vertex v : rooted_.order) {
        if (hubs_.size() == hub_count && degree(v) <= degree(hubs_.back())) continue;
        if (hubs_.size() == hub_count) hubs_.pop_back();
        const auto place =
            std::find_if(hubs_.begin(), hubs_.end(), [&](Vertex hub) { return degree(hub) < degree(v); });
        hubs_.insert(place, v);
    }
}

void SwapTree::path(Vertex u, Vertex v, std::vector<Vertex>& lower_ends) const {
    lower_ends.clear();
    while (u != v) {
        Vertex& lower = rooted_.depth[index(u)] >= rooted_.depth[index(v)] ? u : v;
        lower_ends.push_back(lower);
        lower = parent(lower);
    }
}

Tree SwapTree::tree() const {
    Tree result{root(), {}};
    result.edges.reserve(rooted_.order.size());
    for (std::size_t k = 1; k < rooted_.order.size(); ++k) {
        result.edges.push_back({parent(rooted_.order[k]), rooted_.order[k]});
    }
    return result;
}

Tree SwapTree::exchanged(Vertex lower, Edge added) const {
    Tree result = tree();
    const auto place =
        std::find_if(result.edges.begin(), result.edges.end(), [&](const Edge& edge) { return edge.v == lower; });
    *place = added;
    return result;
}

}  // namespace neuroprim::swaps
