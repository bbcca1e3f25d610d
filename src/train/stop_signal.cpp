#include "train/stop_signal.hpp"

namespace neuroprim::train {

namespace {

// A signal handler can reach nothing but a global.
volatile sig_atomic_t signal_came = 0;

void take_note(int) {
    signal_came = 1;
}

}  // namespace

StopSignal::StopSignal() {
    signal_came = 0;
    struct sigaction action {};
    action.sa_handler = take_note;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
}

StopSignal::~StopSignal() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool StopSignal::requested() const {
    return signal_came != 0;
}

}  // namespace neuroprim::train
