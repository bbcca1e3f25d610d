#pragma once

#include <optional>
#include <span>
#include <string>

#include "neuroprim/instance.hpp"
#include "neuroprim/solution.hpp"
#include "serve/progress.hpp"

/// What the API says, as JSON on one line. Numbers read back exactly.
namespace neuroprim::serve {

/// The instance as requests and answers have it (openapi.json).
[[nodiscard]] std::string to_json(const Instance& instance);

[[nodiscard]] std::string to_json(const Solution& solution);
[[nodiscard]] std::string to_json(const Progress& progress);

}  // namespace neuroprim::serve
