#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace neuroprim {

/// Starts a thread that calls `run()`, or `run(stop_token)`. Where the system refuses it, for a limit on threads or
/// on memory, the thread that is returned is not joinable. All our threads are started here.
template <class Run>
[[nodiscard]] std::jthread start_thread(const Run& run) {
    try {
        return std::jthread(run);
    } catch (const std::system_error&) {  // no more threads
    } catch (const std::bad_alloc&) {     // no more memory for them
    }
    return {};
}

/// One more of `threads`, unless it is refused. The vector must have its memory reserved: a thread that has begun
/// cannot be given up.
template <class Run>
void add_thread(std::vector<std::jthread>& threads, const Run& run) {
    std::jthread next = start_thread(run);
    if (next.joinable()) threads.push_back(std::move(next));
}

/// Starts up to `count` threads that call `run()`, and returns those that the system granted: whoever asks does the
/// work with fewer.
template <class Run>
[[nodiscard]] std::vector<std::jthread> start_threads(std::size_t count, const Run& run) {
    std::vector<std::jthread> started;
    try {
        started.reserve(count);
    } catch (const std::bad_alloc&) {
        return started;
    }
    while (started.size() < count) {
        std::jthread next = start_thread(run);
        if (!next.joinable()) break;
        started.push_back(std::move(next));
    }
    return started;
}

/// Calls `work(begin, end)` for ranges that cover [0, count), on up to `threads` threads, `chunk` items at a time.
/// Which thread gets which range is left open, and there may be fewer threads, so `work` must not depend on it.
/// The first exception is rethrown; ranges that have not begun are left out then.
template <class Work>
void parallel_for(int threads, std::size_t count, std::size_t chunk, Work&& work) {
    const std::size_t chunks = (count + chunk - 1) / chunk;
    const auto workers = std::min(static_cast<std::size_t>(std::max(threads, 1)), chunks);
    if (workers <= 1) {
        if (count > 0) work(std::size_t{0}, count);
        return;
    }
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto run = [&] {
        try {
            for (std::size_t k = next++; k < chunks; k = next++) {
                work(k * chunk, std::min(count, (k + 1) * chunk));
            }
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next = chunks;
        }
    };
    std::vector<std::jthread> helpers = start_threads(workers - 1, run);
    run();
    helpers.clear();
    if (failure) std::rethrow_exception(failure);
}

/// Calls `body(k)` for k = 0 … threads − 1, each once, and waits. Where the system grants fewer threads, one thread
/// does several k, one after the other: bodies must not wait for each other (a `ThreadGroup` is for those that do).
/// The first exception is rethrown; bodies that have not begun are left out then.
template <class Body>
void run_on_threads(int threads, Body&& body) {
    parallel_for(threads, static_cast<std::size_t>(std::max(threads, 1)), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) body(static_cast<int>(k));
    });
}

}  // namespace neuroprim
