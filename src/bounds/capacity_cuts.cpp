#include "bounds/capacity_cuts.hpp"

#include <algorithm>
#include <cmath>

namespace neuroprim {

namespace {

constexpr std::size_t most_new_cuts = 8;
constexpr std::size_t most_cuts = 200;
constexpr int most_idle_rounds = 3;
constexpr double least_excess = 0.1;
constexpr Vertex separation_looks = 2'000'000;

}  // namespace

CapacityCuts::CapacityCuts(const BranchLoads& loads, Vertex root)
    : loads_(loads), root_(root), n_(static_cast<Vertex>(loads.units.size())) {
    // All vertices: the root has so many branches.
    std::vector<Vertex> all;
    for (Vertex v = 0; v < n_; ++v) {
        if (v != root) all.push_back(v);
    }
    add(std::move(all));
}

int CapacityCuts::branches(double demand) const {
    // Zero demands need a branch, too; sums are taken for a little less than they are.
    return std::max(1, static_cast<int>(std::ceil(demand / loads_.capacity - 1e-9)));
}

void CapacityCuts::add(std::vector<Vertex> set) {
    if (!known_.insert(set).second) return;
    CapacityCut cut;
    cut.holds.assign(index(n_), 0);
    double demand = 0;
    for (const Vertex v : set) {
        cut.holds[index(v)] = 1;
        demand += loads_.demand[index(v)];
    }
    cut.most_edges = static_cast<int>(set.size()) - branches(demand);
    cut.set = std::move(set);
    cuts_.push_back(std::move(cut));
}

void CapacityCuts::separate(const PaddedTable& mean) {
    std::erase_if(cuts_, [&](CapacityCut& cut) {
        if (cut.penalty > 0 || cut.best_penalty > 0)
            cut.idle = 0;
        else if (++cut.idle > most_idle_rounds) {
            known_.erase(cut.set);
            return true;
        }
        return false;
    });
    const Vertex starts = std::clamp<Vertex>(separation_looks / n_ / n_, 1, n_);
    std::vector<Found> found;
    for (Vertex k = 0; k < starts; ++k) {
        next_start_ = (next_start_ + 1) % n_;
        if (next_start_ == root_) continue;
        Found grown = grown_from(next_start_, mean);
        if (grown.excess > least_excess) found.push_back(std::move(grown));
    }
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.excess > b.excess; });
    const std::size_t most = std::min(most_cuts, cuts_.size() + most_new_cuts);
    for (Found& one : found) {
        if (cuts_.size() >= most) break;
        add(std::move(one.set));
    }
}

void CapacityCuts::keep_dearest(std::size_t count) {
    std::stable_sort(cuts_.begin(), cuts_.end(),
                     [](const CapacityCut& a, const CapacityCut& b) { return a.best_penalty > b.best_penalty; });
    while (cuts_.size() > count) {
        known_.erase(cuts_.back().set);
        cuts_.pop_back();
    }
}

CapacityCuts::Found CapacityCuts::grown_from(Vertex start, const PaddedTable& mean) const {
    std::vector<double> joins(index(n_), 0);  // edges between a vertex and the set
    std::vector<bool> inside(index(n_), false);
    std::vector<Vertex> set;
    double edges = 0;
    double demand = 0;
    double most_excess = 0;
    std::size_t best_size = 0;
    inside[index(root_)] = true;
    for (Vertex v = start; v != no_vertex;) {
        edges += joins[index(v)];
        demand += loads_.demand[index(v)];
        inside[index(v)] = true;
        set.push_back(v);
        const double excess = edges - (static_cast<double>(set.size()) - branches(demand));
        if (excess > most_excess + 1e-6) {
            most_excess = excess;
            best_size = set.size();
        }
        const double* row = mean[index(v)];
        Vertex next = no_vertex;
        for (Vertex u = 0; u < n_; ++u) {
            joins[index(u)] += row[index(u)];
            if (inside[index(u)]) continue;
            if (next == no_vertex || joins[index(u)] > joins[index(next)]) next = u;
        }
        if (next != no_vertex && joins[index(next)] < 1e-3) next = no_vertex;
        v = next;
    }
    set.resize(best_size);
    std::sort(set.begin(), set.end());
    return {most_excess, std::move(set)};
}

}  // namespace neuroprim
