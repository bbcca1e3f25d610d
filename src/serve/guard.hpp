#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/response.hpp"

namespace neuroprim::serve {

/// Who may talk to the server. A page of another site must not: neither by asking the browser to send requests
/// here (Origin), nor by letting its own name point here (Host; DNS rebinding).
class Guard {
public:
    /// Bound to `host`; `names` are more names that it is known by.
    Guard(const std::string& host, const std::vector<std::string>& names);

    /// The reason why a request with these headers is refused, or nothing. An empty origin is that of a client that
    /// is no page.
    [[nodiscard]] std::optional<std::string> objection(std::string_view host, std::string_view origin) const;

private:
    [[nodiscard]] bool knows(std::string_view name) const;

    std::vector<std::string> names_;
    bool everywhere_;  // bound to all addresses: any of them may be called by number
};

/// Headers of every response, as name and value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> security_headers();

}  // namespace neuroprim::serve
