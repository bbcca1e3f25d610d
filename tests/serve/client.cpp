#include "serve/client.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "serve/parameter_fields.hpp"

namespace neuroprim::test {

namespace {

serve::Settings on_free_port(serve::Settings settings) {
    setenv("NEUROPRIM_MODELS", NEUROPRIM_SOURCE_DIR "/models", 1);
    settings.port = 0;
    return settings;
}

}  // namespace

std::string Reply::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
}

Served::Served(serve::Settings settings)
    : server_(on_free_port(std::move(settings))), description_(serve::description()) {}

Reply Served::get(const std::string& path, const httplib::Headers& headers) {
    httplib::Client client("127.0.0.1", port());
    client.set_tcp_nodelay(true);
    return checked("GET", path, client.Get(path, headers));
}

Reply Served::post(const std::string& path, const std::string& body, const std::string& type,
                   const httplib::Headers& headers) {
    httplib::Client client("127.0.0.1", port());
    client.set_tcp_nodelay(true);
    client.set_read_timeout(30);
    return checked("POST", path, client.Post(path, headers, body, type));
}

Reply Served::checked(const std::string& method, const std::string& path, const httplib::Result& result) {
    if (!result) throw std::runtime_error("no answer: " + httplib::to_string(result.error()));
    Reply reply{result->status, result->get_header_value("Content-Type"), result->body, result->headers};
    const auto objection =
        description_.objection(method, path.substr(0, path.find('?')), reply.status, reply.type, reply.body);
    EXPECT_FALSE(objection) << method << " " << path << ": " << *objection << "\n" << reply.body.substr(0, 300);
    for (const char* name : {"Content-Security-Policy", "Referrer-Policy", "X-Frame-Options",
                             "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"}) {
        EXPECT_EQ(result->get_header_value_count(name), 1) << name << " on " << path;
    }
    EXPECT_EQ(reply.header("X-Content-Type-Options"), "nosniff");
    return reply;
}

std::vector<Event> Served::events(const nlohmann::json& question) {
    const Reply reply = post("/api/solve", question.dump(), "application/json", {{"Accept", "text/event-stream"}});
    EXPECT_EQ(reply.type, "text/event-stream") << reply.body;
    std::vector<Event> result;
    std::istringstream lines(reply.body);
    std::string name;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("event: ")) name = line.substr(7);
        if (line.starts_with("data: ")) result.push_back({name, nlohmann::json::parse(line.substr(6))});
    }
    for (const auto& [event, data] : result) {
        const char* schema = event == "progress" ? "Progress" : event == "solution" ? "Solution" : "StreamError";
        const auto mismatch = description_.mismatch(data, description_.schema(schema));
        EXPECT_FALSE(mismatch) << event << ": " << *mismatch;
    }
    return result;
}

nlohmann::json Served::points(int n, int seed) {
    return ask("/api/generate", nlohmann::json{{"n", n}, {"seed", seed}}).json();
}

RawSocket::RawSocket(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        throw std::runtime_error("cannot connect");
    }
}

bool RawSocket::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

std::string RawSocket::receive(std::chrono::milliseconds most) {
    const auto deadline = std::chrono::steady_clock::now() + most;
    std::string result;
    std::array<char, 4096> buffer;
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        pollfd waited{socket_, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&waited, 1, static_cast<int>(left.count())) <= 0) return result;
        const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
        if (count <= 0) return result;
        result.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

void RawSocket::hang_up() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

std::string request_bytes(const std::string& path, const std::string& body, const std::string& more_headers) {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n" + more_headers + "\r\n" + body;
}

}  // namespace neuroprim::test
