#include "serve/guard.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "formats/text/text.hpp"
#include "serve/page.hpp"

namespace neuroprim::serve {

namespace {

/// `[::1]:8080` → `::1`, `localhost:8080` → `localhost`.
std::string_view host_without_port(std::string_view host) {
    if (host.starts_with('[')) {
        const auto end = host.find(']');
        return end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
    }
    return host.substr(0, host.find(':'));
}

bool is_address(std::string_view name) {
    const std::string text(name);
    in_addr v4{};
    in6_addr v6{};
    return inet_pton(AF_INET, text.c_str(), &v4) == 1 || inet_pton(AF_INET6, text.c_str(), &v6) == 1;
}

}  // namespace

Guard::Guard(const std::string& host, const std::vector<std::string>& names)
    : names_(names), everywhere_(host == "0.0.0.0" || host == "::") {
    for (const char* own : {"localhost", "127.0.0.1", "::1"}) names_.emplace_back(own);
    if (!everywhere_) names_.push_back(host);
}

bool Guard::knows(std::string_view name) const {
    const auto is_it = [&](const std::string& known) { return formats::same_word(known, name); };
    return std::any_of(names_.begin(), names_.end(), is_it) || (everywhere_ && is_address(name));
}

std::optional<std::string> Guard::objection(std::string_view host, std::string_view origin) const {
    if (!knows(host_without_port(host))) {
        return fmt::format("the host {} is not known here: start the server with --name to allow it",
                           formats::in_quotes(host));
    }
    if (origin.empty()) return std::nullopt;
    std::string_view site = origin;
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (site.starts_with(scheme)) site.remove_prefix(scheme.size());
    }
    if (site.size() == origin.size() || !formats::same_word(site, host)) {
        return fmt::format("requests from pages of {} are refused", formats::in_quotes(origin));
    }
    return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> security_headers() {
    return {
        {"Content-Security-Policy",
         fmt::format("default-src 'none'; {}; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
                     "form-action 'none'; frame-ancestors 'none'",
                     embedded_page_policy())},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
}

}  // namespace neuroprim::serve
