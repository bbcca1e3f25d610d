#include "serve/intake.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace neuroprim::serve {

namespace {

using namespace std::chrono_literals;

bool never() {
    return false;
}

TEST(Intake, CountsLargeBodiesAndGivesTheirBytesBack) {
    Intake intake(1'000'000, 1);
    {
        Intake::Share first(intake);
        EXPECT_TRUE(first.grow_to(600'000));
        EXPECT_TRUE(first.grow_to(700'000));
        Intake::Share second(intake);
        EXPECT_TRUE(second.grow_to(300'000));
        EXPECT_FALSE(second.grow_to(300'001));
        Intake::Share small(intake);
        EXPECT_TRUE(small.grow_to(Intake::small));
        EXPECT_FALSE(small.is_large());
    }
    Intake::Share whole(intake);
    EXPECT_TRUE(whole.grow_to(1'000'000));
}

TEST(Intake, ParsesAFewLargeBodiesAtATime) {
    constexpr int most = 2;
    Intake intake(100'000'000, most);
    std::atomic<int> parsing = 0;
    std::atomic<int> highest = 0;
    {
        std::vector<std::jthread> clients;
        for (int k = 0; k < 12; ++k) {
            clients.emplace_back([&] {
                Intake::Share share(intake);
                EXPECT_TRUE(share.grow_to(1'000'000));
                const Intake::Turn turn(intake, share, never);
                const int now = ++parsing;
                for (int seen = highest; seen < now && !highest.compare_exchange_weak(seen, now);) {
                }
                std::this_thread::sleep_for(2ms);
                --parsing;
            });
        }
    }
    EXPECT_EQ(highest, most);
}

TEST(Intake, NobodyWaitsForAClientThatIsGone) {
    Intake intake(100'000'000, 1);
    Intake::Share share(intake);
    ASSERT_TRUE(share.grow_to(1'000'000));
    const Intake::Turn gone_already(intake, share, [] { return true; });
    EXPECT_TRUE(gone_already.given_up());
    Intake::Turn held(intake, share, never);
    int looks = 0;
    const Intake::Turn gone_later(intake, share, [&] { return ++looks == 3; });
    EXPECT_TRUE(gone_later.given_up());
    held.end();
    EXPECT_FALSE(Intake::Turn(intake, share, never).given_up());
}

TEST(Intake, SmallBodiesNeverWait) {
    Intake intake(100'000'000, 1);
    Intake::Share large(intake);
    ASSERT_TRUE(large.grow_to(1'000'000));
    const Intake::Turn held(intake, large, never);
    const Intake::Share small(intake);
    EXPECT_FALSE(Intake::Turn(intake, small, never).given_up());
}

}  // namespace

}  // namespace neuroprim::serve
