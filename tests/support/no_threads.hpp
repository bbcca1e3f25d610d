#pragma once

namespace neuroprim::test {

/// In a process of its own (a death test's): from now on the system refuses new threads. Where it cannot be made to,
/// as for a privileged user who may not become another one, the process exits as `untestable`.
void refuse_new_threads();

inline constexpr int untestable = 77;

/// The process exited with 0, or as untestable, which is then said.
[[nodiscard]] bool done_or_untestable(int status);

}  // namespace neuroprim::test
