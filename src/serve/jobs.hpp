#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "neuroprim/stopping.hpp"
#include "serve/progress.hpp"
#include "serve/response.hpp"

namespace neuroprim::serve {

/// One piece of work: what the thread that does it and the thread that waits for it tell each other.
class Job {
public:
    using Work = std::function<ApiResponse(Job&)>;

    explicit Job(Work work) : work_(std::move(work)) {}

    /// The one who waits wants the response no longer.
    void cancel() { cancelled_ = true; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }

    /// Told by the work: it stands here. What was not fetched yet is merged, so that a slow reader gets less news,
    /// not late news.
    void report(Progress progress);

    /// Waits for news, but not for long. Nothing comes more than once.
    struct News {
        std::optional<Progress> progress;
        bool finished = false;
    };
    [[nodiscard]] News wait(std::chrono::milliseconds most);

    /// Of a finished job.
    [[nodiscard]] const ApiResponse& response() const { return response_; }

private:
    friend class Jobs;
    void run();

    Work work_;
    std::atomic<bool> cancelled_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Progress> progress_;
    bool finished_ = false;
    ApiResponse response_;
};

/// A few threads that work, and a short queue before them. The first thread is started at once and the others when
/// there is work for them; where the system refuses one, the work waits for those that there are.
class Jobs {
public:
    /// Throws InputError where not even one thread is granted.
    Jobs(int threads, int queue);
    ~Jobs() { stop(); }
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    /// Nothing when the queue is full.
    [[nodiscard]] std::shared_ptr<Job> submit(Job::Work work);

    /// Nobody wants its response any longer: one that waits is forgotten with all that it holds.
    void cancel(Job& job);

    /// Would a job be refused now? It may be different a moment later.
    [[nodiscard]] bool full();

    struct Counts {
        int running = 0;
        int waiting = 0;
    };
    [[nodiscard]] Counts counts();

    /// Cancels everything and waits for its end.
    void stop();

private:
    void work();
    void forget_cancelled();
    [[nodiscard]] bool is_full() const;

    std::size_t most_;  // threads
    std::size_t queue_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Job>> waiting_;
    std::vector<std::shared_ptr<Job>> running_;
    bool stopped_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace neuroprim::serve
