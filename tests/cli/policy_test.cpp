// What the command says about the policies that it is asked to use.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command_line.hpp"

namespace neuroprim {
namespace {

using namespace testing;

const std::string models = NEUROPRIM_SOURCE_DIR "/models/";

bool says(const Outcome& outcome, const char* text) {
    return outcome.err.find(text) != std::string::npos;
}

TEST(PolicyCommand, RefusesAPolicyThatNeedsMoreMemoryThanItMayTake) {
    const std::string model = models + "mrcst.safetensors";
    const std::vector<std::string> greedy = {
        "solve", examples + "fifty.csv", "--problem", "mrcst", "--method", "greedy", "--model",
        model,   "--max-memory"};
    const auto with = [&](const std::string& size) {
        auto words = greedy;
        words.push_back(size);
        return neuroprim_command(words);
    };
    const Outcome refused = with("100k");
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_TRUE(says(refused, "50 vertices") && says(refused, "--max-memory")) << refused.err;
    EXPECT_EQ(with("1G").exit_code, 0);
    EXPECT_EQ(with("much").exit_code, 2);

    EXPECT_EQ(neuroprim_command(
                  {"explain", examples + "fifty.csv", "--problem", "mrcst", "--model", model, "--max-memory", "100k"})
                  .exit_code,
              2);
    EXPECT_EQ(neuroprim_command({"solve", examples + "fifty.csv", "--problem", "mrcst", "--time-limit", "0.1",
                                 "--max-memory", "100k"})
                  .exit_code,
              0);
}

TEST(PolicyCommand, WarnsWhenAPolicyWasTrainedForAnotherProblem) {
    const std::string other = models + "dcmst-3.safetensors";
    for (const std::vector<std::string>& words : {std::vector<std::string>{"solve", "--method", "greedy"},
                                                  {"explain", "--quiet"},
                                                  {"explain"},
                                                  {"solve", "--initial", "policy", "--max-iterations", "1"}}) {
        auto asked = words;
        for (const auto& word : {examples + "fifty.csv", std::string("--problem"), std::string("mrcst"),
                                 std::string("--model"), other}) {
            asked.push_back(word);
        }
        const Outcome outcome = neuroprim_command(asked);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        const bool quiet = words.back() == "--quiet";
        EXPECT_EQ(says(outcome, "trained for dcmst, not for mrcst"), !quiet) << outcome.err;
    }
    const Outcome good = neuroprim_command({"solve", examples + "fifty.csv", "--problem", "mrcst", "--method",
                                            "greedy", "--model", models + "mrcst.safetensors"});
    EXPECT_EQ(good.err, "");
}

TEST(PolicyCommand, StopsBeforeTheFirstTreeWithoutCallingTheInstanceInfeasible) {
    const ScratchFolder folder;
    const std::string points = folder / "points.csv";
    ASSERT_EQ(neuroprim_command({"generate", "--n", "1000", "-o", points}).exit_code, 0);
    // Where the start is asked for, all vertices are seen at once, which takes seconds.
    const StartedCommand command(
        {"solve", points, "--problem", "mrcst", "--method", "greedy", "--start", "0", "--threads", "1"});
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    command.signal(SIGINT);
    const Outcome outcome = command.wait();
    // Signals that come before the handler is there end it too.
    if (outcome.exit_code == 1) {
        EXPECT_EQ(outcome.err, "neuroprim: points: stopped before the first tree was complete\n");
    }
    EXPECT_NE(outcome.exit_code, 0);
}

TEST(PolicyCommand, AddsAChecksumAndChangesNothingElse) {
    const ScratchFolder folder;
    const std::string copy = folder / "copy.safetensors";
    const auto facts = [](const std::string& file) {
        return nlohmann::json::parse(neuroprim_command({"model", file, "--json"}).out);
    };
    const std::string shipped = models + "mrcst.safetensors";
    EXPECT_TRUE(facts(shipped)["checksum"].get<std::string>().starts_with("crc32 "));
    std::string text = content_of(shipped);
    text.replace(text.find("\"checksum\""), 10, "\"cheqsum\" ");
    const std::string without = folder.file("without.safetensors", text);
    EXPECT_EQ(facts(without)["checksum"], "no checksum");
    EXPECT_EQ(neuroprim_command({"model", without, "--checksum"}).exit_code, 2);
    ASSERT_EQ(neuroprim_command({"model", without, "--checksum", "-o", copy}).exit_code, 0);
    EXPECT_EQ(content_of(copy), content_of(shipped));

    text[text.size() - 100] ^= 1;
    text.replace(text.find("\"cheqsum\" "), 10, "\"checksum\"");
    const Outcome damaged = neuroprim_command({"model", folder.file("damaged.safetensors", text)});
    EXPECT_EQ(damaged.exit_code, 2);
    EXPECT_TRUE(says(damaged, "its numbers are damaged")) << damaged.err;
}

}  // namespace
}  // namespace neuroprim
