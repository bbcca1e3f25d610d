#include "search/windows/backbone_looks.hpp"

#include <algorithm>
#include <utility>

#include "neuroprim/error.hpp"
#include "problems/kinds.hpp"
#include "search/augmentation.hpp"
#include "search/golden_ratio.hpp"
#include "search/windows/large_graphs.hpp"
#include "search/windows/routing_backbone.hpp"

namespace neuroprim {

namespace {

/// One for each symmetry of the square.
constexpr int usual_views = square_symmetries;
constexpr Vertex least_seen = 100;
constexpr Vertex most_seen = 200;

/// More tell more, but policies know such sizes less.
Vertex sample_size(Vertex n) {
    return std::clamp<Vertex>(n * 2 / 5, least_seen, most_seen);
}

}  // namespace

bool has_backbones(const Problem& problem) {
    return is_routing(problem) && problem.weights().is_complete() && problem.size() > least_seen;
}

BackboneLooks::BackboneLooks(const Policy& policy, const Problem& problem, const SolveOptions& options)
    : policy_(&policy),
      problem_(&problem),
      looks_(options.starts > 0 ? options.starts : usual_starts_of_large_graphs),
      views_(augmentations_or(options, usual_views)),
      threads_(options.threads),
      seed_(options.seed) {}

std::optional<Tree> BackboneLooks::next(const Tree* known, const StopToken& stop) {
    const double turn = golden_place(++count_, seed_);
    const std::vector<Vertex> sample = spread_sample(*problem_, sample_size(problem_->size()), turn, known);
    return tree_around_backbone(*policy_, *problem_, sample, views_, threads_, stop);
}

Candidate BackboneLooks::best(const StopToken& stop) {
    Candidate result;
    const auto take = [&](std::optional<Tree> tree) {
        if (!tree) return;
        const double cost = problem_->cost(*tree);
        if (result.tree.edges.empty() || cost < result.cost) result = {std::move(*tree), cost, "backbone"};
    };
    // One view of few vertices is soon done: a tree for those who have no time for more.
    take(tree_around_backbone(*policy_, *problem_, spread_sample(*problem_, least_seen, 0.5), 1, threads_, stop));
    for (std::size_t look = 0; look < looks_ && !stop.expired(); ++look) {
        take(next(2 * look < looks_ ? nullptr : &result.tree, stop));
    }
    if (result.tree.edges.empty()) throw Interrupted();
    return result;
}

}  // namespace neuroprim
