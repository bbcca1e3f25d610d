#include "search/branches/weight_table.hpp"

namespace neuroprim::branches {

WeightTable::WeightTable(const Weights& weights) : weights_(&weights), size_(index(weights.size())) {
    if (weights.size() > most_vertices) return;
    rows_.assign(size_ * size_, Weights::infinity);
    for (Vertex u = 0; u < weights.size(); ++u) {
        weights.for_each_neighbour(u, [&](Vertex v, double w) { rows_[index(u) * size_ + index(v)] = w; });
    }
}

}  // namespace neuroprim::branches
