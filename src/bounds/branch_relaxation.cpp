#include "bounds/branch_relaxation.hpp"

#include <algorithm>
#include <limits>

namespace neuroprim {

namespace {

constexpr double no_branch = std::numeric_limits<double>::infinity();

/// least[v] = min(least[v], a[v] + b[v]), eight at a time.
void take_sums(double* least, const double* a, const double* b, std::size_t stride) {
    for (std::size_t block = 0; block < stride; block += 8) {
        for (std::size_t k = block; k < block + 8; ++k) {
            const double sum = a[k] + b[k];
            least[k] = sum < least[k] ? sum : least[k];
        }
    }
}

/// The number of 1 … count with the least cost.
template <class Cost>
std::size_t first_of_least(std::size_t count, Cost&& cost) {
    std::size_t best = 1;
    for (std::size_t k = 2; k <= count; ++k) {
        if (cost(k) < cost(best)) best = k;
    }
    return best;
}

}  // namespace

BranchRelaxation::BranchRelaxation(const PaddedTable& weights, Vertex root, const BranchLoads& loads)
    : weights_(weights),
      n_(loads.units.size()),
      root_(index(root)),
      loads_(loads),
      subtree_(static_cast<std::size_t>(loads.most) + 1, n_, no_branch),
      child_(static_cast<std::size_t>(loads.most) + 1, n_, no_branch),
      total_(static_cast<std::size_t>(loads.total) + 1) {}

double BranchRelaxation::cost_below(std::size_t from, std::size_t to, std::size_t q,
                                    const PaddedTable& discounts) const {
    return (weights_[from][to] * loads_.price[q] - discounts[from][to]) + subtree_[q][to];
}

double BranchRelaxation::solve(const PaddedTable& discounts, std::span<const double> reward) {
    const std::size_t stride = subtree_.stride();
    const auto most = static_cast<std::size_t>(loads_.most);
    for (std::size_t q = 1; q <= most; ++q) {
        double* subtree = subtree_[q];
        std::fill(subtree, subtree + stride, no_branch);
        for (std::size_t v = 0; v < n_; ++v) {
            if (v != root_ && static_cast<std::size_t>(loads_.units[v]) == q) subtree[v] = -reward[v];
        }
        for (std::size_t below = 1; below < q; ++below)
            take_sums(subtree, subtree_[q - below], child_[below], stride);
        double* child = child_[q];
        std::fill(child, child + stride, no_branch);
        const double price = loads_.price[q];
        for (std::size_t u = 0; u < n_; ++u) {
            if (subtree[u] == no_branch) continue;
            const double* weights = weights_[u];
            const double* discount = discounts[u];
            const double base = subtree[u];
            for (std::size_t block = 0; block < stride; block += 8) {
                for (std::size_t k = block; k < block + 8; ++k) {
                    const double cost = (weights[k] * price - discount[k]) + base;
                    child[k] = cost < child[k] ? cost : child[k];
                }
            }
        }
    }
    std::fill(total_.begin(), total_.end(), no_branch);
    total_[0] = 0;
    for (std::size_t units = 1; units < total_.size(); ++units) {
        for (std::size_t q = 1; q <= std::min(units, most); ++q) {
            total_[units] = std::min(total_[units], child_[q][root_] + total_[units - q]);
        }
    }
    find_edges(discounts);
    return total_.back();
}

// The tables hold no choices: each is found again as the best one.
void BranchRelaxation::find_edges(const PaddedTable& discounts) {
    struct Hanging {
        std::size_t parent;
        std::size_t units;
    };
    edges_.clear();
    if (total_.back() == no_branch) return;
    const auto most = static_cast<std::size_t>(loads_.most);
    std::vector<Hanging> open;
    for (std::size_t units = total_.size() - 1; units > 0; units -= open.back().units) {
        open.push_back({root_, first_of_least(std::min(units, most),
                                              [&](std::size_t q) { return child_[q][root_] + total_[units - q]; })});
    }
    while (!open.empty()) {
        const std::size_t parent = open.back().parent;
        std::size_t units = open.back().units;
        open.pop_back();
        const std::size_t v =
            first_of_least(n_, [&](std::size_t u) { return cost_below(parent, u - 1, units, discounts); }) - 1;
        edges_.push_back({static_cast<Vertex>(parent), static_cast<Vertex>(v)});
        while (units > static_cast<std::size_t>(loads_.units[v])) {
            const std::size_t below =
                first_of_least(units - 1, [&](std::size_t q) { return subtree_[units - q][v] + child_[q][v]; });
            open.push_back({v, below});
            units -= below;
        }
    }
}

}  // namespace neuroprim
