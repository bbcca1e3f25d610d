#include "search/swaps/swap_search.hpp"

#include <algorithm>

#include "search/swaps/swap_worker.hpp"

namespace neuroprim {

namespace {

class SwapSearch final : public LocalSearch {
public:
    SwapSearch(const Problem& problem, Neighbours near) : problem_(&problem), near_(std::move(near)) {}

    [[nodiscard]] std::unique_ptr<SearchWorker> worker(std::uint64_t seed, std::uint64_t stream) const override {
        return std::make_unique<swaps::SwapWorker>(*problem_, near_, Random(seed, stream));
    }

    [[nodiscard]] std::int64_t steps_per_round() const override {
        constexpr std::int64_t steps_of_one_vertex = 5000;
        return std::max<std::int64_t>(1, steps_of_one_vertex / problem_->size());
    }

private:
    const Problem* problem_;
    Neighbours near_;
};

}  // namespace

std::unique_ptr<LocalSearch> prepare_swaps(const Problem& problem, int threads, const StopToken& stop) {
    constexpr std::size_t list_length = 10;
    // Lists that take the whole time are of no use: hubs and random ends alone then.
    constexpr double seconds_per_vertex = 3e-6;
    const bool affordable = stop.seconds_left() > seconds_per_vertex * problem.size();
    return std::make_unique<SwapSearch>(
        problem, nearest_neighbours(problem.weights(), affordable ? list_length : 0, threads, stop));
}

}  // namespace neuroprim
