#pragma once

#include <httplib.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "serve/connection.hpp"
#include "serve/settings.hpp"

namespace neuroprim::serve {

// A header of another version than pkg-config has told of (cmake/NeuroprimServe.cmake) is found out here.
static_assert(
    std::string_view(CPPHTTPLIB_VERSION) == "0.11.4",
    "neuroprim serve overrides private members of cpp-httplib and is known to work with 0.11.4 alone: install "
    "that version, or build without the server (-D NEUROPRIM_SERVE=OFF)");

/// httplib's server, talking through `Connection`: with limits on slow clients, and able to see that a client has
/// hung up while its response is being worked out.
class Listener : public httplib::Server {
public:
    explicit Listener(const Settings& settings);

    /// The connection that a request came through, inside its handler only.
    [[nodiscard]] Connection& connection_of(const httplib::Request& request);

    /// After binding: lets many clients knock at once. httplib lets five, and others come back a second later, or
    /// three, or seven.
    void welcome_many();

    /// True once no further request will be read.
    [[nodiscard]] const std::atomic<bool>& stopping() const { return stopping_; }

    /// Ends every wait for a client.
    void begin_stopping() { stopping_ = true; }

private:
    using Address = std::pair<std::string, int>;

    bool process_and_close_socket(socket_t socket) override;
    void converse(Connection& connection);

    const Settings& settings_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> waiting_ = 0;  // connections without a thread
    std::mutex mutex_;
    std::map<Address, Connection*> connections_;
};

}  // namespace neuroprim::serve
