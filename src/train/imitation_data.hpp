#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>

#include "train/teacher.hpp"

namespace neuroprim::train {

/// The teacher's work, ahead of the updates that need it: while one set of solved graphs is used, the next is solved
/// in another thread. Each set serves `uses` updates, far apart: between them come other sets, with other sizes. What
/// an update gets depends on its number alone.
class ImitationData {
public:
    /// `solve` makes set k, whichever thread calls it.
    ImitationData(std::function<SolvedGraphs(std::int64_t)> solve, std::int64_t uses);

    struct Use {
        const SolvedGraphs* solved;  ///< valid until the next call
        std::int64_t set;
        std::int64_t time;  ///< which use of the set this is, from 0
    };
    [[nodiscard]] Use for_update(std::int64_t update);

private:
    std::function<SolvedGraphs(std::int64_t)> solve_;
    std::int64_t uses_;
    std::map<std::int64_t, SolvedGraphs> at_hand_;
    std::int64_t coming_ = -1;
    std::future<SolvedGraphs> next_;
};

}  // namespace neuroprim::train
