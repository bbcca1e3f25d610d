#include "serve/jobs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <latch>

#include "neuroprim/error.hpp"
#include "support/no_threads.hpp"

namespace neuroprim::serve {

namespace {

using namespace std::chrono_literals;

TEST(JobsOfAServer, GiveTheAnswerOfTheirWork) {
    Jobs jobs(2, 10);
    const auto job = jobs.submit([](Job&) { return ApiResponse{200, "text/plain", "done"}; });
    ASSERT_TRUE(job);
    while (!job->wait(100ms).finished) {
    }
    EXPECT_EQ(job->response().body, "done");
}

TEST(JobsOfAServer, TurnExceptionsIntoRefusals) {
    Jobs jobs(1, 10);
    const auto status_of = [&](Job::Work work) {
        const auto job = jobs.submit(std::move(work));
        while (!job->wait(100ms).finished) {
        }
        return job->response().status;
    };
    EXPECT_EQ(status_of([](Job&) -> ApiResponse { throw InputError("bad"); }), 400);
    EXPECT_EQ(status_of([](Job&) -> ApiResponse { throw TooLarge("large"); }), 413);
    EXPECT_EQ(status_of([](Job&) -> ApiResponse { throw Infeasible("none"); }), 422);
    EXPECT_EQ(status_of([](Job&) -> ApiResponse { throw std::bad_alloc(); }), 413);
    EXPECT_EQ(status_of([](Job&) -> ApiResponse { throw std::logic_error("oops"); }), 500);
    EXPECT_EQ(status_of([](Job&) -> ApiResponse { throw HttpError(418, "tea"); }), 418);
}

TEST(JobsOfAServer, NewsThatNobodyFetchedIsMerged) {
    Job job([](Job&) { return ApiResponse{}; });
    job.report({5, {}, 0.1, "a", std::vector<Edge>{{0, 1}}});
    job.report({5, 4, 0.2, "a", {}});
    const Job::News news = job.wait(0ms);
    ASSERT_TRUE(news.progress);
    EXPECT_EQ(news.progress->bound, 4);
    ASSERT_TRUE(news.progress->edges);
    EXPECT_EQ(news.progress->edges->size(), 1U);
    EXPECT_FALSE(job.wait(0ms).progress);
}

TEST(JobsOfAServer, ACancelledJobThatWaitsLetsGoOfWhatItHolds) {
    Jobs jobs(1, 10);
    const auto running = jobs.submit([](Job& self) {
        while (!self.cancelled()) std::this_thread::sleep_for(1ms);
        return ApiResponse{};
    });
    auto matrix = std::make_shared<int>(1);
    const std::weak_ptr<int> watched = matrix;
    auto waiting = jobs.submit([held = std::move(matrix)](Job&) { return ApiResponse{}; });
    ASSERT_TRUE(waiting);
    jobs.cancel(*waiting);
    waiting.reset();
    EXPECT_TRUE(watched.expired());
    EXPECT_FALSE(running->cancelled());
}

TEST(JobsOfAServer, StopCancelsAndRefuses) {
    Jobs jobs(1, 10);
    const auto job = jobs.submit([](Job& self) {
        while (!self.cancelled()) std::this_thread::sleep_for(1ms);
        return ApiResponse{};
    });
    jobs.stop();
    EXPECT_TRUE(job->cancelled());
    EXPECT_FALSE(jobs.submit([](Job&) { return ApiResponse{}; }));
}

TEST(JobsOfAServer, AsManyRunAtATimeAsThereMayBeThreads) {
    Jobs jobs(3, 10);
    std::latch all_run(3);
    const auto meet = [&](Job&) {
        all_run.arrive_and_wait();
        return ApiResponse{200, "text/plain", "met"};
    };
    for (const auto& job : {jobs.submit(meet), jobs.submit(meet), jobs.submit(meet)}) {
        while (!job->wait(100ms).finished) {
        }
        EXPECT_EQ(job->response().body, "met");
    }
}

/// Exits with 0 when the one thread that was granted does all jobs.
[[noreturn]] void work_with_one_thread() {
    Jobs jobs(4, 10);
    test::refuse_new_threads();
    const auto work = [](Job&) { return ApiResponse{200, "text/plain", "done"}; };
    bool done = true;
    for (const auto& job : {jobs.submit(work), jobs.submit(work), jobs.submit(work)}) {
        while (!job->wait(100ms).finished) {
        }
        done = done && job->response().body == "done";
    }
    std::_Exit(done ? 0 : 1);
}

/// Exits with 0 when the lack of any thread is told.
[[noreturn]] void work_without_threads() {
    test::refuse_new_threads();
    try {
        const Jobs jobs(4, 10);
        std::_Exit(1);
    } catch (const InputError&) {
        std::_Exit(0);
    }
}

TEST(JobsOfAServerDeathTest, WaitForTheThreadsThatTheSystemGranted) {
    EXPECT_EXIT(work_with_one_thread(), test::done_or_untestable, "");
    EXPECT_EXIT(work_without_threads(), test::done_or_untestable, "");
}

}  // namespace

}  // namespace neuroprim::serve
