#pragma once

#include <functional>
#include <string>

#include "neuroprim/instance.hpp"

namespace neuroprim::cli {

/// `pattern` with `{name}` replaced by the instance's name. Throws InputError when several instances would be
/// written to one file.
[[nodiscard]] std::string output_path(const std::string& pattern, const Instance& instance, bool several);

/// What can be known about the outputs before any instance is read, so that no work is done in vain: throws as
/// `output_path` does, and lets `check` look at the path. A folder or an ending that holds `{name}` is known later.
void check_output(const std::string& pattern, bool several, const std::function<void(const std::string&)>& check);

}  // namespace neuroprim::cli
