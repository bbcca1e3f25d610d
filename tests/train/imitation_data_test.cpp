#include "train/imitation_data.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace neuroprim::train {
namespace {

/// A set whose number can be told from it.
SolvedGraphs set_of_size(std::int64_t number) {
    SolvedGraphs set;
    set.trees.resize(static_cast<std::size_t>(number) + 1);
    return set;
}

TEST(ImitationData, GiveEverySetTheSameNumberOfUses) {
    constexpr std::int64_t uses = 4;
    constexpr std::int64_t sets = 20;
    ImitationData imitation_data(set_of_size, uses);
    std::map<std::int64_t, std::set<std::int64_t>> times;
    for (std::int64_t update = 0; update < uses * sets; ++update) {
        const ImitationData::Use use = imitation_data.for_update(update);
        EXPECT_EQ(use.solved->trees.size(), static_cast<std::size_t>(use.set) + 1);
        times[use.set].insert(use.time);
    }
    // The last ones still have uses before them.
    for (std::int64_t set = 0; set <= sets - uses; ++set)
        EXPECT_EQ(times[set].size(), static_cast<std::size_t>(uses)) << set;
}

TEST(ImitationData, DependOnTheUpdateAlone) {
    ImitationData from_the_beginning(set_of_size, 3);
    for (std::int64_t update = 0; update < 40; ++update) {
        const ImitationData::Use use = from_the_beginning.for_update(update);
        ImitationData resumed(set_of_size, 3);
        const ImitationData::Use again = resumed.for_update(update);
        EXPECT_EQ(std::pair(use.set, use.time), std::pair(again.set, again.time));
        EXPECT_EQ(use.solved->trees.size(), again.solved->trees.size());
    }
}

TEST(ImitationData, PassOnWhatTheTeacherThrows) {
    ImitationData imitation_data(
        [](std::int64_t number) -> SolvedGraphs {
            if (number == 2) throw std::runtime_error("no tree");
            return set_of_size(number);
        },
        1);
    (void)imitation_data.for_update(0);
    (void)imitation_data.for_update(1);
    EXPECT_THROW((void)imitation_data.for_update(2), std::runtime_error);
}

}  // namespace
}  // namespace neuroprim::train
