#include "graph/stop_token.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <optional>

namespace neuroprim {
namespace {

// Seconds may pass between two questions on a busy machine, but not a hundred.
constexpr double a_while = 100;

StopToken after(int seconds) {
    return {StopToken::Clock::now() + std::chrono::seconds(seconds), {}};
}

TEST(StopToken, ExpiresAtItsDeadlineOrWhenSomebodyAsks) {
    EXPECT_FALSE(StopToken().expired());
    EXPECT_FALSE(after(10'000).expired());
    EXPECT_TRUE(after(-1).expired());
    bool is_asked = false;
    const StopToken asked(std::nullopt, [&] { return is_asked; });
    EXPECT_NO_THROW(asked.check());
    is_asked = true;
    EXPECT_THROW(asked.check(), Interrupted);
}

TEST(StopToken, SharesTheTimeThatIsLeft) {
    const StopToken part = after(10'000).share(0.3);
    EXPECT_LE(part.seconds_left(), 3000);
    EXPECT_GT(part.seconds_left(), 3000 - a_while);
    EXPECT_TRUE(after(-1).share(0.3).expired()) << "no time is left to share";
    EXPECT_EQ(StopToken().share(0.3).seconds_left(), std::numeric_limits<double>::infinity());
    EXPECT_TRUE(StopToken(std::nullopt, [] { return true; }).share(0.3).expired());
    EXPECT_TRUE(StopToken(StopToken::Clock::now() + std::chrono::hours(1), [] { return true; }).share(0.3).expired());
}

TEST(StopToken, ExpiresEarlierByTheSecondsItIsTold) {
    const StopToken early = after(10'000).earlier(4000);
    EXPECT_LE(early.seconds_left(), 6000);
    EXPECT_GT(early.seconds_left(), 6000 - a_while);
    EXPECT_FALSE(StopToken().earlier(1e9).expired());
}

}  // namespace
}  // namespace neuroprim
