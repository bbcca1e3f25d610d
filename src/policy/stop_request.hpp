#pragma once

#include <atomic>
#include <functional>

#include "neuroprim/error.hpp"

namespace neuroprim::policy {

/// A request to stop, as all loops and threads of one call hear it.
///
/// Each loop asks about once in a tenth of a millisecond of its own work: asking calls the user's function, some
/// 30 ns. Once that says yes, it is asked no more and all threads hear the same.
class StopRequest {
public:
    /// `interrupted` may be empty and must stay where it is.
    explicit StopRequest(const std::function<bool()>& interrupted)
        : interrupted_(interrupted ? &interrupted : nullptr) {}
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;

    /// Asks, from any thread.
    [[nodiscard]] bool is_made() {
        if (interrupted_ == nullptr) return false;
        if (!was_heard() && (*interrupted_)()) heard_.store(true, std::memory_order_relaxed);
        return was_heard();
    }

    /// Whether somebody asked and was told so: costs next to nothing.
    [[nodiscard]] bool was_heard() const { return heard_.load(std::memory_order_relaxed); }

    void throw_if_made() {
        if (is_made()) throw Interrupted();
    }

private:
    const std::function<bool()>* interrupted_;
    std::atomic<bool> heard_ = false;
};

}  // namespace neuroprim::policy
