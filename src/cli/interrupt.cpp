#include "cli/interrupt.hpp"

#include <csignal>

namespace neuroprim::cli {

namespace {

volatile std::sig_atomic_t signal_came = 0;  // the one thing that a signal handler may touch

void note(int signal) {
    signal_came = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
    std::signal(SIGINT, note);
    std::signal(SIGTERM, note);
}

bool interrupted() {
    return signal_came != 0;
}

}  // namespace neuroprim::cli
