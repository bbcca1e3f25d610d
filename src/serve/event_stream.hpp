#pragma once

#include <httplib.h>

#include <memory>

#include "serve/jobs.hpp"
#include "serve/settings.hpp"

namespace neuroprim::serve {

/// Answers with a stream of server-sent events: `progress` as the job reports it, then `solution`, or `error` with
/// the status that a plain response would have had. The job is cancelled when the client hangs up.
void stream_events(Jobs& jobs, std::shared_ptr<Job> job, const Timeouts& timeouts, httplib::Response& response);

}  // namespace neuroprim::serve
