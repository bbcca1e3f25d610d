#include "heuristics/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "problems/crossings.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

namespace {

/// The most vertices of a run, and a limit on what all runs of a sweep may take.
constexpr double longest_run = 64;
constexpr double most_work = 6e7;

/// A vertex as the root sees it.
struct Seen {
    Vertex vertex;
    Point from;  // the end of its edge to the root: several roots are one vertex with several ends
    double angle;
};

/// The shortest tree over the root and some vertices, by Prim's algorithm.
class RunTree {
public:
    RunTree(const Weights& weights, Vertex root) : weights_(&weights), root_(root) {}

    /// Its cost. The members change places so that parents stand before children.
    double span(std::vector<Vertex>& members) {
        const std::size_t count = members.size();
        parents_.assign(count, root_);
        distances_.resize(count);
        for (std::size_t k = 0; k < count; ++k) distances_[k] = (*weights_)(root_, members[k]);
        double cost = 0;
        for (std::size_t done = 0; done < count; ++done) {
            const auto nearest = std::min_element(distances_.begin() + static_cast<std::ptrdiff_t>(done),
                                                  distances_.begin() + static_cast<std::ptrdiff_t>(count));
            const auto next = static_cast<std::size_t>(nearest - distances_.begin());
            std::swap(members[done], members[next]);
            std::swap(parents_[done], parents_[next]);
            std::swap(distances_[done], distances_[next]);
            cost += distances_[done];
            for (std::size_t k = done + 1; k < count; ++k) {
                const double weight = (*weights_)(members[done], members[k]);
                if (weight >= distances_[k]) continue;
                distances_[k] = weight;
                parents_[k] = members[done];
            }
        }
        return cost;
    }

    [[nodiscard]] Vertex parent(std::size_t place) const { return parents_[place]; }

private:
    const Weights* weights_;
    Vertex root_;
    std::vector<Vertex> parents_;    // by place
    std::vector<double> distances_;  // likewise
};

/// The vertices around one end of the root, in the order of their angles.
class Sweep {
public:
    Sweep(const Problem& problem, Vertex root, std::vector<Seen> seen)
        : problem_(&problem), seen_(std::move(seen)), run_tree_(problem.weights(), root) {}

    /// False when no cuts make a tree.
    bool add_edges(Tree& tree, const StopToken& stop) {
        price_runs(stop);
        const std::size_t count = seen_.size();
        double best = Weights::infinity;
        std::vector<std::size_t> cuts;
        for (std::size_t first = 0; first < std::min(count, longest_); ++first) {
            stop.check();
            if (const double cost = cut_from(first); cost < best) {
                best = cost;
                cuts = {first};
                // The lengths of the runs, last one first.
                for (std::size_t end = count; end > 0; end -= length_[end]) cuts.push_back(length_[end]);
            }
        }
        if (best == Weights::infinity) return false;
        std::size_t at = cuts.front();
        for (std::size_t k = cuts.size(); k-- > 1;) {
            auto run = members(at % count, cuts[k]);
            run_tree_.span(run);
            for (std::size_t place = 0; place < run.size(); ++place) {
                tree.edges.push_back({run_tree_.parent(place), run[place]});
            }
            at += cuts[k];
        }
        return true;
    }

private:
    [[nodiscard]] std::vector<Vertex> members(std::size_t begin, std::size_t length) const {
        std::vector<Vertex> result;
        for (std::size_t k = 0; k < length; ++k) result.push_back(seen_[(begin + k) % seen_.size()].vertex);
        return result;
    }

    /// The costs of all runs that fit into a branch and into half a turn, outside of which a wedge is not convex.
    void price_runs(const StopToken& stop) {
        const std::size_t count = seen_.size();
        const double affordable = std::cbrt(most_work / static_cast<double>(count));
        longest_ = std::min(count, static_cast<std::size_t>(std::clamp(affordable, 1.0, longest_run)));
        const TreeSpec& spec = problem_->spec();
        const double capacity = spec.branch_capacity() * (1 + sum_tolerance);
        costs_.resize(count);
        for (std::size_t begin = 0; begin < count; ++begin) {
            stop.check();
            double load = 0;
            for (std::size_t length = 1; length <= longest_; ++length) {
                const Seen& last = seen_[(begin + length - 1) % count];
                const double turn = last.angle - seen_[begin].angle;
                load += spec.demand(last.vertex);
                const bool is_wide = (turn < 0 ? turn + 2 * std::numbers::pi : turn) >= std::numbers::pi;
                if (load > capacity || (length > 1 && is_wide)) break;
                auto run = members(begin, length);
                costs_[begin].push_back(run_tree_.span(run));
            }
        }
    }

    /// The least cost of runs of which the first one begins here; `length_` has those of the last runs.
    double cut_from(std::size_t first) {
        const std::size_t count = seen_.size();
        cost_.assign(count + 1, Weights::infinity);
        length_.assign(count + 1, 0);
        cost_[0] = 0;
        for (std::size_t begin = 0; begin < count; ++begin) {
            const auto& costs = costs_[(first + begin) % count];
            for (std::size_t length = 1; length <= costs.size() && begin + length <= count; ++length) {
                const double cost = cost_[begin] + costs[length - 1];
                if (cost >= cost_[begin + length]) continue;
                cost_[begin + length] = cost;
                length_[begin + length] = length;
            }
        }
        return cost_[count];
    }

    const Problem* problem_;
    std::vector<Seen> seen_;
    RunTree run_tree_;
    std::size_t longest_ = 0;                 // run
    std::vector<std::vector<double>> costs_;  // by first vertex and length − 1
    std::vector<double> cost_;                // (vertices + 1) of the first so many
    std::vector<std::size_t> length_;         // (vertices + 1) of the run that ends there
};

}  // namespace

std::optional<Tree> sweep_tree(const Problem& problem, const StopToken& stop) {
    const auto starts = problem.starts();
    const bool suits = starts.size() == 1 && problem.spec().coverage == Coverage::all &&
                       problem.spec().branch_capacity() < Weights::infinity &&
                       !problem.instance().positions().empty();
    if (!suits) return std::nullopt;
    const Vertex root = starts.front();
    const EdgePlan plan(problem.instance());
    std::vector<Seen> seen;
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (v == root) continue;
        const auto [from, to] = plan.segment(root, v);
        seen.push_back({v, from, std::atan2(to.y - from.y, to.x - from.x)});
    }
    const auto key = [](const Seen& a) { return std::tuple(a.from.x, a.from.y, a.angle, a.vertex); };
    std::sort(seen.begin(), seen.end(), [&](const Seen& a, const Seen& b) { return key(a) < key(b); });
    Tree tree{root, {}};
    for (std::size_t begin = 0; begin < seen.size();) {
        std::size_t end = begin;
        while (end < seen.size() && seen[end].from.x == seen[begin].from.x && seen[end].from.y == seen[begin].from.y)
            ++end;
        Sweep sweep(problem, root, std::vector(&seen[begin], &seen[begin] + (end - begin)));
        if (!sweep.add_edges(tree, stop)) return std::nullopt;
        begin = end;
    }
    return tree;
}

}  // namespace neuroprim
