#pragma once

#include <gtest/gtest.h>
#include <httplib.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "serve/schema.hpp"
#include "serve/server.hpp"

namespace neuroprim::test {

struct Reply {
    int status = 0;
    std::string type;
    std::string body;
    httplib::Headers headers;

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body); }
    [[nodiscard]] std::string error() const { return json().at("error"); }
    [[nodiscard]] std::string header(const std::string& name) const;
};

struct Event {
    std::string name;
    nlohmann::json data;
};

/// A server of its own on a free port, and requests to it. Every answer is held against openapi.json, and must have
/// the security headers.
class Served {
public:
    explicit Served(serve::Settings settings = {});

    [[nodiscard]] Reply get(const std::string& path, const httplib::Headers& headers = {});
    [[nodiscard]] Reply post(const std::string& path, const std::string& body,
                             const std::string& type = "application/json", const httplib::Headers& headers = {});
    [[nodiscard]] Reply ask(const std::string& path, const nlohmann::json& body) { return post(path, body.dump()); }

    /// The events of a streamed solve.
    [[nodiscard]] std::vector<Event> events(const nlohmann::json& question);

    /// An instance of random points.
    [[nodiscard]] nlohmann::json points(int n, int seed = 1);

    [[nodiscard]] int running() { return get("/api/health").json().at("running"); }
    [[nodiscard]] int waiting() { return get("/api/health").json().at("waiting"); }

    [[nodiscard]] int port() const { return server_.port(); }
    [[nodiscard]] const Description& description() const { return description_; }

private:
    Reply checked(const std::string& method, const std::string& path, const httplib::Result& result);

    serve::Server server_;
    Description description_;
};

/// A connection that says what it likes.
class RawSocket {
public:
    explicit RawSocket(int port);
    ~RawSocket() { hang_up(); }
    RawSocket(const RawSocket&) = delete;
    RawSocket& operator=(const RawSocket&) = delete;

    /// False when the other side has closed.
    bool send(std::string_view bytes);

    /// All that comes till the other side closes, or till `most` has passed.
    [[nodiscard]] std::string receive(std::chrono::milliseconds most);
    void hang_up();

private:
    int socket_;
};

/// A POST of JSON, as bytes.
[[nodiscard]] std::string request_bytes(const std::string& path, const std::string& body,
                                        const std::string& more_headers = "");

/// Asks till it is true, five seconds at most.
template <class Ask>
[[nodiscard]] bool soon(Ask&& ask) {
    using namespace std::chrono_literals;
    for (int k = 0; k < 250; ++k) {
        if (ask()) return true;
        std::this_thread::sleep_for(20ms);
    }
    return false;
}

}  // namespace neuroprim::test
