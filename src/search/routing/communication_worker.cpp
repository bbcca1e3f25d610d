#include "search/routing/communication_worker.hpp"

#include <numeric>

#include "graph/shuffle.hpp"
#include "search/routing/perturbation.hpp"
#include "search/routing/rounding.hpp"

namespace neuroprim::routing {

CommunicationWorker::CommunicationWorker(const Lengths& lengths, const Traffic& traffic, Random random)
    : PerturbationWorker(random),
      lengths_(&lengths),
      now_(lengths, traffic),
      tried_(index(lengths.weights().size())) {
    std::iota(tried_.begin(), tried_.end(), 0);
}

void CommunicationWorker::perturb(Random& random, const StopToken&) {
    now_.reshape([&](RoutingTree& shape) { routing::perturb(shape, *lengths_, random); });
}

bool CommunicationWorker::descend(Random& random, const StopToken& stop) {
    // Edges in random order, each exchanged at once where that pays; done when n in a row did not.
    std::size_t in_vain = 0;
    std::size_t next = 0;
    while (in_vain < tried_.size()) {
        if (stop.expired()) return false;
        if (next == 0) shuffle(tried_, random);
        const Vertex lower = tried_[next];
        next = (next + 1) % tried_.size();
        ++in_vain;
        if (lower == now_.shape().root()) continue;
        const auto move = now_.best_move(lower);
        if (move.gain <= rounding * now_.cost()) continue;
        now_.apply(move);
        in_vain = 0;
    }
    return true;
}

}  // namespace neuroprim::routing
