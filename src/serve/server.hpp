#pragma once

#include <memory>
#include <string>

#include "serve/settings.hpp"

namespace neuroprim::serve {

/// The page and its API on a port of this machine. Nothing of it touches the file system, but for the pretrained
/// policies, which it reads once.
class Server {
public:
    /// Binds the port and begins to answer. Throws InputError when the address cannot be had.
    explicit Server(const Settings& settings);

    /// Cancels what runs, closes every connection.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] int port() const;

    /// `http://127.0.0.1:8080/`
    [[nodiscard]] std::string address() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace neuroprim::serve
