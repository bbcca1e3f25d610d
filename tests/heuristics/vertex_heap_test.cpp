#include "heuristics/vertex_heap.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

TEST(VertexHeap, EqualKeysComeOutByVertex) {
    VertexHeap<int> heap(5);
    for (const Vertex v : {3, 1, 4, 0, 2}) heap.set(v, 7);
    for (Vertex v = 0; v < 5; ++v) EXPECT_EQ(heap.pop(), v);
    EXPECT_TRUE(heap.empty());
}

TEST(VertexHeap, FollowsAnOrderedSetThroughRandomChanges) {
    constexpr Vertex n = 40;
    Random random(3);
    VertexHeap<int> heap(n);
    std::set<std::pair<int, Vertex>> model;
    std::vector<int> key(n, -1);
    for (int round = 0; round < 20000; ++round) {
        if (random.below(3) > 0 || model.empty()) {
            const auto v = static_cast<Vertex>(random.below(n));
            const auto changed = static_cast<int>(random.below(25));
            model.erase({key[static_cast<std::size_t>(v)], v});
            model.insert({changed, v});
            key[static_cast<std::size_t>(v)] = changed;
            heap.set(v, changed);
            ASSERT_EQ(heap.key(v), changed);
        } else {
            const auto [least, v] = *model.begin();
            ASSERT_EQ(heap.top(), v);
            ASSERT_EQ(heap.key(v), least);
            ASSERT_EQ(heap.pop(), v);
            ASSERT_FALSE(heap.contains(v));
            model.erase(model.begin());
        }
        ASSERT_EQ(heap.empty(), model.empty());
    }
}

}  // namespace
}  // namespace neuroprim
