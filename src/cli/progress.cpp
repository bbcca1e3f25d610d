#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace neuroprim::cli {

Progress::Progress(std::size_t total, bool quiet)
    : total_(total), visible_(!quiet && total > 1 && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    clear();
}

void Progress::next(const std::string& item) {
    ++done_;
    if (!visible_) return;
    clear();
    fmt::print(stderr, "{}/{} {}", done_, total_, item);
    std::fflush(stderr);
}

void Progress::clear() const {
    if (visible_) fmt::print(stderr, "\r\033[K");
}

}  // namespace neuroprim::cli
