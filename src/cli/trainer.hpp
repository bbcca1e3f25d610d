#pragma once

#include <string>
#include <vector>

namespace neuroprim::cli {

/// Becomes the trainer, which links LibTorch and so is a program of its own: `neuroprim-train COMMAND ARGUMENTS…`.
/// Returns only by throwing InputError, when it is not installed or cannot be started.
[[noreturn]] void become_trainer(const std::string& command, const std::vector<std::string>& arguments);

/// Starts the trainer, waits for it and returns its exit code, −1 when a signal ended it. Throws InputError as above.
[[nodiscard]] int run_trainer(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace neuroprim::cli
