#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"

namespace neuroprim::testing {
namespace {

namespace fs = std::filesystem;

const std::string fifty = examples + "fifty.csv";
const std::string campus = examples + "campus.csv";

bool says(const Outcome& outcome, const std::string& text) {
    return outcome.err.find(text) != std::string::npos;
}

/// Would take minutes if the search began before the outputs were looked at.
std::vector<std::string> long_search(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"solve", fifty, "--problem", "mrcst", "--time-limit", "600"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(Outputs, OfASearchAreCheckedBeforeItBegins) {
    const ScratchFolder folder;
    const std::string nowhere = folder / "nope/tree.json";
    const Outcome no_folder = neuroprim_command(long_search({"-o", nowhere}));
    EXPECT_EQ(no_folder.exit_code, 2);
    EXPECT_TRUE(says(no_folder, nowhere + ": cannot write: the folder")) << no_folder.err;

    const Outcome strange = neuroprim_command(long_search({"-o", folder / "ok.json", "-o", folder / "tree.xyz"}));
    EXPECT_EQ(strange.exit_code, 2);
    EXPECT_TRUE(says(strange, "tree.xyz: unknown ending \".xyz\": expected .json")) << strange.err;

    fs::create_directory(folder / "tree.json");
    const Outcome is_folder = neuroprim_command(long_search({"-o", folder / "tree.json"}));
    EXPECT_EQ(is_folder.exit_code, 2);
    EXPECT_TRUE(says(is_folder, "this is a folder")) << is_folder.err;

    const Outcome no_log = neuroprim_command(long_search({"--log", folder / "nope/log.csv"}));
    EXPECT_EQ(no_log.exit_code, 2);
    EXPECT_TRUE(says(no_log, "log.csv: cannot write")) << no_log.err;

    const Outcome no_results = neuroprim_command(long_search({"--results", folder / "nope/results.jsonl"}));
    EXPECT_EQ(no_results.exit_code, 2);
    EXPECT_TRUE(says(no_results, "results.jsonl: cannot write: the folder")) << no_results.err;
}

TEST(Outputs, ThatMayNotBeWrittenAreToldBeforeTheSearch) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const ScratchFolder folder;
    fs::create_directory(folder / "locked");
    fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec);
    const Outcome outcome = neuroprim_command(long_search({"-o", folder / "locked/tree.json"}));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(says(outcome, "no permission")) << outcome.err;
}

TEST(Outputs, ThatAreWrongLeaveNothingBehind) {
    const ScratchFolder folder;
    const Outcome outcome =
        neuroprim_command(long_search({campus, "-o", folder / "tree.json", "--results", folder / "results.jsonl"}));
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(says(outcome, "tree.json: put {name} in the file name")) << outcome.err;
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Outputs, WithANameAreCheckedWhenTheNameIsKnown) {
    const ScratchFolder folder;
    fs::create_directory(folder / "fifty");
    const Outcome outcome =
        neuroprim_command({"solve", fifty, campus, "--problem", "mst", "-o", folder / "{name}/tree.json", "--json"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(says(outcome, "campus/tree.json: cannot write")) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["instance"], "fifty");
    EXPECT_TRUE(fs::exists(folder / "fifty/tree.json"));
}

TEST(Outputs, OfOtherCommandsAreCheckedBeforeTheirInputs) {
    const ScratchFolder folder;
    const std::string nowhere = folder / "nope/file";
    const std::vector<std::vector<std::string>> commands = {
        {"generate", "--n", "5", "-o", nowhere + ".json"},
        {"convert", "absent.csv", "-o", nowhere + ".json"},
        {"plot", "absent.csv", "-o", nowhere + ".svg"},
        {"curves", "absent", "-o", nowhere + ".png"},
        {"explain", "absent.csv", "-o", nowhere + ".json"},
        {"model", "absent.safetensors", "-o", nowhere + ".safetensors"},
    };
    for (const auto& command : commands) {
        const Outcome outcome = neuroprim_command(command);
        EXPECT_EQ(outcome.exit_code, 2) << command.front();
        EXPECT_TRUE(says(outcome, "nope/file")) << outcome.err;
        EXPECT_TRUE(says(outcome, "does not exist")) << outcome.err;
    }
    for (const char* command : {"generate", "convert", "plot", "curves", "explain"}) {
        std::vector<std::string> words = {command};
        if (words.front() != "generate") words.emplace_back("absent");
        words.insert(words.end(), {"-o", folder / "file.xyz"});
        const Outcome outcome = neuroprim_command(words);
        EXPECT_EQ(outcome.exit_code, 2) << command;
        EXPECT_TRUE(says(outcome, "unknown ending \".xyz\": expected .")) << outcome.err;
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

/// A link to a device on which every byte is one too many.
std::string full_disk(const ScratchFolder& folder, const std::string& name) {
    fs::create_symlink("/dev/full", folder / name);
    return folder / name;
}

TEST(FullDisk, DoesNotTakeTheTreeWithIt) {
    const ScratchFolder folder;
    const Outcome outcome =
        neuroprim_command({"solve", fifty, "--problem", "mst", "-o", full_disk(folder, "full.json"), "-o",
                           folder / "tree.json", "--results", folder / "results.jsonl"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(says(outcome, "full.json: cannot write: the disk is full")) << outcome.err;
    EXPECT_EQ(outcome.out.rfind("fifty: mst, n = 50, cost ", 0), 0U) << outcome.out;
    EXPECT_TRUE(fs::exists(folder / "tree.json"));
    EXPECT_NE(content_of(folder / "results.jsonl").find("\"cost\""), std::string::npos);
}

TEST(FullDisk, ForResultsEndsTheRunWithTheTreesSoFar) {
    const ScratchFolder folder;
    const std::string full = full_disk(folder, "results.jsonl");
    const Outcome table = neuroprim_command({"solve", fifty, campus, "--problem", "mst", "--results", full});
    EXPECT_EQ(table.exit_code, 2);
    EXPECT_TRUE(says(table, "results.jsonl: cannot be written")) << table.err;
    EXPECT_NE(table.out.find("fifty"), std::string::npos) << table.out;

    const Outcome one = neuroprim_command({"solve", fifty, "--problem", "mst", "--results", full, "--json"});
    EXPECT_EQ(one.exit_code, 2);
    EXPECT_EQ(nlohmann::json::parse(one.out)["instance"], "fifty");
}

TEST(FullDisk, ForALogDoesNotTakeTheTreeWithIt) {
    const ScratchFolder folder;
    const Outcome outcome =
        neuroprim_command({"solve", fifty, "--problem", "mst", "--log", full_disk(folder, "log")});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(says(outcome, "log: cannot be written")) << outcome.err;
    EXPECT_EQ(outcome.out.rfind("fifty: mst", 0), 0U) << outcome.out;
}

}  // namespace
}  // namespace neuroprim::testing
