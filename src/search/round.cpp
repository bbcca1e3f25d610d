#include "search/round.hpp"

#include <atomic>

#include "graph/parallel.hpp"
#include "graph/stop_token.hpp"

namespace neuroprim {

namespace {

/// Counts what runs; what throws runs no more.
class Running {
public:
    explicit Running(std::atomic<int>& count) : count_(count) { ++count_; }
    ~Running() { --count_; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

private:
    std::atomic<int>& count_;
};

}  // namespace

std::vector<RoundShare> run_round(const Round& round, const RunWorker& run, const RunSide& side) {
    const bool has_place_of_its_own = round.side == round.workers;
    const std::size_t places = round.workers + (has_place_of_its_own ? 1 : 0);
    const auto active = static_cast<std::int64_t>(round.workers - (round.side && !has_place_of_its_own ? 1 : 0));
    std::vector<RoundShare> shares(round.workers);
    std::atomic<int> workers_running = 0;
    std::atomic<int> sides_running = 0;
    const auto run_worker = [&](std::size_t k) {
        const Running running(workers_running);
        const auto turn = static_cast<std::int64_t>(round.side && k > *round.side ? k - 1 : k);
        const std::int64_t steps = round.steps / active + (turn < round.steps % active ? 1 : 0);
        const auto began = StopToken::Clock::now();
        std::int64_t done = shares[k].steps = run(k, steps);
        shares[k].seconds = seconds_since(began);
        while (round.fills && sides_running > 0 && done > 0 && done == steps) shares[k].steps += done = run(k, steps);
    };
    parallel_for(round.threads, places, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            if (k != round.side) {
                run_worker(k);
                continue;
            }
            const Running running(sides_running);
            side([&] { return workers_running > 0; });
        }
    });
    return shares;
}

}  // namespace neuroprim
