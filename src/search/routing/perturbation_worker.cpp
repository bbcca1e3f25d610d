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
    settled_ = false;
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

std::int64_t PerturbationWorker::run(std::int64_t steps, const StopToken& stop) {
    if (best_.size() < 3) return 0;
    std::int64_t done = 0;
    if (!settled_ && steps > 0) {
        settled_ = descend(random_, stop);
        keep_if_best();
        if (!settled_) return done;
        ++done;
    }
    const auto n = static_cast<double>(best_.size());
    for (; done < steps && !stop.expired(); ++done) {
        before_ = parents();
        const double cost_before = cost_now();
        perturb_tree(random_);
        bool finished = repair(random_, stop);
        if (finished && cost_now() < best_cost_ * (1 + promising_loss / n)) finished = descend(random_, stop);
        keep_if_best();
        const double tolerated = best_cost_ * (1 + tolerated_loss / n * random_.uniform() * random_.uniform());
        if (!finished || (cost_now() > cost_before && cost_now() > tolerated)) restore(before_);
        if (!finished) break;
    }
    return done;
}

}  // namespace neuroprim::routing
