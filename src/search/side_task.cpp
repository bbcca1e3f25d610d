#include "search/side_task.hpp"

#include <chrono>
#include <cmath>
#include <utility>

#include "graph/parallel.hpp"

namespace neuroprim {

bool SideTask::advance(const Turn& turn, const StopToken& stop) {
    if (ended_) return false;
    const auto began = StopToken::Clock::now();
    has_until_ = std::isfinite(turn.seconds);
    if (has_until_) {
        const std::chrono::duration<double> length(turn.seconds);
        until_ = began + std::chrono::duration_cast<StopToken::Clock::duration>(length);
    }
    polls_left_ = turn.polls;
    stop_ = &stop;
    {
        std::unique_lock lock(mutex_);
        holder_ = Holder::work;
        if (thread_.joinable()) {
            changed_.notify_all();
        } else {
            thread_ = start_thread([this] { run(); });
            if (!thread_.joinable()) {
                ended_ = true;
                return false;
            }
        }
        changed_.wait(lock, [&] { return holder_ == Holder::caller; });
    }
    seconds_ += seconds_since(began);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return !ended_;
}

void SideTask::put_aside() {
    if (thread_.joinable()) {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
            holder_ = Holder::work;
        }
        changed_.notify_all();
        thread_.join();
    }
    ended_ = true;
}

void SideTask::run() {
    try {
        work_([this] { return turn_is_over() ? wait_for_turn() : stopped_; });
    } catch (...) {
        failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    holder_ = Holder::caller;
    changed_.notify_all();
}

bool SideTask::turn_is_over() {
    if (stopped_) return false;
    return --polls_left_ < 0 || (has_until_ && StopToken::Clock::now() >= until_) || stop_->expired();
}

bool SideTask::wait_for_turn() {
    std::unique_lock lock(mutex_);
    holder_ = Holder::caller;
    changed_.notify_all();
    changed_.wait(lock, [&] { return holder_ == Holder::work; });
    return stopped_;
}

}  // namespace neuroprim
