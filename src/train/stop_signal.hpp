#pragma once

#include <csignal>

namespace neuroprim::train {

/// While it lives, Ctrl-C and SIGTERM only leave a note, so that the update at hand can be finished and saved.
/// A second Ctrl-C ends the program at once. One at a time.
class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    [[nodiscard]] bool requested() const;

private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_terminate_ {};
};

}  // namespace neuroprim::train
