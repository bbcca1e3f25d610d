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

BranchRelaxation::BranchRelaxation(const PaddedTable& weights, Vertex root, const BranchLoads& loads,
                                   std::optional<int> hops)
    : weights_(weights),
      n_(loads.units.size()),
      root_(index(root)),
      loads_(loads),
      // A branch of so many units is no higher than that by itself.
      is_limited_(hops && *hops < loads.most),
      total_(static_cast<std::size_t>(loads.total) + 1) {
    const PaddedTable none(static_cast<std::size_t>(loads.most) + 1, n_, no_branch);
    levels_.assign(is_limited_ ? static_cast<std::size_t>(std::max(*hops, 1)) : 1, Level{none, none});
}

double BranchRelaxation::cost_below(std::size_t from, std::size_t to, std::size_t q, const Level& level,
                                    const PaddedTable& discounts) const {
    return (weights_[from][to] * loads_.price[q] - discounts[from][to]) + level.subtree[q][to];
}

/// `below` is the level itself where heights are not limited.
void BranchRelaxation::fill(Level& level, const Level& below, const PaddedTable& discounts,
                            std::span<const double> reward) {
    const std::size_t stride = level.subtree.stride();
    for (std::size_t q = 1; q < level.subtree.rows(); ++q) {
        double* subtree = level.subtree[q];
        std::fill(subtree, subtree + stride, no_branch);
        for (std::size_t v = 0; v < n_; ++v) {
            if (v != root_ && static_cast<std::size_t>(loads_.units[v]) == q) subtree[v] = -reward[v];
        }
        const bool are_single = is_limited_ && &level == &levels_.front();
        for (std::size_t units = 1; units < q && !are_single; ++units) {
            take_sums(subtree, level.subtree[q - units], below.child[units], stride);
        }
        double* child = level.child[q];
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
}

double BranchRelaxation::solve(const PaddedTable& discounts, std::span<const double> reward) {
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        fill(levels_[level], levels_[level == 0 ? 0 : below(level)], discounts, reward);
    }
    const PaddedTable& branches = levels_.back().child;
    std::fill(total_.begin(), total_.end(), no_branch);
    total_[0] = 0;
    for (std::size_t units = 1; units < total_.size(); ++units) {
        for (std::size_t q = 1; q < std::min(units + 1, branches.rows()); ++q) {
            total_[units] = std::min(total_[units], branches[q][root_] + total_[units - q]);
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
        std::size_t level;
    };
    edges_.clear();
    if (total_.back() == no_branch) return;
    const auto most = static_cast<std::size_t>(loads_.most);
    const std::size_t top = levels_.size() - 1;
    std::vector<Hanging> open;
    for (std::size_t units = total_.size() - 1; units > 0; units -= open.back().units) {
        const std::size_t best = first_of_least(
            std::min(units, most), [&](std::size_t q) { return levels_[top].child[q][root_] + total_[units - q]; });
        open.push_back({root_, best, top});
    }
    while (!open.empty()) {
        const std::size_t parent = open.back().parent;
        std::size_t units = open.back().units;
        const std::size_t at = open.back().level;
        const Level& level = levels_[at];
        open.pop_back();
        const auto cost = [&](std::size_t u) { return cost_below(parent, u - 1, units, level, discounts); };
        const std::size_t v = first_of_least(n_, cost) - 1;
        edges_.push_back({static_cast<Vertex>(parent), static_cast<Vertex>(v)});
        while (units > static_cast<std::size_t>(loads_.units[v])) {
            const PaddedTable& children = levels_[below(at)].child;
            const std::size_t behind = first_of_least(
                units - 1, [&](std::size_t q) { return level.subtree[units - q][v] + children[q][v]; });
            open.push_back({v, behind, below(at)});
            units -= behind;
        }
    }
}

}  // namespace neuroprim
