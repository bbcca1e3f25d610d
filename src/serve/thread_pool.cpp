#include "serve/thread_pool.hpp"

#include "graph/parallel.hpp"

namespace neuroprim::serve {

ThreadPool::ThreadPool(std::size_t most, std::atomic<int>& waiting) : waiting_(waiting), most_(most) {
    threads_.reserve(most);
}

void ThreadPool::enqueue(std::function<void()> task) {
    std::unique_lock lock(mutex_);
    const bool wants_thread = tasks_.size() >= idle_ && threads_.size() < most_;
    if (wants_thread) add_thread(threads_, [this] { work(); });
    if (threads_.empty()) {
        lock.unlock();
        return task();
    }
    tasks_.push_back(std::move(task));
    waiting_ = tasks_.size() > idle_ ? static_cast<int>(tasks_.size() - idle_) : 0;
    changed_.notify_one();
}

/// What waits when the end comes is still called, so that its socket is closed; it finds the server stopping.
void ThreadPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        changed_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
        --idle_;
        if (tasks_.empty()) return;
        const std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        waiting_ = tasks_.size() > idle_ ? static_cast<int>(tasks_.size() - idle_) : 0;
        lock.unlock();
        task();
        lock.lock();
    }
}

void ThreadPool::end() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
    threads_.clear();
}

}  // namespace neuroprim::serve
