#include "policy/fork_join_pool.hpp"

#include <utility>

namespace neuroprim::policy {

namespace {

/// Looks again for some microseconds before it sleeps: to be woken takes longer than most waits.
template <class Value>
void wait_while(const std::atomic<Value>& variable, Value value) {
    constexpr int looks = 4000;
    for (int k = 0; k < looks; ++k) {
        if (variable.load(std::memory_order_acquire) != value) return;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    variable.wait(value, std::memory_order_acquire);
}

}  // namespace

void ForkJoinPool::do_pieces() {
    try {
        for (int piece = next_++; piece < pieces_; piece = next_++) (*work_)(piece);
    } catch (...) {
        const std::lock_guard lock(failure_mutex_);
        if (!failure_) failure_ = std::current_exception();
        next_ = pieces_;
    }
}

void ForkJoinPool::share(int pieces, const std::function<void(int)>& work) {
    work_ = &work;
    pieces_ = pieces;
    next_ = 0;
    busy_ = helpers_;
    ++round_;
    round_.notify_all();
    do_pieces();
    for (int busy = busy_; busy > 0; busy = busy_) wait_while(busy_, busy);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ForkJoinPool::help() {
    for (int round = 0;; ++round) {
        wait_while(round_, round);
        if (work_ == nullptr) return;
        do_pieces();
        if (--busy_ == 0) busy_.notify_all();
    }
}

void ForkJoinPool::dismiss() {
    work_ = nullptr;
    ++round_;
    round_.notify_all();
}

}  // namespace neuroprim::policy
