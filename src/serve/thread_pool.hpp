#pragma once

#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace neuroprim::serve {

/// The threads that talk to clients, one connection each. They are started as connections come, up to `most`.
/// Connections beyond their number wait, and `waiting` tells the others to hurry. Where the system refuses a thread,
/// those that there are do the work; without any, the caller of `enqueue` does.
class ThreadPool : public httplib::TaskQueue {
public:
    ThreadPool(std::size_t most, std::atomic<int>& waiting);
    ~ThreadPool() override { end(); }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    void enqueue(std::function<void()> task) override;
    void shutdown() override { end(); }

private:
    void work();
    void end();

    std::atomic<int>& waiting_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    std::size_t idle_ = 0;
    bool ended_ = false;
    std::size_t most_;
    std::vector<std::jthread> threads_;
};

}  // namespace neuroprim::serve
