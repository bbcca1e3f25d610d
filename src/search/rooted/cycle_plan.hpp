#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "graph/stop_token.hpp"

namespace neuroprim::rooted {

/// Fits the last of several cycles, each longer than the one before, into the time that is left: a cycle that the
/// deadline cuts short was in vain. How much that is, the steps done so far tell.
class CyclePlan {
public:
    /// Without a clock every cycle has the length that was wished for.
    void use_clock(bool uses) { uses_clock_ = uses; }

    /// Counts steps, and time from the first call on.
    void count(std::int64_t steps, const StopToken& stop) {
        if (!uses_clock_) return;
        if (!left_at_first_) left_at_first_ = stop.seconds_left();
        steps_ += steps;
    }

    /// The steps of a cycle that should have `wished`. If the one after it would not fit, it has all that are left.
    [[nodiscard]] std::int64_t steps(std::int64_t wished, const StopToken& stop) const {
        constexpr double some = 3;  // times as many: then it fits, and a longer one after it
        const double left = fitting(stop);
        if (!std::isfinite(left) || left > some * static_cast<double>(wished)) return wished;
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(left));
    }

    /// The steps that fit into the time left. Infinity where the clock does not count, or where it is not known yet.
    [[nodiscard]] double fitting(const StopToken& stop) const {
        constexpr double margin = 0.97;  // the pace changes a little
        if (!uses_clock_ || !left_at_first_ || steps_ == 0) return std::numeric_limits<double>::infinity();
        const double left = stop.seconds_left();
        const double fits = margin * static_cast<double>(steps_) / (*left_at_first_ - left) * left;
        return std::isfinite(fits) ? fits : std::numeric_limits<double>::infinity();
    }

private:
    bool uses_clock_ = false;
    std::optional<double> left_at_first_;  // seconds
    std::int64_t steps_ = 0;
};

}  // namespace neuroprim::rooted
