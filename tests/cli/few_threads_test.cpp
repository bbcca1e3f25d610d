#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/command_line.hpp"
#include "support/no_threads.hpp"

namespace neuroprim::testing {
namespace {

/// Solves the file in this process, which gets no further threads, and exits as the command does.
[[noreturn]] void solve_without_new_threads(const std::string& file, const char* jobs) {
    if (std::freopen(file.c_str(), "r", stdin) == nullptr) std::_Exit(1);
    test::refuse_new_threads();
    execl(NEUROPRIM_COMMAND, "neuroprim", "solve", "-", "--problem", "mrcst", "--initial", "classical",
          "--max-iterations", "50", "--quiet", "--threads", "64", "--jobs", jobs, nullptr);
    std::_Exit(test::untestable);  // it may not be run by others
}

TEST(FewThreadsDeathTest, AreEnoughForAnyNumberOfThreadsAndJobs) {
    const ScratchFolder folder;
    const std::string points = folder.file("points.csv", content_of(examples + "fifty.csv"));
    EXPECT_EXIT(solve_without_new_threads(points, "1"), test::done_or_untestable, "");
    EXPECT_EXIT(solve_without_new_threads(points, "8"), test::done_or_untestable, "");
}

}  // namespace
}  // namespace neuroprim::testing
