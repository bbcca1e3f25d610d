#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "serve/answer.hpp"
#include "serve/jobs.hpp"
#include "serve/policies.hpp"
#include "serve/settings.hpp"

namespace neuroprim::serve {

/// What every part of the API works with.
struct Context {
    const Settings& settings;
    Jobs& jobs;
    Policies& policies;
};

/// A request that has been read.
struct Call {
    std::string body;
    std::multimap<std::string, std::string> parameters;  ///< after the question mark

    /// The first of this name, or nothing.
    [[nodiscard]] std::string parameter(const std::string& name) const;
};

/// What a request's body is.
enum class Body { none, json, bytes };

/// A line of the API. What `look` tells is there at once; what `prepare` returns is done as a job. Both throw
/// InputError, TooLarge or Refusal when the request makes no sense.
struct Route {
    std::string_view method;
    std::string_view path;
    Body body = Body::none;
    bool streams = false;  ///< tells its progress to whoever accepts events
    Answer (*look)(const Context&) = nullptr;
    Job::Work (*prepare)(const Context&, Call) = nullptr;
};

[[nodiscard]] std::span<const Route> routes();

// One line for each, in a file of its own.
[[nodiscard]] Answer show_page(const Context& context);
[[nodiscard]] Answer show_description(const Context& context);
[[nodiscard]] Answer show_about(const Context& context);
[[nodiscard]] Answer show_health(const Context& context);
[[nodiscard]] Job::Work prepare_solve(const Context& context, Call call);
[[nodiscard]] Job::Work prepare_explain(const Context& context, Call call);
[[nodiscard]] Job::Work prepare_generate(const Context& context, Call call);
[[nodiscard]] Job::Work prepare_read(const Context& context, Call call);
[[nodiscard]] Job::Work prepare_write(const Context& context, Call call);

}  // namespace neuroprim::serve
