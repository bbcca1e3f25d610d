#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "neuroprim/error.hpp"

namespace neuroprim {

/// Tells long work to stop: when its time is up, or when somebody asks. Asking costs some 30 ns, and any number of
/// threads may ask. Work that stops leaves its best result so far in place.
class StopToken {
public:
    using Clock = std::chrono::steady_clock;

    /// Never stops.
    StopToken() = default;

    StopToken(std::optional<Clock::time_point> deadline, std::function<bool()> interrupted)
        : deadline_(deadline), interrupted_(std::move(interrupted)) {}

    [[nodiscard]] bool expired() const {
        return (deadline_ && Clock::now() >= *deadline_) || (interrupted_ && interrupted_());
    }

    /// One that expires so many seconds before.
    [[nodiscard]] StopToken earlier(double seconds) const {
        StopToken result = *this;
        const std::chrono::duration<double> length(seconds);
        if (result.deadline_) *result.deadline_ -= std::chrono::duration_cast<Clock::duration>(length);
        return result;
    }

    /// One that expires when this part of the time that is left has passed; without a deadline the same.
    [[nodiscard]] StopToken share(double part) const {
        return deadline_ ? earlier((1 - part) * seconds_left()) : *this;
    }

    /// Throws Interrupted once expired: for work that has nothing to show before it is done.
    void check() const {
        if (expired()) throw Interrupted();
    }

    /// Infinity without a deadline; negative when it has passed.
    [[nodiscard]] double seconds_left() const {
        if (!deadline_) return std::numeric_limits<double>::infinity();
        return std::chrono::duration<double>(*deadline_ - Clock::now()).count();
    }

private:
    std::optional<Clock::time_point> deadline_;
    std::function<bool()> interrupted_;
};

/// Asks a stop token once in so many calls, for loops whose rounds take no longer than asking.
class PacedStopToken {
public:
    PacedStopToken(const StopToken& stop, unsigned period) : stop_(&stop), period_(period) {}

    void check() {
        if (++calls_ % period_ == 0) stop_->check();
    }

private:
    const StopToken* stop_;
    unsigned period_;
    unsigned calls_ = 0;
};

/// What a piece of work has taken so far, by the clock of deadlines.
[[nodiscard]] inline double seconds_since(StopToken::Clock::time_point began) {
    return std::chrono::duration<double>(StopToken::Clock::now() - began).count();
}

}  // namespace neuroprim
