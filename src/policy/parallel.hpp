#pragma once

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace neuroprim::policy {

/// Calls `body(k)` for k = 0 … threads − 1, each on its own thread, and waits. The first exception is passed on.
template <class Body>
void run_on_threads(int threads, Body&& body) {
    std::exception_ptr failure;
    std::mutex mutex;
    const auto guarded = [&](int k) {
        try {
            body(k);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (int k = 1; k < threads; ++k) others.emplace_back(guarded, k);
    guarded(0);
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace neuroprim::policy
