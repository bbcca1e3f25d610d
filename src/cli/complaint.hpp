#pragma once

#include <string_view>

namespace neuroprim::cli {

/// `neuroprim: message` as a line on standard error. Where that is closed or full nobody can be told, which is no
/// reason to end.
void complain(std::string_view message);

}  // namespace neuroprim::cli
