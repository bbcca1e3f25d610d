#include "search/paths/tour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "neuroprim/random.hpp"

namespace neuroprim::paths {
namespace {

/// The plain twin: the vertices in the order in which they are read, beginning anywhere.
class PlainTour {
public:
    explicit PlainTour(std::vector<Vertex> order) : order_(std::move(order)) {}

    [[nodiscard]] Vertex next(Vertex v) const {
        const auto found = std::find(order_.begin(), order_.end(), v) + 1;
        return found == order_.end() ? order_.front() : *found;
    }
    void mirror() { std::reverse(order_.begin(), order_.end()); }
    void flip(Vertex a, Vertex b) {
        std::rotate(order_.begin(), std::find(order_.begin(), order_.end(), a), order_.end());
        std::reverse(order_.begin(), std::find(order_.begin(), order_.end(), b) + 1);
    }

private:
    std::vector<Vertex> order_;
};

TEST(Tour, TurnsStretchesAroundAsAPlainListDoes) {
    for (const Vertex size : {5, 6, 20, 33}) {
        std::vector<Vertex> order(index(size));
        std::iota(order.begin(), order.end(), 0);
        Tour tour(order);
        PlainTour plain(order);
        Random random(static_cast<std::uint64_t>(size));
        for (int k = 0; k < 3000; ++k) {
            const auto a = static_cast<Vertex>(random.below(index(size)));
            const auto b = static_cast<Vertex>(random.below(index(size)));
            if (random.below(4) == 0) {
                tour.mirror();
                plain.mirror();
            }
            tour.flip(a, b);
            plain.flip(a, b);
            Vertex steps = 0;
            for (Vertex v = a; v != b; v = plain.next(v)) ++steps;
            ASSERT_EQ(tour.steps(a, b), steps);
            for (Vertex v = 0; v < size; ++v) {
                ASSERT_EQ(tour.next(v), plain.next(v));
                ASSERT_EQ(tour.prev(tour.next(v)), v);
            }
        }
    }
}

}  // namespace
}  // namespace neuroprim::paths
