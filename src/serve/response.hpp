#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "neuroprim/error.hpp"

namespace neuroprim::serve {

/// What goes back to a client.
struct ApiResponse {
    int status = 200;
    std::string type = "application/json";
    std::string body;
    std::string file_name = {};  ///< the browser saves it under this name
};

/// An error with an HTTP status of its own.
class HttpError : public InputError {
public:
    HttpError(int status, const std::string& message) : InputError(message), status_(status) {}
    [[nodiscard]] int status() const { return status_; }

private:
    int status_;
};

/// `{"error": message}`.
[[nodiscard]] ApiResponse error_response(int status, std::string_view message);

/// What `work` returns, or the error response that tells what it throws: 400 for bad input, 413 for what is too
/// large, 422 when there is no feasible tree, 500 otherwise.
[[nodiscard]] ApiResponse response_of(const std::function<ApiResponse()>& work);

}  // namespace neuroprim::serve
