#include "serve/heap_trimmer.hpp"

#include <chrono>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "graph/parallel.hpp"

namespace neuroprim::serve {

namespace {

/// Large blocks come from the system and go back at once. Left alone, the C library learns from the first one freed
/// to keep blocks of its size, and what it keeps at the end of a thread's heap no trimming gives back.
void keep_no_large_blocks() {
#ifdef __GLIBC__
    constexpr int large = 1 << 20;
    ::mallopt(M_MMAP_THRESHOLD, large);
    ::mallopt(M_TRIM_THRESHOLD, large);
#endif
}

void trim_heap() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

}  // namespace

HeapTrimmer::HeapTrimmer() {
    keep_no_large_blocks();
    thread_ = start_thread([this](const std::stop_token& stop) { work(stop); });
}

void HeapTrimmer::note() {
    {
        const std::lock_guard lock(mutex_);
        noted_ = true;
    }
    changed_.notify_one();
}

void HeapTrimmer::work(const std::stop_token& stop) {
    // A busy server would only take back at once what it gives away more often than this.
    constexpr auto pause = std::chrono::milliseconds(500);
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return noted_; })) {
        changed_.wait_for(lock, stop, pause, [] { return false; });
        noted_ = false;
        lock.unlock();
        trim_heap();
        lock.lock();
    }
}

}  // namespace neuroprim::serve
