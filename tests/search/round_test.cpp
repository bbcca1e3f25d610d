#include "search/round.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace neuroprim {
namespace {

/// Waits for what other threads do; false if it does not happen.
template <class Happened>
bool comes_true(Happened&& happened) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!happened()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::yield();
    }
    return true;
}

/// Three workers, of which the one in the middle may give way to side work that lasts until `is_over`. The workers do
/// all steps that they are asked for, but not before the side work has begun, and not for ever.
struct FakeRound {
    std::function<bool()> is_over = [] { return true; };
    std::array<std::atomic<int>, 3> turns = {};  // of each worker
    std::atomic<bool> side_began = false;
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + std::chrono::seconds(30);

    std::vector<RoundShare> run(int threads, bool fills) {
        return run_round(
            {.threads = threads, .workers = 3, .side = 1, .steps = 11, .fills = fills},
            [&](std::size_t k, std::int64_t steps) {
                ++turns[k];
                EXPECT_TRUE(threads == 1 || comes_true([&] { return side_began.load(); }));
                const bool is_late = std::chrono::steady_clock::now() > end;
                EXPECT_FALSE(is_late) << "worker " << k << " goes on without end";
                return is_late ? 0 : steps;
            },
            [&](const auto&) {
                side_began = true;
                EXPECT_TRUE(comes_true(is_over));
            });
    }
};

TEST(Round, SharesItsStepsAmongAllWorkersOrThoseThatDoNotGiveWay) {
    const auto all = run_round(
        {.threads = 2, .workers = 3, .steps = 11}, [](std::size_t, std::int64_t s) { return s; },
        [](const auto&) { FAIL() << "nobody gives way"; });
    EXPECT_EQ(all[0].steps, 4);
    EXPECT_EQ(all[1].steps, 4);
    EXPECT_EQ(all[2].steps, 3);
    FakeRound round;
    const auto two = round.run(3, false);
    EXPECT_EQ(two[0].steps, 6);
    EXPECT_EQ(two[1].steps, 0);
    EXPECT_EQ(two[2].steps, 5);
    EXPECT_TRUE(round.side_began);
}

TEST(Round, WorkersTakeFurtherTurnsUntilTheSideWorkEnds) {
    FakeRound round;
    round.is_over = [&] { return round.turns[0] >= 4 && round.turns[2] >= 3; };
    const auto shares = round.run(3, true);
    EXPECT_GE(shares[0].steps, 4 * 6);
    EXPECT_GE(shares[2].steps, 3 * 5);
    EXPECT_EQ(shares[0].steps, round.turns[0] * 6);
    EXPECT_EQ(shares[2].steps, round.turns[2] * 5);
    EXPECT_EQ(round.turns[1], 0);
}

TEST(Round, WithoutAClockEveryWorkerHasOneTurnHoweverLongTheSideWorkTakes) {
    for (const int threads : {1, 2, 3}) {
        FakeRound round;
        const auto began = std::chrono::steady_clock::now();
        round.is_over = [&] { return std::chrono::steady_clock::now() > began + std::chrono::milliseconds(30); };
        const auto shares = round.run(threads, false);
        EXPECT_EQ(shares[0].steps, 6) << threads;
        EXPECT_EQ(shares[2].steps, 5) << threads;
        EXPECT_EQ(round.turns[0] + round.turns[2], 2) << threads;
    }
}

TEST(Round, AWorkerThatHasToStopDoesNotFillIt) {
    std::atomic<int> turns = 0;
    std::atomic<bool> side_began = false;
    const auto stopped = [&](std::size_t, std::int64_t steps) {
        EXPECT_TRUE(comes_true([&] { return side_began.load(); }));
        ++turns;
        return steps - 1;
    };
    const auto shares = run_round({.threads = 2, .workers = 2, .side = 1, .steps = 5, .fills = true}, stopped,
                                  [&](const auto& workers_run) {
                                      side_began = true;
                                      EXPECT_TRUE(comes_true([&] { return turns > 0 && !workers_run(); }));
                                  });
    EXPECT_EQ(shares[0].steps, 4);
    EXPECT_EQ(turns, 1);
}

TEST(Round, SideWorkThatThrowsDoesNotKeepTheWorkersGoing) {
    FakeRound round;
    round.is_over = [&]() -> bool {
        if (round.turns[0] >= 2) throw std::runtime_error("broken");
        return false;
    };
    EXPECT_THROW((void)round.run(3, true), std::runtime_error);
}

TEST(Round, SideWorkWithAPlaceOfItsOwnMayGoOnWhileTheWorkerRuns) {
    std::atomic<int> slices = 0;
    const auto one_worker = [&](std::size_t, std::int64_t steps) {
        EXPECT_TRUE(comes_true([&] { return slices >= 3; }));
        return steps;
    };
    const auto shares =
        run_round({.threads = 2, .workers = 1, .side = 1, .steps = 5}, one_worker, [&](const auto& workers_run) {
            EXPECT_TRUE(comes_true([&] { return workers_run(); }));
            EXPECT_TRUE(comes_true([&] { return ++slices, !workers_run(); }));
        });
    EXPECT_EQ(shares[0].steps, 5);
}

}  // namespace
}  // namespace neuroprim
