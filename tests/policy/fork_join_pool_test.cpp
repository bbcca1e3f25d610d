#include "policy/fork_join_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <vector>

#include "neuroprim/policy.hpp"
#include "policy/cases.hpp"
#include "support/no_threads.hpp"

namespace neuroprim::policy {

namespace {

TEST(ForkJoinPool, DoesEveryPieceOfEveryRoundOnce) {
    for (const int threads : {1, 2, 5}) {
        constexpr int rounds = 2000;
        constexpr int pieces = 7;
        std::vector<int> done(pieces, 0);
        run_with_pool(threads, [&](ForkJoinPool& pool) {
            for (int round = 0; round < rounds; ++round) {
                pool.share(pieces, [&](int piece) { ++done[static_cast<std::size_t>(piece)]; });
                for (const int count : done) ASSERT_EQ(count, round + 1);
            }
        });
    }
}

TEST(ForkJoinPool, GoesHomeWhenItsLeaderFails) {
    EXPECT_THROW(run_with_pool(3,
                               [](ForkJoinPool& pool) {
                                   pool.share(4, [](int) {});
                                   throw std::runtime_error("enough");
                               }),
                 std::runtime_error);
}

TEST(ForkJoinPool, PassesOnWhatAPieceThrowsAndWorksOn) {
    for (const int threads : {1, 2, 5}) {
        run_with_pool(threads, [&](ForkJoinPool& pool) {
            for (int round = 0; round < 500; ++round) {
                std::atomic<int> done = 0;
                const int bad = round % 9;
                const auto work = [&](int piece) {
                    if (piece == bad) throw std::bad_alloc();
                    ++done;
                };
                EXPECT_THROW(pool.share(9, work), std::bad_alloc);
                EXPECT_LE(done, 8);
                done = 0;
                pool.share(bad, work);
                EXPECT_EQ(done, bad);
            }
        });
    }
}

/// Exits with 0 when trees are the same with the one thread that is there.
[[noreturn]] void decode_without_new_threads() {
    const Policy policy = Policy::random(testing::small_config(), 1);
    const auto each = testing::policy_case("mrcst", 330, 4);
    const std::vector<Start> starts = {{0, 0}, {1, 1}};
    const auto tree = [&](int threads) {
        DecodeOptions options;
        options.threads = threads;
        const Encoded encoded(policy, *each.problem, {.threads = threads});
        return decode(encoded, *each.problem, starts, options).front().tree;
    };
    const Tree expected = tree(1);
    test::refuse_new_threads();
    std::_Exit(tree(64) == expected ? 0 : 1);
}

TEST(ForkJoinPoolDeathTest, IsNotNeededForDecodingWhereTheSystemRefusesThreads) {
    EXPECT_EXIT(decode_without_new_threads(), test::done_or_untestable, "");
}

}  // namespace

}  // namespace neuroprim::policy
