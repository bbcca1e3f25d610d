#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "serve/jobs.hpp"
#include "serve/policies.hpp"
#include "serve/response.hpp"
#include "serve/settings.hpp"

namespace neuroprim::serve {

/// What every part of the API works with.
struct Context {
    const Settings& settings;
    Jobs& jobs;
    Policies& policies;
};

/// A request that has been read.
struct ApiRequest {
    std::string body;
    std::multimap<std::string, std::string> parameters;  ///< after the question mark

    /// The first of this name, or nothing.
    [[nodiscard]] std::string parameter(const std::string& name) const;
};

/// What a request's body is.
enum class Body { none, json, bytes };

/// A line of the API. What `look` tells is there at once; what `prepare` returns is done as a job. Both throw
/// InputError, TooLarge or HttpError when the request makes no sense.
struct Route {
    std::string_view method;
    std::string_view path;
    Body body = Body::none;
    bool streams = false;  ///< tells its progress to whoever accepts events
    ApiResponse (*look)(const Context&) = nullptr;
    Job::Work (*prepare)(const Context&, ApiRequest) = nullptr;
};

[[nodiscard]] std::span<const Route> routes();

// One line for each, in a file of its own.
[[nodiscard]] ApiResponse show_page(const Context& context);
[[nodiscard]] ApiResponse show_description(const Context& context);
[[nodiscard]] ApiResponse show_about(const Context& context);
[[nodiscard]] ApiResponse show_health(const Context& context);
[[nodiscard]] Job::Work prepare_solve(const Context& context, ApiRequest request);
[[nodiscard]] Job::Work prepare_explain(const Context& context, ApiRequest request);
[[nodiscard]] Job::Work prepare_generate(const Context& context, ApiRequest request);
[[nodiscard]] Job::Work prepare_read(const Context& context, ApiRequest request);
[[nodiscard]] Job::Work prepare_write(const Context& context, ApiRequest request);

}  // namespace neuroprim::serve
