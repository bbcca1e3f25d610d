#include "formats/streets/box_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

using formats::box_of;
using formats::BoxTree;
using formats::GeoBox;

std::vector<GeoBox> random_boxes(Random& random, std::size_t count) {
    std::vector<GeoBox> boxes;
    for (std::size_t k = 0; k < count; ++k) {
        const Point a{random.uniform(), random.uniform()};
        boxes.push_back(box_of(a, {a.x + 0.1 * random.uniform(), a.y + 0.1 * random.uniform()}));
    }
    return boxes;
}

TEST(BoxTree, FindsTheNearestAsALookAtAllDoes) {
    Random random(7);
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 300U, 5000U}) {
        const auto boxes = random_boxes(random, count);
        const BoxTree tree(boxes);
        for (int round = 0; round < 50; ++round) {
            const Point p{2 * random.uniform() - 0.5, 2 * random.uniform() - 0.5};
            const double scale = 0.3 + random.uniform();
            const auto far = [&](std::size_t k) { return boxes[k].squared_distance(p, scale); };
            std::size_t best = 0;
            for (std::size_t k = 1; k < count; ++k) {
                if (far(k) < far(best)) best = k;
            }
            const auto hit = tree.nearest(p, scale, std::numeric_limits<double>::infinity(), far);
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->item, best);
            EXPECT_EQ(hit->squared_distance, far(best));
            EXPECT_EQ(tree.nearest(p, scale, far(best) / 2, far).has_value(), far(best) == 0);
        }
    }
}

TEST(BoxTree, FindsWhatOverlaps) {
    Random random(8);
    const auto boxes = random_boxes(random, 1000);
    const BoxTree tree(boxes);
    for (int round = 0; round < 50; ++round) {
        const Point a{random.uniform(), random.uniform()};
        const GeoBox box = box_of(a, {a.x + 0.2 * random.uniform(), a.y});
        std::vector<std::size_t> found;
        tree.overlapping(box, [&](std::size_t k) {
            found.push_back(k);
            return true;
        });
        std::sort(found.begin(), found.end());
        std::vector<std::size_t> all;
        for (std::size_t k = 0; k < boxes.size(); ++k) {
            if (boxes[k].overlaps(box)) all.push_back(k);
        }
        EXPECT_EQ(found, all);
    }
}

TEST(BoxTree, PassesOverWhatIsInfinitelyFar) {
    const BoxTree tree({box_of({0, 0}, {1, 1})});
    const double never = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(tree.nearest({0, 0}, 1, never, [&](std::size_t) { return never; }));
    EXPECT_FALSE(BoxTree({}).nearest({0, 0}, 1, never, [](std::size_t) { return 0.0; }));
}

}  // namespace
}  // namespace neuroprim
