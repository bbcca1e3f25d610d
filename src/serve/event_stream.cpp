#include "serve/event_stream.hpp"

#include <fmt/format.h>

#include <chrono>

#include "serve/json.hpp"

namespace neuroprim::serve {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// More often than this nobody can look.
constexpr auto between_events = 40ms;

/// Data must not hold line ends, which JSON of ours has only at its end.
std::string event(std::string_view name, std::string_view data) {
    while (data.ends_with('\n')) data.remove_suffix(1);
    return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

std::string last_event(const ApiResponse& api_response) {
    if (api_response.status == 200) return event("solution", api_response.body);
    std::string_view body = api_response.body;
    while (body.ends_with('\n') || body.ends_with('}')) body.remove_suffix(1);
    return event("error", fmt::format("{}, \"status\": {}}}", body, api_response.status));
}

class EventStream {
public:
    EventStream(Jobs& jobs, std::shared_ptr<Job> job, const Timeouts& timeouts)
        : jobs_(jobs),
          job_(std::move(job)),
          heartbeat_(std::chrono::duration_cast<Clock::duration>(timeouts.heartbeat)) {}

    /// One turn: waits a little and writes what there is. False ends the stream.
    bool turn(httplib::DataSink& sink) {
        if (!sink.is_writable()) return false;
        if (const auto rest = written_ + between_events - Clock::now(); told_ && rest > 0ms) {
            std::this_thread::sleep_for(rest);
        }
        const Job::News news = job_->wait(50ms);
        std::string text;
        if (news.progress) text += event("progress", to_json(*news.progress));
        if (news.finished) text += last_event(job_->response());
        if (text.empty() && Clock::now() - written_ >= heartbeat_) text = ":\n\n";
        told_ = news.progress.has_value();
        if (!text.empty()) {
            written_ = Clock::now();
            if (!sink.write(text.data(), text.size())) return false;
        }
        if (news.finished) sink.done();
        return true;
    }

    void end() { jobs_.cancel(*job_); }

private:
    Jobs& jobs_;
    std::shared_ptr<Job> job_;
    Clock::duration heartbeat_;
    Clock::time_point written_{};  // a first sign of life comes at once
    bool told_ = false;
};

}  // namespace

void stream_events(Jobs& jobs, std::shared_ptr<Job> job, const Timeouts& timeouts, httplib::Response& response) {
    auto stream = std::make_shared<EventStream>(jobs, std::move(job), timeouts);
    response.set_chunked_content_provider(
        "text/event-stream", [stream](std::size_t, httplib::DataSink& sink) { return stream->turn(sink); },
        [stream](bool) { stream->end(); });
}

}  // namespace neuroprim::serve
