#include "serve/listener.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/guard.hpp"
#include "serve/response.hpp"
#include "serve/thread_pool.hpp"

namespace neuroprim::serve {

namespace {

/// httplib answers by itself when the line ends within the limit on headers, and says nothing when it does not.
void tell_too_long(Connection& connection) {
    const ApiResponse api_response = error_response(414, "the address is too long");
    std::string bytes = "HTTP/1.1 414 URI Too Long\r\nConnection: close\r\n";
    for (const auto& [name, value] : security_headers()) bytes += fmt::format("{}: {}\r\n", name, value);
    bytes += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n\r\n{}", api_response.type,
                         api_response.body.size(), api_response.body);
    connection.write(bytes.data(), bytes.size());
}

}  // namespace

Listener::Listener(const Settings& settings) : settings_(settings) {
    // Every job, running or waiting, keeps a thread busy that waits for it; the others answer what is quick.
    constexpr std::size_t spare_threads = 64;
    const auto threads = static_cast<std::size_t>(settings.limits.jobs + settings.limits.queue) + spare_threads;
    new_task_queue = [this, threads] { return new ThreadPool(threads, waiting_); };
    set_tcp_nodelay(true);
    set_payload_max_length(settings.limits.body_bytes);
    // The default lets two servers share a port without a word.
    set_socket_options([](socket_t socket) {
        const int yes = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
}

void Listener::welcome_many() {
    ::listen(svr_sock_, SOMAXCONN);
}

Connection& Listener::connection_of(const httplib::Request& request) {
    const std::lock_guard lock(mutex_);
    return *connections_.at({request.remote_addr, request.remote_port});
}

bool Listener::process_and_close_socket(socket_t socket) {
    Connection connection(socket, settings_.timeouts, stopping_);
    Address address;
    connection.get_remote_ip_and_port(address.first, address.second);
    {
        const std::lock_guard lock(mutex_);
        connections_[address] = &connection;
    }
    converse(connection);
    {
        const std::lock_guard lock(mutex_);
        connections_.erase(address);
    }
    ::close(socket);
    return true;
}

void Listener::converse(Connection& connection) {
    for (;;) {
        if (!connection.await_request([this] { return waiting_ > 0; })) return;
        bool closed = false;
        bool understood = false;
        const auto prepare = [&](httplib::Request& request) {
            understood = true;
            // Parts of a response are of no use to anyone here, and many ranges at once are an attack.
            request.ranges.clear();
        };
        const bool answered = process_request(connection, false, closed, prepare);
        if (!answered && connection.address_too_long()) tell_too_long(connection);
        // Nobody knows where the next request begins after one that was not understood.
        if (!answered || closed || !understood || connection.closes()) break;
    }
    connection.drain();
}

}  // namespace neuroprim::serve
