#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace neuroprim::cli {

/// `[=====     ] 12/40  0:31, 1:12 left`; the time left supposes that the rest goes on as before.
[[nodiscard]] std::string progress_line(std::size_t done, std::size_t total, double seconds);

/// One line on standard error that says how far a list of work has got, renewed every second. Silent when standard
/// error is no terminal, when `quiet`, and as long as there is only one item. Any number of threads may use it.
class Progress {
public:
    Progress(std::size_t total, bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// There are so many more items than was thought, or fewer.
    void expect(std::ptrdiff_t more);
    void finish_one();

    /// Runs `print` while the line is wiped, one thread at a time: the way to write on a terminal that shows it.
    template <class Print>
    void with_lock(Print&& print) {
        const std::lock_guard lock(mutex_);
        wipe();
        print();
        draw();
    }

    /// Wipes the line for good.
    void end();

private:
    void wipe();
    void draw();
    void renew(const std::stop_token& stop);

    std::mutex mutex_;
    std::size_t total_;
    std::size_t done_ = 0;
    std::chrono::steady_clock::time_point began_;
    bool visible_;
    bool drawn_ = false;
    std::condition_variable_any ended_;
    std::jthread renewing_;
};

}  // namespace neuroprim::cli
