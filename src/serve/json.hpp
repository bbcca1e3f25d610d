#pragma once

#include <string>

#include "serve/progress.hpp"

namespace neuroprim::serve {

/// As JSON on one line (openapi.json). Instances and solutions are what files hold.
[[nodiscard]] std::string to_json(const Progress& progress);

}  // namespace neuroprim::serve
