#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace neuroprim::serve {

/// Gives memory that large requests have freed back to the system. The C library keeps it otherwise, in a heap for
/// each few threads: a server that has once been busy would stay as large as it was then.
class HeapTrimmer {
public:
    /// Changes how the whole process takes and gives back memory. Where the system refuses the thread, memory that
    /// is freed in small blocks stays with the process.
    HeapTrimmer();

    /// Much was freed: within a second it is given back. Cheap for the caller; the trimming itself, on a thread of
    /// its own, keeps others from allocating for some milliseconds, so it is not for every small request.
    void note();

private:
    void work(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool noted_ = false;
    std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace neuroprim::serve
