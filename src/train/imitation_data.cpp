#include "train/imitation_data.hpp"

#include <utility>

namespace neuroprim::train {

ImitationData::ImitationData(std::function<SolvedGraphs(std::int64_t)> solve, std::int64_t uses)
    : solve_(std::move(solve)), uses_(uses) {}

/// A new set comes every `uses` updates; between, those that came before it are used once more, the latest first.
ImitationData::Use ImitationData::for_update(std::int64_t update) {
    const std::int64_t latest = update / uses_;
    const std::int64_t back = update % uses_ % (latest + 1);
    const std::int64_t wanted = latest - back;
    at_hand_.erase(at_hand_.begin(), at_hand_.lower_bound(latest - uses_ + 1));
    if (next_.valid() && coming_ <= latest) at_hand_[coming_] = next_.get();
    if (!at_hand_.contains(wanted)) at_hand_[wanted] = solve_(wanted);
    if (!next_.valid()) {
        coming_ = latest + 1;
        next_ = std::async(std::launch::async, solve_, coming_);
    }
    return {&at_hand_[wanted], wanted, back};
}

}  // namespace neuroprim::train
