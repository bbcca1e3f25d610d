#include <gtest/gtest.h>

#include <filesystem>

#include "cli/command_line.hpp"

namespace neuroprim::testing {
namespace {

const std::string quoted_input = "'" + examples + "fifty.csv'";

TEST(StandardOutput, ThatIsFullIsAnError) {
    for (const std::string& command :
         {"solve " + quoted_input + " --problem mst", "solve " + quoted_input + " --problem mst --json",
          "solve " + quoted_input + " --problem mst -o -",
          "solve " + quoted_input + " " + quoted_input + " --problem mst --json", "info " + quoted_input,
          "convert " + quoted_input + " -o -", "plot " + quoted_input + " -o -", std::string("generate --n 9"),
          std::string("problems"), std::string("manpage"), std::string("completion bash"), std::string("--help"),
          std::string("solve --help"), std::string("--version")}) {
        const Outcome outcome = shell("neuroprim " + command + " > /dev/full");
        EXPECT_EQ(outcome.exit_code, 2) << command;
        EXPECT_EQ(outcome.err.rfind("neuroprim: standard output: cannot write", 0), 0U)
            << command << ": " << outcome.err;
    }
}

TEST(StandardOutput, ThatIsClosedIsAnErrorOnlyIfSomethingIsPrinted) {
    const Outcome outcome = shell("neuroprim solve " + quoted_input + " --problem mst >&-");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, "neuroprim: standard output: cannot write: it is closed\n");
    EXPECT_EQ(shell("neuroprim solve " + quoted_input + " --problem mst --quiet >&-").exit_code, 0);
}

TEST(StandardOutput, ThatIsClosedDoesNotGetIntoOtherFiles) {
    const ScratchFolder folder;
    const std::string tree = folder / "tree.json";
    EXPECT_EQ(shell("neuroprim solve " + quoted_input + " --problem mst --json -o '" + tree + "' >&-").exit_code, 2);
    EXPECT_EQ(neuroprim_command({"check", examples + "fifty.csv", tree, "--problem", "mst"}).exit_code, 0);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(StandardOutput, ThatNobodyReadsOnEndsQuietly) {
    const Outcome outcome = shell("neuroprim generate --n 100000 | head -n 1");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out, "{\n");
    EXPECT_EQ(outcome.err, "");
}

TEST(StandardError, ThatIsClosedOrFullKeepsTheExitCode) {
    for (const char* where : {"2>&-", "2> /dev/full"}) {
        EXPECT_EQ(shell(std::string("neuroprim solve absent.csv ") + where).exit_code, 2) << where;
        EXPECT_EQ(shell(std::string("neuroprim nonsense ") + where).exit_code, 2) << where;
    }
}

}  // namespace
}  // namespace neuroprim::testing
