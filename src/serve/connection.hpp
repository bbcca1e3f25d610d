#pragma once

#include <httplib.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

#include "serve/settings.hpp"

namespace neuroprim::serve {

/// The socket of one client, with a limit on how long and how much it may send: per byte timeouts alone would let a
/// client that sends a byte now and then hold its thread for ever.
class Connection : public httplib::Stream {
public:
    /// Does not own the socket. `stopping` ends every wait.
    Connection(socket_t socket, const Timeouts& timeouts, const std::atomic<bool>& stopping);

    /// Waits for the first byte of the next request and makes ready for it. False when none comes: the client is
    /// gone or idle for too long, or `hurry()` says that others wait for the thread.
    template <class Hurry>
    [[nodiscard]] bool await_request(Hurry&& hurry);

    /// The headers are in: from now on the time for the body counts.
    void begin_body();

    /// Has the client hung up? Costs one system call.
    [[nodiscard]] bool gone() const;

    /// A request that was not read to its end leaves a rest that is no request.
    void close_after_answer() { closes_ = true; }
    [[nodiscard]] bool closes() const { return closes_; }

    /// Was reading given up because the first line of a request would not end?
    [[nodiscard]] bool address_too_long() const { return in_first_line_ && budget_ == 0; }

    /// Ends the conversation so that the client gets the last response even when it is still sending: what it sends
    /// is thrown away for a moment. Closing at once would reset the connection and lose the response.
    void drain();

    [[nodiscard]] bool is_readable() const override;
    [[nodiscard]] bool is_writable() const override { return !gone(); }
    ssize_t read(char* to, std::size_t size) override;
    ssize_t write(const char* from, std::size_t size) override;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    [[nodiscard]] socket_t socket() const override { return socket_; }

private:
    using Clock = std::chrono::steady_clock;

    enum class Sign { ready, timeout, stopped };
    /// Waits till the socket has something to read, or takes something to write, in slices short enough to notice
    /// the end of the server.
    [[nodiscard]] Sign wait(short events, Clock::time_point deadline) const;
    [[nodiscard]] bool poll_once(short events, std::chrono::milliseconds most) const;

    socket_t socket_;
    const Timeouts& timeouts_;
    const std::atomic<bool>& stopping_;
    Clock::time_point deadline_;  // for what is being read
    std::size_t budget_ = 0;      // bytes of headers still allowed
    bool in_body_ = false;
    bool in_first_line_ = true;
    bool closes_ = false;
    std::array<char, 16384> buffer_;  // httplib reads headers byte by byte
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

template <class Hurry>
bool Connection::await_request(Hurry&& hurry) {
    using namespace std::chrono_literals;
    constexpr auto grace = 250ms;
    const auto began = Clock::now();
    while (begin_ == end_) {
        if (poll_once(0x001, 50ms)) break;  // POLLIN
        const auto waited = Clock::now() - began;
        if (stopping_ || waited > timeouts_.idle || (waited > grace && hurry())) return false;
    }
    constexpr std::size_t most_header_bytes = 32768;
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeouts_.head);
    budget_ = most_header_bytes;
    in_body_ = false;
    in_first_line_ = true;
    closes_ = false;
    return !stopping_;
}

}  // namespace neuroprim::serve
