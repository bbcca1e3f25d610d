#include "search/routing/perturbation_worker.hpp"

namespace neuroprim::routing {

namespace {

/// How much worse than the best a tree may be, at most, to go on from, times n: one perturbed changes a part of a
/// large tree only.
constexpr double tolerated_loss = 0.4;

/// Trees within this part of the best, times n, are worth a look at the whole of them.
constexpr double promising_loss = 0.05;

}  // namespace

void PerturbationWorker::adopt(const Tree& tree) {
    load(tree);
    begin_anew();
    best_ = parents();
    best_cost_ = cost_now();
}

void PerturbationWorker::keep_if_best() {
    if (!(cost_now() < best_cost_)) return;
    best_ = parents();
    best_cost_ = cost_now();
}

Tree PerturbationWorker::tree() const {
    const auto n = static_cast<Vertex>(best_.size());
    Tree unordered{0, {}};
    for (Vertex v = 0; v < n; ++v) {
        if (best_[index(v)] == no_vertex) {
            unordered.start = v;
        } else {
            unordered.edges.push_back({best_[index(v)], v});
        }
    }
    return grown_from(unordered, unordered.start, n);
}

bool PerturbationWorker::repair(Random& random, const StopToken& stop) {
    if (!repair_part(random, stop)) return false;
    const bool is_promising = cost_now() < best_cost_ * (1 + promising_loss / static_cast<double>(best_.size()));
    return !is_promising || descend(random, stop);
}

bool PerturbationWorker::accepts(double before, Random& random) const {
    const auto n = static_cast<double>(best_.size());
    const double tolerated = best_cost_ * (1 + tolerated_loss / n * random.uniform() * random.uniform());
    return cost_now() <= before || cost_now() <= tolerated;
}

}  // namespace neuroprim::routing
