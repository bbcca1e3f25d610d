#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>

namespace neuroprim::python {

/// Makes the current thread known to Python for as long as this lives, without holding the GIL: rules in Python are
/// asked often, and a thread that Python does not know is introduced and forgotten again at every question.
class KnownToPython {
    pybind11::gil_scoped_acquire known_;
    pybind11::gil_scoped_release released_;
};

/// Long work beside a Python thread that stays awake.
///
/// The work runs on a thread of its own, without the GIL. Meanwhile the calling thread lets Python handle signals and
/// makes the calls that the work asks for, so callbacks always run in the thread that called.
class Foreground {
public:
    using Call = std::function<void()>;

    /// The work asks this now and then, from any thread; once true it should end with what it has.
    [[nodiscard]] bool stopping() const { return stopping_; }

    /// From any thread: soon the calling thread makes this call, holding the GIL.
    void post(Call call);

    /// The same, but a call that has not begun when the next one comes is left out.
    void post_latest(Call call);

    /// Runs the work to its end; the caller holds the GIL. True when it ended early: by KeyboardInterrupt, or by
    /// StopIteration raised in a call. Any other exception of a call or a signal handler ends the work and is passed
    /// on, as is what the work throws; when an interrupted work throws, it is the KeyboardInterrupt that is passed
    /// on. Where the system refuses a thread, the calling one does the work, and hears signals and calls at its end.
    [[nodiscard]] bool run(const std::function<void()>& work);

private:
    void attend();
    void make(const Call& call);

    std::atomic<bool> stopping_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Call> calls_;
    Call latest_;
    bool ended_ = false;
    std::exception_ptr interruption_;  // KeyboardInterrupt or StopIteration
    std::exception_ptr failure_;
};

}  // namespace neuroprim::python
