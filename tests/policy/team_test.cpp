#include "policy/team.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace neuroprim::policy {

namespace {

TEST(Team, DoesEveryPieceOfEveryRoundOnce) {
    for (const int threads : {1, 2, 5}) {
        constexpr int rounds = 2000;
        constexpr int pieces = 7;
        std::vector<int> done(pieces, 0);
        run_as_team(threads, [&](Team& team) {
            for (int round = 0; round < rounds; ++round) {
                team.share(pieces, [&](int piece) { ++done[static_cast<std::size_t>(piece)]; });
                for (const int count : done) ASSERT_EQ(count, round + 1);
            }
        });
    }
}

TEST(Team, GoesHomeWhenItsLeaderFails) {
    EXPECT_THROW(run_as_team(3,
                             [](Team& team) {
                                 team.share(4, [](int) {});
                                 throw std::runtime_error("enough");
                             }),
                 std::runtime_error);
}

}  // namespace

}  // namespace neuroprim::policy
