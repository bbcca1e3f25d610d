#include "graph/thread_group.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "support/no_threads.hpp"

namespace neuroprim {

namespace {

/// Every member counts in its own place, and reads its neighbour's after all have.
bool members_meet(int threads) {
    ThreadGroup group(threads);
    const int size = group.size();
    std::barrier barrier(size);
    std::vector<int> visits(static_cast<std::size_t>(size), 0);
    std::vector<int> seen(static_cast<std::size_t>(size), 0);
    group.run([&](int k) {
        ++visits[static_cast<std::size_t>(k)];
        barrier.arrive_and_wait();
        seen[static_cast<std::size_t>(k)] = visits[static_cast<std::size_t>((k + 1) % size)];
    });
    return seen == std::vector<int>(static_cast<std::size_t>(size), 1);
}

TEST(ThreadGroup, HasAllItsMembersAtTheSameTime) {
    for (const int threads : {0, 1, 2, 7}) EXPECT_TRUE(members_meet(threads)) << threads;
    EXPECT_EQ(ThreadGroup(3).size(), 3);
}

TEST(ThreadGroup, PassesOnWhatAMemberThrows) {
    ThreadGroup group(4);
    EXPECT_THROW(group.run([](int k) {
        if (k == 2) throw std::runtime_error("enough");
    }),
                 std::runtime_error);
}

/// Exits with 0 when the caller did the work alone.
[[noreturn]] void meet_without_new_threads() {
    test::refuse_new_threads();
    std::_Exit(ThreadGroup(6).size() == 1 && members_meet(6) ? 0 : 1);
}

TEST(ThreadGroupDeathTest, SaysHowManyItGotWhereTheSystemRefusesThreads) {
    EXPECT_EXIT(meet_without_new_threads(), test::done_or_untestable, "");
}

}  // namespace

}  // namespace neuroprim
