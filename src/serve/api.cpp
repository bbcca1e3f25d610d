#include "serve/api.hpp"

#include <fmt/format.h>

#include <array>

#include "serve/page.hpp"
#include "serve/parameter_fields.hpp"

namespace neuroprim::serve {

namespace {

constexpr std::array all_routes = {
    Route{"GET", "/", Body::none, false, show_page},
    Route{"GET", "/openapi.json", Body::none, false, show_description},
    Route{"GET", "/api/about", Body::none, false, show_about},
    Route{"GET", "/api/health", Body::none, false, show_health},
    Route{"POST", "/api/solve", Body::json, true, nullptr, prepare_solve},
    Route{"POST", "/api/explain", Body::json, false, nullptr, prepare_explain},
    Route{"POST", "/api/generate", Body::json, false, nullptr, prepare_generate},
    Route{"POST", "/api/read", Body::bytes, false, nullptr, prepare_read},
    Route{"POST", "/api/write", Body::json, false, nullptr, prepare_write},
};

}  // namespace

std::string ApiRequest::parameter(const std::string& name) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::string() : found->second;
}

std::span<const Route> routes() {
    return all_routes;
}

ApiResponse show_page(const Context&) {
    return {200, "text/html; charset=utf-8", std::string(embedded_page())};
}

ApiResponse show_description(const Context&) {
    return {200, "application/json", description()};
}

ApiResponse show_health(const Context& context) {
    const auto [running, waiting] = context.jobs.counts();
    return {200, "application/json",
            fmt::format("{{\"status\": \"ok\", \"running\": {}, \"waiting\": {}}}\n", running, waiting)};
}

}  // namespace neuroprim::serve
