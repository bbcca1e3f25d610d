#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>

#include "graph/stop_token.hpp"

namespace neuroprim {

/// How long a side task may work before it has to wait again: by the clock, or by how often it asks whether to stop.
struct Turn {
    double seconds = std::numeric_limits<double>::infinity();
    std::int64_t polls = std::numeric_limits<std::int64_t>::max();
};

/// Long work that runs beside a search, a turn at a time, and can be put aside at any moment.
///
/// The work has a thread of its own, which sleeps between turns: whoever calls `advance` lends it the processor. The
/// work is a plain function that asks `stop()` now and then, from that one thread, and ends soon when the answer is
/// yes; inside that question it waits for its next turn. So the encoder of a policy needs to know nothing of turns.
class SideTask {
public:
    using Stop = std::function<bool()>;

    explicit SideTask(std::function<void(const Stop& stop)> work) : work_(std::move(work)) {}

    /// Tells the work to stop and waits for it.
    ~SideTask() { put_aside(); }
    SideTask(const SideTask&) = delete;
    SideTask& operator=(const SideTask&) = delete;

    /// Lets the work go on for a turn, which also ends when the stop token expires. False when the work has ended.
    /// Passes on what it throws. A machine that refuses another thread puts the work aside.
    bool advance(const Turn& turn, const StopToken& stop);

    /// Ends the work, whatever it has reached.
    void put_aside();

    /// Seconds that the work has taken in all its turns.
    [[nodiscard]] double seconds() const { return seconds_; }

private:
    enum class Holder { caller, work };

    void run();
    bool wait_for_turn();
    [[nodiscard]] bool turn_is_over();

    std::function<void(const Stop&)> work_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Holder holder_ = Holder::caller;
    bool stopped_ = false;
    bool ended_ = false;
    std::exception_ptr failure_;
    double seconds_ = 0;

    // Of the turn that is on.
    StopToken::Clock::time_point until_;
    bool has_until_ = false;
    std::int64_t polls_left_ = 0;
    const StopToken* stop_ = nullptr;

    std::jthread thread_;
};

}  // namespace neuroprim
