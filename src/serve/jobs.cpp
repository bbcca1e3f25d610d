#include "serve/jobs.hpp"

#include <algorithm>

#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::serve {

void Job::report(Progress progress) {
    {
        const std::lock_guard lock(mutex_);
        if (progress_ && !progress.edges) progress.edges = std::move(progress_->edges);
        progress_ = std::move(progress);
    }
    changed_.notify_one();
}

Job::News Job::wait(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, most, [this] { return finished_ || progress_; });
    News news{std::move(progress_), finished_};
    progress_.reset();
    return news;
}

void Job::run() {
    ApiResponse response = cancelled() ? ApiResponse{} : response_of([this] { return work_(*this); });
    work_ = nullptr;  // what it holds may be large
    {
        const std::lock_guard lock(mutex_);
        response_ = std::move(response);
        finished_ = true;
    }
    changed_.notify_one();
}

Jobs::Jobs(int threads, int queue)
    : most_(static_cast<std::size_t>(threads)), queue_(static_cast<std::size_t>(queue)) {
    threads_.reserve(most_);
    add_thread(threads_, [this] { work(); });
    if (threads_.empty()) {
        throw InputError("the system refuses a thread to work with: allow more of them (ulimit -u)");
    }
}

void Jobs::forget_cancelled() {
    std::erase_if(waiting_, [](const auto& job) { return job->cancelled(); });
}

void Jobs::cancel(Job& job) {
    job.cancel();
    const std::lock_guard lock(mutex_);
    forget_cancelled();
}

bool Jobs::is_full() const {
    const std::size_t idle = most_ - running_.size();
    return stopped_ || waiting_.size() >= queue_ + idle;
}

bool Jobs::full() {
    const std::lock_guard lock(mutex_);
    forget_cancelled();
    return is_full();
}

std::shared_ptr<Job> Jobs::submit(Job::Work work) {
    auto job = std::make_shared<Job>(std::move(work));
    {
        const std::lock_guard lock(mutex_);
        forget_cancelled();
        if (is_full()) return nullptr;
        waiting_.push_back(job);
        const std::size_t idle = threads_.size() - running_.size();
        if (waiting_.size() > idle && threads_.size() < most_) add_thread(threads_, [this] { this->work(); });
    }
    changed_.notify_one();
    return job;
}

Jobs::Counts Jobs::counts() {
    const std::lock_guard lock(mutex_);
    forget_cancelled();
    return {static_cast<int>(running_.size()), static_cast<int>(waiting_.size())};
}

void Jobs::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
        if (stopped_) return;
        const std::shared_ptr<Job> job = std::move(waiting_.front());
        waiting_.pop_front();
        running_.push_back(job);
        lock.unlock();
        job->run();
        lock.lock();
        std::erase(running_, job);
    }
}

void Jobs::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        for (const auto& job : waiting_) job->cancel();
        for (const auto& job : running_) job->cancel();
        waiting_.clear();
    }
    changed_.notify_all();
    threads_.clear();
}

}  // namespace neuroprim::serve
