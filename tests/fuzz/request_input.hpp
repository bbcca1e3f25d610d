#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "serve/api.hpp"

/// What the API promises about every body: an answer, or an error that is the client's and says so.
namespace neuroprim::fuzz {

/// `input` is a letter for the route (s, e, g, r, w) and the body. Solving and explaining are only prepared: how long
/// they take is not up to the reader.
inline void run_on_request(std::string_view input) {
    static const serve::Settings settings = [] {
        serve::Settings small;
        small.limits.vertices = 200;
        small.limits.matrix_vertices = 50;
        small.limits.body_bytes = 1 << 16;
        return small;
    }();
    static serve::Jobs jobs(1, 1);
    static serve::Policies policies;
    const serve::Context context{settings, jobs, policies};
    if (input.empty()) return;
    constexpr std::string_view letters = "segrw";
    const std::size_t letter = letters.find(input.front());
    if (letter == std::string_view::npos) return;
    const serve::ApiResponse response = serve::response_of([&]() -> serve::ApiResponse {
        serve::ApiRequest request{std::string(input.substr(1)), {}};
        serve::Job job(nullptr);
        switch (letter) {
            case 0:
                static_cast<void>(serve::prepare_solve(context, std::move(request)));
                return {};
            case 1:
                static_cast<void>(serve::prepare_explain(context, std::move(request)));
                return {};
            case 2:
                return serve::prepare_generate(context, std::move(request))(job);
            case 3:
                return serve::prepare_read(context, std::move(request))(job);
            default:
                request.parameters = {{"format", "json"}};
                return serve::prepare_write(context, std::move(request))(job);
        }
    });
    const bool expected =
        response.status == 200 || response.status == 400 || response.status == 413 || response.status == 422;
    if (expected && (response.status == 200 || response.body.starts_with("{\"error\": "))) return;
    std::cerr << "broken promise: answered " << response.status << ' ' << response.body << '\n';
    std::abort();
}

}  // namespace neuroprim::fuzz
