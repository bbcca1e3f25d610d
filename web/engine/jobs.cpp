#include "serve/jobs.hpp"

#include "engine.hpp"

// Jobs without threads: a job is done when it is submitted, and tells its progress as it goes.
namespace neuroprim::serve {

void Job::report(Progress progress) {
    engine::tell(progress);
}

void Job::run() {
    response_ = response_of([this] { return work_(*this); });
    finished_ = true;
}

Jobs::Jobs(int threads, int queue)
    : most_(static_cast<std::size_t>(threads)), queue_(static_cast<std::size_t>(queue)) {}

std::shared_ptr<Job> Jobs::submit(Job::Work work) {
    auto job = std::make_shared<Job>(std::move(work));
    job->run();
    return job;
}

Jobs::Counts Jobs::counts() {
    return {};
}

void Jobs::stop() {}

}  // namespace neuroprim::serve
