#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "neuroprim/types.hpp"

namespace neuroprim::serve {

/// What one request may ask for, and how many may ask at once.
struct Limits {
    Vertex vertices = 20'000;
    Vertex matrix_vertices = 1'000;     ///< with a number for every pair: weights, requirements
    Vertex classical_vertices = 5'000;  ///< constructions that take about n² steps and cannot be interrupted
    Vertex policy_vertices = 1'000;     ///< greedy, beam, sample: some 224 bytes for each ordered pair
    Vertex explain_vertices = 300;
    std::size_t body_bytes = std::size_t{16} << 20;
    std::size_t bodies_bytes = std::size_t{128} << 20;  ///< of all large bodies together; at least one is taken
    double time_limit = 60;                             ///< seconds that one job may search
    int samples = 100'000;
    int jobs = 2;    ///< that run at a time
    int queue = 64;  ///< that wait for their turn; one more is refused
};

/// How long a client may take.
struct Timeouts {
    using Seconds = std::chrono::duration<double>;

    Seconds idle{5};       ///< between two requests on one connection
    Seconds head{10};      ///< from the first byte of a request to the end of its headers
    Seconds body{60};      ///< to send the body
    Seconds write{10};     ///< to take in anything at all of what is sent
    Seconds heartbeat{2};  ///< between signs of life in a stream of events
};

struct Settings {
    std::string host = "127.0.0.1";
    int port = 8080;                 ///< 0: any that is free
    std::vector<std::string> names;  ///< more names by which clients may call the host
    int threads = 1;                 ///< for each job
    Limits limits;
    Timeouts timeouts;
};

}  // namespace neuroprim::serve
