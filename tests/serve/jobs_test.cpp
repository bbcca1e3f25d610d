#include "serve/jobs.hpp"

#include <gtest/gtest.h>

namespace neuroprim::serve {

namespace {

using namespace std::chrono_literals;

TEST(JobsOfAServer, GiveTheAnswerOfTheirWork) {
    Jobs jobs(2, 10);
    const auto job = jobs.submit([](Job&) { return Answer{200, "text/plain", "done"}; });
    ASSERT_TRUE(job);
    while (!job->wait(100ms).finished) {
    }
    EXPECT_EQ(job->answer().body, "done");
}

TEST(JobsOfAServer, TurnExceptionsIntoRefusals) {
    Jobs jobs(1, 10);
    const auto status_of = [&](Job::Work work) {
        const auto job = jobs.submit(std::move(work));
        while (!job->wait(100ms).finished) {
        }
        return job->answer().status;
    };
    EXPECT_EQ(status_of([](Job&) -> Answer { throw InputError("bad"); }), 400);
    EXPECT_EQ(status_of([](Job&) -> Answer { throw TooLarge("large"); }), 413);
    EXPECT_EQ(status_of([](Job&) -> Answer { throw Infeasible("none"); }), 422);
    EXPECT_EQ(status_of([](Job&) -> Answer { throw std::bad_alloc(); }), 413);
    EXPECT_EQ(status_of([](Job&) -> Answer { throw std::logic_error("oops"); }), 500);
    EXPECT_EQ(status_of([](Job&) -> Answer { throw Refusal(418, "tea"); }), 418);
}

TEST(JobsOfAServer, NewsThatNobodyFetchedIsMerged) {
    Job job([](Job&) { return Answer{}; });
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
        return Answer{};
    });
    auto matrix = std::make_shared<int>(1);
    const std::weak_ptr<int> watched = matrix;
    auto waiting = jobs.submit([held = std::move(matrix)](Job&) { return Answer{}; });
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
        return Answer{};
    });
    jobs.stop();
    EXPECT_TRUE(job->cancelled());
    EXPECT_FALSE(jobs.submit([](Job&) { return Answer{}; }));
}

}  // namespace

}  // namespace neuroprim::serve
