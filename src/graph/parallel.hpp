#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace neuroprim {

/// Calls `work(begin, end)` for ranges that cover [0, count), on up to `threads` threads, `chunk` items at a time.
/// Which thread gets which range is left open, so `work` must not depend on it. The first exception is rethrown.
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
    std::vector<std::jthread> helpers;
    for (std::size_t k = 1; k < workers; ++k) helpers.emplace_back(run);
    run();
    helpers.clear();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace neuroprim
