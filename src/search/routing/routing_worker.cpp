#include "search/routing/routing_worker.hpp"

#include "search/routing/clusters.hpp"
#include "search/routing/perturbation.hpp"

namespace neuroprim::routing {

namespace {

/// Of the time that is left: what comes after the clusters needs some too.
constexpr double share_of_clusters = 0.4;

}  // namespace

RoutingWorker::RoutingWorker(const Lengths& lengths, std::vector<double> masses, Random random)
    : PerturbationWorker(random), lengths_(&lengths), now_(lengths, std::move(masses)) {}

void RoutingWorker::perturb(Random& random, const StopToken&) {
    now_.advance_time();
    perturbed_at_ = now_.time();
    routing::perturb(now_, *lengths_, random);
}

/// Goes on from a tree of clusters if that is cheaper.
void RoutingWorker::begin_with_clusters(const Random& random, const StopToken& stop) {
    constexpr Vertex many_points = 3000;
    constexpr std::size_t most_clusters = 600;
    constexpr std::int64_t steps = 3000;
    if (clusters_tried_ || !lengths_->metric() || now_.size() < many_points) return;
    clusters_tried_ = true;
    const std::vector<Vertex> given = now_.parents();
    const double cost = now_.cost();
    const std::size_t clusters = std::min(most_clusters, index(now_.size()) / 20);
    now_.restore(tree_of_clusters(lengths_->weights(), clusters, steps, random, stop.share(share_of_clusters)));
    descent_.hang_leaves(now_, *lengths_, stop);
    if (now_.cost() > cost) now_.restore(given);
}

bool RoutingWorker::descend(Random& random, const StopToken& stop) {
    begin_with_clusters(random, stop);
    return descent_.descend(now_, *lengths_, random, stop);
}

bool RoutingWorker::repair_part(Random& random, const StopToken& stop) {
    return descent_.repair(now_, *lengths_, perturbed_at_, random, stop);
}

}  // namespace neuroprim::routing
