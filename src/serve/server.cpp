#include "serve/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include "formats/text/text.hpp"
#include "graph/parallel.hpp"
#include "neuroprim/error.hpp"
#include "serve/api.hpp"
#include "serve/event_stream.hpp"
#include "serve/guard.hpp"
#include "serve/intake.hpp"
#include "serve/listener.hpp"

namespace neuroprim::serve {

namespace {

using namespace std::chrono_literals;
using httplib::Request;
using httplib::Response;

void send(const ApiResponse& api_response, Response& response) {
    response.status = api_response.status;
    if (!api_response.file_name.empty()) {
        response.set_header("Content-Disposition",
                            fmt::format("attachment; filename=\"{}\"", api_response.file_name));
    }
    constexpr const char* seconds_till_retry = "2";
    if (api_response.status == 429) response.set_header("Retry-After", seconds_till_retry);
    response.set_content(api_response.body, api_response.type);
}

/// Without parameters: `application/json; charset=utf-8` is JSON.
bool is_json(const Request& request) {
    const std::string type = request.get_header_value("Content-Type");
    return formats::same_word(formats::trimmed(std::string_view(type).substr(0, type.find(';'))), "application/json");
}

bool accepts_events(const Request& request) {
    return request.get_header_value("Accept").find("text/event-stream") != std::string::npos;
}

std::optional<std::size_t> content_length(const Request& request) {
    const std::string text = request.get_header_value("Content-Length");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error == std::errc::result_out_of_range) return std::numeric_limits<std::size_t>::max();
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return length;
}

const Route* route_for(const Request& request) {
    const auto fits = [&](const Route& route) {
        return route.path == request.path &&
               (route.method == request.method || (route.method == "GET" && request.method == "HEAD"));
    };
    const auto found = std::find_if(routes().begin(), routes().end(), fits);
    return found == routes().end() ? nullptr : &*found;
}

/// The methods that this path has, or nothing when there is no such path.
std::string allowed_methods(const std::string& path) {
    std::string allowed;
    for (const auto& route : routes()) {
        if (route.path != path) continue;
        if (!allowed.empty()) allowed += ", ";
        allowed += route.method == "GET" ? "GET, HEAD" : route.method;
    }
    return allowed;
}

}  // namespace

class Server::Impl {
public:
    explicit Impl(const Settings& settings)
        : settings_(settings),
          guard_(settings.host, settings.names),
          intake_(std::max(settings.limits.bodies_bytes, settings.limits.body_bytes), settings.limits.jobs),
          jobs_(settings.limits.jobs, settings.limits.queue),
          context_{settings_, jobs_, policies_},
          listener_(settings_) {
        set_up();
        bind();
        thread_ = start_thread([this] { listener_.listen_after_bind(); });
        if (!thread_.joinable())
            throw InputError("the system refuses a thread to listen with: allow more of them (ulimit -u)");
    }

    ~Impl() {
        listener_.begin_stopping();
        jobs_.stop();
        // A server that has not come so far as to listen yet would not hear it.
        while (!listener_.is_running() && listening_for() < 1s) std::this_thread::sleep_for(1ms);
        listener_.stop();
    }

    [[nodiscard]] int port() const { return port_; }

    [[nodiscard]] std::string address() const {
        const bool v6 = settings_.host.find(':') != std::string::npos;
        return fmt::format("http://{}{}{}:{}/", v6 ? "[" : "", settings_.host, v6 ? "]" : "", port_);
    }

private:
    /// A job's work, and the share of memory that it may use till it is destroyed.
    struct HeldWork {
        std::shared_ptr<Intake::Share> share;
        Job::Work work;  // after the share: what it holds is freed first

        ApiResponse operator()(Job& job) const { return work(job); }
    };

    [[nodiscard]] std::chrono::steady_clock::duration listening_for() const {
        return std::chrono::steady_clock::now() - began_;
    }

    void set_up() {
        httplib::Headers headers;
        for (const auto& header : security_headers()) headers.insert(header);
        listener_.set_default_headers(std::move(headers));
        listener_.set_pre_routing_handler([this](const Request& request, Response& response) {
            return refuse_unread(request, response) ? httplib::Server::HandlerResponse::Handled
                                                    : httplib::Server::HandlerResponse::Unhandled;
        });
        listener_.set_expect_100_continue_handler([this](const Request& request, Response& response) {
            return refuse_unread(request, response) ? response.status : 100;
        });
        listener_.Get(".*", [this](const Request& request, Response& response) { look(request, response); });
        listener_.Post(".*", [this](const Request& request, Response& response, const httplib::ContentReader& read) {
            take(request, response, read);
        });
        listener_.set_error_handler([](const Request&, Response& response) {
            if (response.body.empty()) {
                const int status = response.status;
                send(error_response(status, status == 414 ? "the address is too long" : "this is no request"),
                     response);
            }
        });
    }

    void bind() {
        errno = 0;
        if (settings_.port == 0) {
            port_ = listener_.bind_to_any_port(settings_.host);
        } else if (listener_.bind_to_port(settings_.host, settings_.port)) {
            port_ = settings_.port;
        }
        if (port_ > 0) return listener_.welcome_many();
        const int error = errno;
        const std::string reason = error == EADDRINUSE ? "the port is in use: choose another with --port"
                                   : error != 0        ? std::generic_category().message(error)
                                                       : "there is no such address on this machine";
        throw InputError(fmt::format("cannot listen on {} port {}: {}", settings_.host, settings_.port, reason));
    }

    /// Refuses what can be refused by the headers alone, so that no body is read for nothing.
    bool refuse_unread(const Request& request, Response& response) {
        const auto refuse = [&](int status, std::string_view message) {
            send(error_response(status, message), response);
            response.set_header("Connection", "close");
            listener_.connection_of(request).close_after_answer();
            return true;
        };
        for (const char* name : {"Host", "Origin", "Content-Length", "Content-Type", "Transfer-Encoding"}) {
            // Whoever stands between here and the client may have looked at the other one.
            if (request.get_header_value_count(name) > 1) return refuse(400, fmt::format("{} is given twice", name));
        }
        if (const auto reason =
                guard_.objection(request.get_header_value("Host"), request.get_header_value("Origin"))) {
            return refuse(403, *reason);
        }
        const std::string allowed = allowed_methods(request.path);
        if (allowed.empty()) return refuse(404, "there is nothing here: /openapi.json tells what there is");
        const Route* route = route_for(request);
        if (route == nullptr) {
            response.set_header("Allow", allowed);
            return refuse(405, fmt::format("expected {}", allowed));
        }
        const bool chunked = request.has_header("Transfer-Encoding");
        const auto length = content_length(request);
        if (chunked && length) return refuse(400, "Content-Length and Transfer-Encoding exclude each other");
        if (route->body == Body::none) {
            if (chunked || length.value_or(0) > 0) return refuse(400, "expected no body");
            return false;
        }
        if (!chunked && !length) return refuse(411, "expected a Content-Length");
        if (length.value_or(0) > settings_.limits.body_bytes) return refuse(413, body_too_large());
        if (route->body == Body::json && !is_json(request)) {
            return refuse(415, "expected Content-Type: application/json");
        }
        if (request.is_multipart_form_data()) {
            return refuse(415, "expected the bytes of the file alone, not a form");
        }
        return false;
    }

    [[nodiscard]] std::string body_too_large() const {
        return fmt::format("the body may have at most {} bytes", settings_.limits.body_bytes);
    }

    void look(const Request& request, Response& response) {
        const Route* route = route_for(request);
        send(response_of([&] { return route->look(context_); }), response);
    }

    /// The body, or nothing when it is refused.
    std::optional<std::string> read_body(const Request& request, Response& response,
                                         const httplib::ContentReader& read, Intake::Share& share) {
        Connection& connection = listener_.connection_of(request);
        connection.begin_body();
        std::string body;
        body.reserve(
            content_length(request).value_or(0));  // its limit is checked; no memory is touched before it comes
        bool too_large = false;
        bool crowded = false;
        const bool whole = read([&](const char* data, std::size_t size) {
            too_large = body.size() + size > settings_.limits.body_bytes;
            crowded = !too_large && !share.grow_to(body.size() + size);
            if (too_large || crowded) return false;
            body.append(data, size);
            return true;
        });
        if (whole) return body;
        connection.close_after_answer();
        // httplib knows some reasons of its own, such as a coding that it cannot undo.
        const int own = response.status;
        if (crowded) {
            send(busy(), response);
        } else if (too_large || own == 413) {
            send(error_response(413, body_too_large()), response);
        } else if (own == 415) {
            send(error_response(415, "this Content-Encoding is not known"), response);
        } else {
            send(error_response(408, "the body did not come in time, or is damaged"), response);
        }
        return std::nullopt;
    }

    void take(const Request& request, Response& response, const httplib::ContentReader& read) {
        HeldWork held{std::make_shared<Intake::Share>(intake_), {}};
        auto body = read_body(request, response, read, *held.share);
        if (!body) return;
        Connection& connection = listener_.connection_of(request);
        const Route& route = *route_for(request);
        Intake::Turn turn(intake_, *held.share, [&] { return connection.gone() || listener_.stopping(); });
        if (turn.given_up()) {
            connection.close_after_answer();
            return send(stopping(), response);
        }
        if (jobs_.full()) return send(busy(), response);
        const ApiResponse prepared = response_of([&]() -> ApiResponse {
            ApiRequest api_request{std::move(*body), {request.params.begin(), request.params.end()}};
            held.work = route.prepare(context_, std::move(api_request));
            return {};
        });
        body.reset();
        turn.end();
        if (prepared.status != 200) return send(prepared, response);
        const auto job = jobs_.submit(std::move(held));
        if (!job) return send(busy(), response);
        if (route.streams && accepts_events(request)) {
            response.status = 200;
            return stream_events(jobs_, job, settings_.timeouts, response);
        }
        const bool done = wait_for(*job, connection);
        send(done ? job->response() : stopping(), response);
    }

    [[nodiscard]] static ApiResponse busy() {
        return error_response(429, "the server is busy: try again in a moment");
    }
    [[nodiscard]] static ApiResponse stopping() { return error_response(503, "the server is stopping"); }

    /// Till the job is done, or the client is gone, whom no response reaches: false.
    bool wait_for(Job& job, Connection& connection) {
        while (!job.wait(50ms).finished) {
            if (!connection.gone() && !listener_.stopping()) continue;
            jobs_.cancel(job);
            connection.close_after_answer();
            return false;
        }
        return !job.cancelled();
    }

    Settings settings_;
    Guard guard_;
    Intake intake_;
    Jobs jobs_;
    Policies policies_;
    Context context_;
    Listener listener_;
    int port_ = 0;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::jthread thread_;
};

Server::Server(const Settings& settings) : impl_(std::make_unique<Impl>(settings)) {}

Server::~Server() = default;

int Server::port() const {
    return impl_->port();
}

std::string Server::address() const {
    return impl_->address();
}

}  // namespace neuroprim::serve
