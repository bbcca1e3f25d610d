#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace neuroprim {

/// Threads that exist at the same time, for bodies that wait for each other (at a barrier, say). The constructor asks
/// for all of them; `size()` says how many there are before any begins, since the system may grant fewer:
///
///     ThreadGroup group(threads);
///     std::barrier barrier(group.size());
///     group.run([&](int k) { …; barrier.arrive_and_wait(); … });
class ThreadGroup {
public:
    /// `threads` counts the one that calls `run`.
    explicit ThreadGroup(int threads);
    ~ThreadGroup();
    ThreadGroup(const ThreadGroup&) = delete;
    ThreadGroup& operator=(const ThreadGroup&) = delete;

    /// From 1, the caller alone, to the number that was asked for.
    [[nodiscard]] int size() const { return static_cast<int>(others_.size()) + 1; }

    /// Calls `body(k)` for k = 0 … size() − 1, all at the same time, k = 0 on the caller's thread, and waits until
    /// all have returned. The first exception is rethrown. Once for each group.
    void run(const std::function<void(int)>& body);

private:
    /// Lets the others go, each with its number or, if there is no body, home.
    void open_gate();

    const std::function<void(int)>* body_ = nullptr;
    std::atomic<int> next_{1};
    std::atomic<bool> open_{false};  // the others wait for it
    std::vector<std::jthread> others_;
};

}  // namespace neuroprim
