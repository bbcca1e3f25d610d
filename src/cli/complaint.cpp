#include "cli/complaint.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace neuroprim::cli {

void complain(std::string_view message) {
    std::fputs(fmt::format("neuroprim: {}\n", message).c_str(), stderr);
}

}  // namespace neuroprim::cli
