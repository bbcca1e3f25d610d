#include "search/routing/lengths.hpp"

namespace neuroprim::routing {

namespace {

constexpr Vertex most_for_a_table = 1200;

}  // namespace

Lengths::Lengths(const Weights& weights) : weights_(&weights), n_(index(weights.size())) {
    if (weights.size() > most_for_a_table) return;
    table_.assign(n_ * n_, Weights::infinity);
    for (Vertex u = 0; u < weights.size(); ++u) {
        weights.for_each_neighbour(u, [&](Vertex v, double w) { table_[index(u) * n_ + index(v)] = w; });
    }
}

}  // namespace neuroprim::routing
