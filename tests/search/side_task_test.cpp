#include "search/side_task.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace neuroprim {
namespace {

TEST(SideTask, WorksOnlyWhileItHasItsTurn) {
    int done = 0;
    SideTask task([&](const SideTask::Stop& stop) {
        while (!stop()) ++done;
    });
    EXPECT_EQ(done, 0);
    EXPECT_TRUE(task.advance({.polls = 5}, {}));
    EXPECT_EQ(done, 5);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(done, 5);
    EXPECT_TRUE(task.advance({.polls = 3}, {}));
    EXPECT_EQ(done, 9);  // the question that ended the first turn is answered when the second begins
    task.put_aside();
    EXPECT_EQ(done, 9);
    EXPECT_FALSE(task.advance({.polls = 3}, {}));
}

TEST(SideTask, ATurnByTheClockEnds) {
    SideTask task([](const SideTask::Stop& stop) {
        while (!stop()) std::this_thread::yield();
    });
    EXPECT_TRUE(task.advance({.seconds = 0.01}, {}));
    EXPECT_GE(task.seconds(), 0.01);
}

TEST(SideTask, AStopTokenThatExpiresEndsItsTurn) {
    int done = 0;
    SideTask task([&](const SideTask::Stop& stop) {
        while (!stop()) ++done;
    });
    EXPECT_TRUE(task.advance({}, StopToken(std::nullopt, [&] { return done == 7; })));
    EXPECT_EQ(done, 7);
}

TEST(SideTask, SaysThatItHasEnded) {
    bool ran = false;
    SideTask task([&](const SideTask::Stop&) { ran = true; });
    EXPECT_FALSE(task.advance({}, {}));
    EXPECT_TRUE(ran);
    EXPECT_FALSE(task.advance({}, {}));
}

TEST(SideTask, PassesOnWhatItsWorkThrows) {
    SideTask task([](const SideTask::Stop& stop) {
        if (!stop()) throw std::runtime_error("broken");
    });
    EXPECT_THROW(task.advance({}, {}), std::runtime_error);
    EXPECT_FALSE(task.advance({}, {}));
}

TEST(SideTask, IsPutAsideWhateverItsWorkDoesThen) {
    std::optional<SideTask> task;
    task.emplace([](const SideTask::Stop& stop) {
        while (!stop()) {
        }
        throw std::runtime_error("nobody is there to hear it");
    });
    EXPECT_TRUE(task->advance({.polls = 1}, {}));
    task.reset();
    task.emplace([](const SideTask::Stop&) { FAIL() << "had no turn"; });
    task.reset();
}

}  // namespace
}  // namespace neuroprim
