#include "cli/instance_queue.hpp"

#include <iterator>

namespace neuroprim::cli {

std::optional<Task> InstanceQueue::next() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock,
                      [&] { return closed_ || !waiting_.empty() || next_file_ < inputs_.size() || readers_ == 0; });
        if (closed_) return std::nullopt;
        if (!waiting_.empty()) {
            Task task = std::move(waiting_.front());
            waiting_.pop_front();
            return task;
        }
        if (next_file_ == inputs_.size()) return std::nullopt;
        const std::size_t file = next_file_++;
        ++readers_;
        lock.unlock();
        std::vector<Task> tasks;
        try {
            tasks = read_(inputs_[file], file);
        } catch (...) {
            close();
            throw;
        }
        lock.lock();
        --readers_;
        std::move(tasks.begin(), tasks.end(), std::back_inserter(waiting_));
        changed_.notify_all();
    }
}

void InstanceQueue::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

bool InstanceQueue::has_more() {
    const std::lock_guard lock(mutex_);
    return !waiting_.empty() || next_file_ < inputs_.size();
}

}  // namespace neuroprim::cli
