#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "neuroprim/error.hpp"

namespace neuroprim::serve {

/// What goes back to a client.
struct Answer {
    int status = 200;
    std::string type = "application/json";
    std::string body;
    std::string file_name = {};  ///< the browser saves it under this name
};

/// A refusal with a status of its own.
class Refusal : public InputError {
public:
    Refusal(int status, const std::string& message) : InputError(message), status_(status) {}
    [[nodiscard]] int status() const { return status_; }

private:
    int status_;
};

/// `{"error": message}`.
[[nodiscard]] Answer refusal(int status, std::string_view message);

/// What `work` returns, or the refusal that tells what it throws: 400 for bad input, 413 for what is too large, 422
/// when there is no feasible tree, 500 otherwise.
[[nodiscard]] Answer answer_of(const std::function<Answer()>& work);

}  // namespace neuroprim::serve
