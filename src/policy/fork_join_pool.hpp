#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>

#include "graph/thread_group.hpp"

namespace neuroprim::policy {

/// Threads that share pieces of work many times in a row, some microseconds apart. One leads; the others call `help`,
/// wait for pieces and return when the leader has dismissed them.
class ForkJoinPool {
public:
    explicit ForkJoinPool(int threads) : helpers_(threads - 1) {}
    ForkJoinPool(const ForkJoinPool&) = delete;
    ForkJoinPool& operator=(const ForkJoinPool&) = delete;

    /// Calls `work(piece)` for all pieces, on any thread, and returns when all are done. What it throws first, on any
    /// thread, is thrown here once no thread works any more; pieces that have not begun are left out then.
    void share(int pieces, const std::function<void(int)>& work);

    void help();
    void dismiss();

private:
    void do_pieces();

    int helpers_;
    const std::function<void(int)>* work_ = nullptr;  // null: dismissed
    int pieces_ = 0;
    std::exception_ptr failure_;
    std::mutex failure_mutex_;
    std::atomic<int> next_{0};
    std::atomic<int> busy_{0};
    std::atomic<int> round_{0};  // counts the calls of `share`, and `dismiss`
};

/// Calls `lead(pool)` with the help of `threads` − 1 others, or of as many as the system grants. What it throws is
/// passed on.
template <class Lead>
void run_with_pool(int threads, Lead&& lead) {
    ThreadGroup group(threads);
    ForkJoinPool pool(group.size());
    group.run([&](int k) {
        if (k > 0) {
            pool.help();
            return;
        }
        struct Dismissal {
            ForkJoinPool& pool;
            ~Dismissal() { pool.dismiss(); }
        } const at_the_end{pool};
        lead(pool);
    });
}

}  // namespace neuroprim::policy
