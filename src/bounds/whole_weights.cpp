#include "bounds/whole_weights.hpp"

#include <cmath>

namespace neuroprim {

bool has_whole_weights(const Weights& weights) {
    if (weights.form() == Weights::Form::points) {
        switch (weights.metric()) {
            case Metric::euc_2d:
            case Metric::ceil_2d:
            case Metric::man_2d:
            case Metric::max_2d:
            case Metric::att:
            case Metric::geo:
                return true;
            case Metric::euclidean:
            case Metric::manhattan:
            case Metric::maximum:
            case Metric::great_circle:
                return false;
        }
    }
    bool whole = true;
    for (Vertex u = 0; whole && u < weights.size(); ++u) {
        weights.for_each_neighbour(u, [&](Vertex, double weight) { whole = whole && weight == std::floor(weight); });
    }
    return whole;
}

}  // namespace neuroprim
