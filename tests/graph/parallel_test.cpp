#include "graph/parallel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "support/no_threads.hpp"

namespace neuroprim {

namespace {

std::vector<int> visits_of_parallel_for(int threads, std::size_t count, std::size_t chunk) {
    std::vector<int> visits(count, 0);
    parallel_for(threads, count, chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) ++visits[k];
    });
    return visits;
}

std::vector<int> visits_of_run_on_threads(int threads) {
    std::vector<int> visits(static_cast<std::size_t>(threads), 0);
    run_on_threads(threads, [&](int k) { ++visits[static_cast<std::size_t>(k)]; });
    return visits;
}

TEST(ParallelFor, VisitsEveryItemOnce) {
    for (const int threads : {0, 1, 3, 16}) {
        EXPECT_EQ(visits_of_parallel_for(threads, 100, 7), std::vector<int>(100, 1)) << threads;
        EXPECT_EQ(visits_of_parallel_for(threads, 0, 7), std::vector<int>()) << threads;
    }
}

TEST(ParallelFor, PassesOnWhatWorkThrows) {
    EXPECT_THROW(parallel_for(3, 100, 1, [](std::size_t, std::size_t) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
}

TEST(RunOnThreads, CallsTheBodyOnceForEachNumber) {
    for (const int threads : {1, 2, 9}) {
        EXPECT_EQ(visits_of_run_on_threads(threads), std::vector<int>(static_cast<std::size_t>(threads), 1));
    }
}

TEST(RunOnThreads, PassesOnWhatABodyThrows) {
    EXPECT_THROW(run_on_threads(3,
                                [](int k) {
                                    if (k == 2) throw std::runtime_error("enough");
                                }),
                 std::runtime_error);
}

/// Exits with 0 when all work was done.
[[noreturn]] void work_without_new_threads() {
    test::refuse_new_threads();
    const bool done = visits_of_parallel_for(8, 100, 7) == std::vector<int>(100, 1) &&
                      visits_of_run_on_threads(5) == std::vector<int>(5, 1);
    std::_Exit(done ? 0 : 1);
}

TEST(ParallelDeathTest, WorkIsDoneWhereTheSystemRefusesThreads) {
    EXPECT_EXIT(work_without_new_threads(), test::done_or_untestable, "");
}

}  // namespace

}  // namespace neuroprim
