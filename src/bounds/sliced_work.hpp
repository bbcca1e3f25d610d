#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace neuroprim {

/// Work in nested loops that lays itself down with `co_await std::suspend_always{}` and is taken up by `resume`.
class SlicedWork {
public:
    struct promise_type {
        std::exception_ptr failure;

        SlicedWork get_return_object() {
            return SlicedWork(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() { failure = std::current_exception(); }
    };

    SlicedWork(SlicedWork&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    SlicedWork(const SlicedWork&) = delete;
    SlicedWork& operator=(const SlicedWork&) = delete;
    SlicedWork& operator=(SlicedWork&&) = delete;
    ~SlicedWork() {
        if (handle_) handle_.destroy();
    }

    /// Goes on to where it lays itself down next. False when it is done. Throws what the work throws.
    bool resume() {
        if (handle_.done()) return false;
        handle_.resume();
        if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
        return !handle_.done();
    }

private:
    explicit SlicedWork(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

    std::coroutine_handle<promise_type> handle_;
};

}  // namespace neuroprim
