#include "graph/thread_group.hpp"

#include <algorithm>
#include <exception>
#include <mutex>

#include "graph/parallel.hpp"

namespace neuroprim {

ThreadGroup::ThreadGroup(int threads) {
    others_ = start_threads(static_cast<std::size_t>(std::max(threads, 1) - 1), [this] {
        open_.wait(false);
        if (body_ != nullptr) (*body_)(next_++);
    });
}

ThreadGroup::~ThreadGroup() {
    open_gate();
}

void ThreadGroup::open_gate() {
    open_ = true;
    open_.notify_all();
}

void ThreadGroup::run(const std::function<void(int)>& body) {
    std::exception_ptr failure;
    std::mutex mutex;
    const std::function<void(int)> guarded = [&](int k) {
        try {
            body(k);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    body_ = &guarded;
    open_gate();
    guarded(0);
    for (std::jthread& other : others_) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace neuroprim
