#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace neuroprim::cli {

namespace {

// All that a signal handler may touch; asked by many threads.
std::atomic<bool> signal_came = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int signal) {
    signal_came = true;
    std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
    std::signal(SIGINT, note);
    std::signal(SIGTERM, note);
}

bool interrupted() {
    return signal_came;
}

}  // namespace neuroprim::cli
