#include "serve/connection.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace neuroprim::serve {

namespace {

using namespace std::chrono_literals;

constexpr auto slice = 100ms;

void name_address(const sockaddr_storage& address, std::string& ip, int& port) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.ss_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof(v4));
        inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
        port = ntohs(v4.sin_port);
    } else if (address.ss_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &address, sizeof(v6));
        inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
        port = ntohs(v6.sin6_port);
    }
    ip = text.data();
}

template <class Ask>
void ask_address(Ask&& ask, socket_t socket, std::string& ip, int& port) {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    if (ask(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0) name_address(address, ip, port);
}

}  // namespace

Connection::Connection(socket_t socket, const Timeouts& timeouts, const std::atomic<bool>& stopping)
    : socket_(socket), timeouts_(timeouts), stopping_(stopping) {}

void Connection::begin_body() {
    in_body_ = true;
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeouts_.body);
}

bool Connection::poll_once(short events, std::chrono::milliseconds most) const {
    pollfd waited{socket_, events, 0};
    return ::poll(&waited, 1, static_cast<int>(most.count())) > 0;
}

Connection::Sign Connection::wait(short events, Clock::time_point deadline) const {
    for (;;) {
        if (stopping_) return Sign::stopped;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) return Sign::timeout;
        if (poll_once(events, std::min<std::chrono::milliseconds>(left, slice))) return Sign::ready;
    }
}

bool Connection::gone() const {
    pollfd waited{socket_, POLLRDHUP, 0};
    return ::poll(&waited, 1, 0) > 0 && (waited.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

bool Connection::is_readable() const {
    return begin_ < end_ || poll_once(POLLIN, 0ms);
}

ssize_t Connection::read(char* to, std::size_t size) {
    if (begin_ == end_) {
        if (wait(POLLIN, deadline_) != Sign::ready) return -1;
        const ssize_t count = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
        if (count <= 0) return count;
        begin_ = 0;
        end_ = static_cast<std::size_t>(count);
    }
    std::size_t count = std::min(size, end_ - begin_);
    if (!in_body_) {
        count = std::min(count, budget_);
        if (count == 0) return -1;
        budget_ -= count;
        if (std::memchr(buffer_.data() + begin_, '\n', count) != nullptr) in_first_line_ = false;
    }
    std::memcpy(to, buffer_.data() + begin_, count);
    begin_ += count;
    return static_cast<ssize_t>(count);
}

ssize_t Connection::write(const char* from, std::size_t size) {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(timeouts_.write);
    for (;;) {
        const ssize_t count = ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) return count;
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return -1;
        if (wait(POLLOUT, deadline) != Sign::ready) return -1;
    }
}

void Connection::drain() {
    ::shutdown(socket_, SHUT_WR);
    const auto deadline = Clock::now() + 2s;
    std::array<char, 65536> waste;
    while (wait(POLLIN, deadline) == Sign::ready) {
        const ssize_t count = ::recv(socket_, waste.data(), waste.size(), MSG_DONTWAIT);
        if (count <= 0 && errno != EINTR) return;
    }
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
    ask_address(::getpeername, socket_, ip, port);
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
    ask_address(::getsockname, socket_, ip, port);
}

}  // namespace neuroprim::serve
