#pragma once

#include <string_view>

namespace neuroprim::cli {

/// `neuroprim: message` as a line on standard error. Where that is closed or full nobody can be told, which is no
/// reason to end.
void complain(std::string_view message);

/// From now on a lack of memory is told, with exit code 2, also where no exception can pass: some functions of CLI11
/// that allocate are noexcept.
void complain_when_out_of_memory();

}  // namespace neuroprim::cli
