#include "foreground.hpp"

#include <chrono>

#include "graph/parallel.hpp"

namespace neuroprim::python {

namespace py = pybind11;

void Foreground::post(Call call) {
    {
        const std::lock_guard lock(mutex_);
        calls_.push_back(std::move(call));
    }
    changed_.notify_one();
}

void Foreground::post_latest(Call call) {
    {
        const std::lock_guard lock(mutex_);
        latest_ = std::move(call);
    }
    changed_.notify_one();
}

bool Foreground::run(const std::function<void()>& work) {
    std::exception_ptr thrown;
    const auto work_to_the_end = [&] {
        try {
            const KnownToPython known;
            work();
        } catch (...) {
            thrown = std::current_exception();
        }
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_one();
    };
    std::jthread worker = start_thread(work_to_the_end);
    if (!worker.joinable()) {
        const py::gil_scoped_release released;
        work_to_the_end();
    }
    attend();
    if (worker.joinable()) {
        const py::gil_scoped_release released;
        worker.join();
    }
    if (failure_) std::rethrow_exception(failure_);
    if (thrown && interruption_) std::rethrow_exception(interruption_);
    if (thrown) std::rethrow_exception(thrown);
    return interruption_ != nullptr;
}

void Foreground::attend() {
    // How long a signal may wait for its handler.
    constexpr auto patience = std::chrono::milliseconds(20);
    for (bool over = false; !over;) {
        std::deque<Call> calls;
        {
            const py::gil_scoped_release released;
            std::unique_lock lock(mutex_);
            changed_.wait_for(lock, patience, [this] { return ended_ || latest_ || !calls_.empty(); });
            over = ended_;
            calls.swap(calls_);
            if (latest_) calls.push_back(std::exchange(latest_, {}));
        }
        for (const Call& call : calls) make(call);
        make([] {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        });
    }
}

void Foreground::make(const Call& call) {
    try {
        call();
    } catch (py::error_already_set& error) {
        const bool asked = error.matches(PyExc_KeyboardInterrupt) || error.matches(PyExc_StopIteration);
        std::exception_ptr& first = asked ? interruption_ : failure_;
        if (!first) first = std::current_exception();
        stopping_ = true;
    } catch (...) {
        if (!failure_) failure_ = std::current_exception();
        stopping_ = true;
    }
}

}  // namespace neuroprim::python
