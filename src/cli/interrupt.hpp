#pragma once

namespace neuroprim::cli {

/// From now on the first Ctrl-C or SIGTERM only sets a flag, so that long work can end with its best answer; a
/// second one ends the program.
void catch_interrupts();

/// Whether one has come.
[[nodiscard]] bool interrupted();

}  // namespace neuroprim::cli
