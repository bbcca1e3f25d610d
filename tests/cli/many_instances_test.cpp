#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "cli/command_line.hpp"

namespace neuroprim::testing {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

std::vector<json> json_lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<json> result;
    for (std::string line; std::getline(in, line);) result.push_back(json::parse(line));
    return result;
}

Words operator+(Words left, const Words& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// Sets a variable of the environment for the commands that are started while it lives.
class Variable {
public:
    Variable(std::string name, const std::string& value) : name_(std::move(name)) {
        setenv(name_.c_str(), value.c_str(), 1);
    }
    ~Variable() { unsetenv(name_.c_str()); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    std::string name_;
};

/// Six small instances: five files in a folder and one below it.
class ManyInstances : public ::testing::Test {
protected:
    void SetUp() override {
        // A test run may itself be part of a job.
        for (const char* name :
             {"SLURM_ARRAY_TASK_ID", "SLURM_STEP_ID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "RANK"}) {
            unsetenv(name);
        }
        std::filesystem::create_directory(folder_ / "data");
        std::filesystem::create_directory(folder_ / "data/below");
        for (int k = 1; k <= 6; ++k) {
            const std::string name = k < 6 ? "p" + std::to_string(k) : "below/p6";
            ASSERT_EQ(neuroprim_command({"generate", "--n", "30", "--seed", std::to_string(k), "-o",
                                         folder_ / ("data/" + name + ".csv"), "--quiet"})
                          .exit_code,
                      0);
        }
    }

    [[nodiscard]] std::string data(const std::string& name = "") const { return folder_ / ("data" + name); }
    [[nodiscard]] std::string results() const { return folder_ / "results.jsonl"; }

    /// A search that the clock does not end.
    [[nodiscard]] static Outcome solve(const Words& inputs, const Words& options = {}) {
        return neuroprim_command(Words{"solve"} + inputs + Words{"--degree", "2", "--max-iterations", "100"} +
                                 options);
    }

    [[nodiscard]] std::set<std::string> inputs_in_results() const {
        std::set<std::string> inputs;
        for (const auto& line : json_lines(content_of(results()))) {
            EXPECT_TRUE(inputs.insert(line["input"]).second) << line["input"];
        }
        return inputs;
    }

    ScratchFolder folder_;
};

TEST_F(ManyInstances, OfAFolderAreAllItsFilesInOrder) {
    const Outcome outcome = solve({data()}, {"--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    Words names;
    for (const auto& line : json_lines(outcome.out)) names.push_back(line["instance"]);
    EXPECT_EQ(names, (Words{"p6", "p1", "p2", "p3", "p4", "p5"}));
    EXPECT_EQ(outcome.err, "");
}

TEST_F(ManyInstances, LeaveOutWhatIsNoInstanceOnlyInAFolder) {
    const std::string text = folder_.file("data/README.md", "# Where these points come from\n");
    const Outcome in_folder = solve({data()});
    EXPECT_EQ(in_folder.exit_code, 0);
    EXPECT_NE(in_folder.err.find("skipped " + text), std::string::npos) << in_folder.err;
    EXPECT_EQ(solve({data()}, {"--quiet"}).err, "");
    EXPECT_EQ(solve({data("/p1.csv"), text}).exit_code, 2);

    const std::string broken = folder_.file("data/p7.csv", "x,y\n0,0\n1,abc\n");
    const Outcome with_error = solve({data()});
    EXPECT_EQ(with_error.exit_code, 2);
    EXPECT_NE(with_error.err.find("p7.csv:3"), std::string::npos) << with_error.err;
    EXPECT_NE(with_error.out.find("p5"), std::string::npos) << "the others are solved";
}

TEST_F(ManyInstances, NeedAFolderWithInstances) {
    std::filesystem::create_directory(folder_ / "empty");
    EXPECT_EQ(solve({folder_ / "empty"}).exit_code, 2);
    std::filesystem::create_directory(folder_ / "texts");
    const std::string text = folder_.file("texts/README.md", "# Nothing here\n");
    EXPECT_EQ(solve({folder_ / "texts"}).exit_code, 2);
}

TEST_F(ManyInstances, HaveTheSameAnswersInParallel) {
    const auto answers = [&](const Words& options) {
        std::map<std::string, json> edges;
        const Outcome outcome = solve({data()}, options + Words{"--json"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        for (const auto& line : json_lines(outcome.out)) edges[line["instance"]] = line["edges"];
        return edges;
    };
    const auto one_by_one = answers({"--threads", "1"});
    EXPECT_EQ(one_by_one.size(), 6U);
    EXPECT_EQ(answers({"--threads", "4", "--jobs", "4"}), one_by_one);
    EXPECT_EQ(answers({"--threads", "1", "--jobs", "16"}), one_by_one);
}

TEST_F(ManyInstances, StandInTheTableInTheirOrderWhateverEndsFirst) {
    const auto names = [](const std::string& table) {
        std::istringstream in(table);
        Words result;
        for (std::string line; std::getline(in, line);) result.push_back(line.substr(0, line.find(' ')));
        return result;
    };
    const std::string large = folder_ / "large.csv";
    ASSERT_EQ(neuroprim_command({"generate", "--n", "200", "-o", large, "-q"}).exit_code, 0);
    const Outcome outcome = solve({large, data("/p3.csv"), data("/p1.csv")}, {"--jobs", "3"});
    EXPECT_EQ(names(outcome.out), (Words{"instance", "large", "p3", "p1"})) << outcome.out;
}

TEST_F(ManyInstances, OfOneFileAreSolvedInParallelAndNumbered) {
    const std::string file = folder_.file("three.txt", "3\n4\n0 0\n0 1\n1 1\n1 0\n2\n0 0\n3 4\n3\n0 0\n0 1\n0 2\n");
    const Outcome outcome = solve({file}, {"--jobs", "2", "--results", results()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(inputs_in_results(), (std::set<std::string>{file + "#1", file + "#2", file + "#3"}));
    const Outcome again = solve({file}, {"--results", results()});
    EXPECT_EQ(again.out, "");
    EXPECT_EQ(again.err.rfind("neuroprim: 3 skipped", 0), 0U) << again.err;
    const Outcome picked = solve({file + "#2"}, {"--results", results()});
    EXPECT_EQ(picked.err.rfind("neuroprim: 1 skipped", 0), 0U) << picked.err;
}

TEST_F(ManyInstances, DoNotOverwriteEachOthersTrees) {
    const std::string twin = folder_.file("data/below/p1.csv", "x,y\n0,0\n3,4\n");
    const Outcome outcome = solve({twin, data("/p1.csv")}, {"-o", folder_ / "{name}.json"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("another instance of this name"), std::string::npos) << outcome.err;
    EXPECT_EQ(json::parse(content_of(folder_ / "p1.json"))["n"], 2);
}

TEST_F(ManyInstances, AreWrittenAsLinesWithTheirInputAndOptions) {
    ASSERT_EQ(solve({data("/p1.csv"), data("/p2.csv")}, {"--results", results(), "--seed", "5"}).exit_code, 0);
    const std::string text = content_of(results());
    EXPECT_EQ(text.back(), '\n');
    const auto lines = json_lines(text);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0]["input"], data("/p1.csv"));
    EXPECT_EQ(lines[0]["options"], (json{{"degree", 2}, {"max-iterations", 100}, {"seed", 5}}));
    EXPECT_EQ(lines[0]["edges"].size(), 29U);
    for (const char* key :
         {"instance", "problem", "n", "method", "seed", "cost", "bound", "gap_percent", "seconds"}) {
        EXPECT_TRUE(lines[1].contains(key)) << key;
    }
    EXPECT_FALSE(lines[1].contains("interrupted"));
}

TEST_F(ManyInstances, AreSkippedOnceTheyHaveAResultForTheSameOptions) {
    ASSERT_EQ(solve({data("/p1.csv"), data("/p2.csv")}, {"--results", results()}).exit_code, 0);
    const Outcome rest = solve({data("/../data")}, {"--results", results(), "--threads", "2", "--jobs", "2"});
    EXPECT_EQ(rest.exit_code, 0);
    EXPECT_EQ(rest.err, "neuroprim: 2 skipped: " + results() + " has their answers\n");
    EXPECT_EQ(inputs_in_results().size(), 6U);

    EXPECT_EQ(solve({data()}, {"--results", results()}).out, "");
    for (const Words& other :
         {Words{"--seed", "1"}, Words{"--degree", "3"}, Words{"--initial", "classical"}, Words{"--diameter", "29"},
          Words{"--include-edges", "0-1"}, Words{"--leaves", "0"}, Words{"--capacity", "99", "--root", "0"}}) {
        const Outcome outcome = neuroprim_command(
            Words{"solve", data("/p1.csv"), "--json", "--max-iterations", "100"} + Words{"--results", results()} +
            other + (other[0] == "--degree" ? Words{} : Words{"--degree", "2"}));
        EXPECT_NE(outcome.out, "") << other[0];
        EXPECT_EQ(outcome.err, "") << other[0];
    }
}

TEST_F(ManyInstances, WithoutAFeasibleTreeAreTriedAgain) {
    const std::string parts = folder_.file("parts.csv", "u,v,weight\n0,1,1\n2,3,1\n");
    for (int time = 0; time < 2; ++time) {
        EXPECT_EQ(solve({data("/p1.csv"), parts}, {"--results", results()}).exit_code, 1);
        EXPECT_EQ(inputs_in_results(), std::set<std::string>{data("/p1.csv")});
    }
}

TEST_F(ManyInstances, AreSolvedAgainWhenTheirLineWasCutInTheMiddle) {
    const Words inputs = {data("/p1.csv"), data("/p2.csv")};
    ASSERT_EQ(solve(inputs, {"--results", results()}).exit_code, 0);
    const std::string whole = content_of(results());
    const std::size_t second = whole.find('\n') + 1;
    for (const std::size_t length : {second + 1, second + 30, whole.size() - 2}) {
        std::ofstream(results()) << whole.substr(0, length);
        const Outcome outcome = solve(inputs, {"--results", results()});
        EXPECT_EQ(outcome.exit_code, 0);
        EXPECT_NE(outcome.err.find("half-written"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("1 skipped"), std::string::npos) << outcome.err;
        EXPECT_EQ(inputs_in_results().size(), 2U);
    }
    // Only the end of the line is missing: nothing is lost.
    std::ofstream(results()) << whole.substr(0, whole.size() - 1);
    EXPECT_EQ(solve(inputs, {"--results", results()}).err,
              "neuroprim: 2 skipped: " + results() + " has their answers\n");
    EXPECT_EQ(content_of(results()), whole);
}

TEST_F(ManyInstances, AreSolvedAgainWhenASignalCutThemShort) {
    ASSERT_EQ(solve({data("/p1.csv")}, {"--results", results()}).exit_code, 0);
    auto line = nlohmann::ordered_json::parse(content_of(results()));
    line["interrupted"] = true;
    std::ofstream(results()) << line.dump() << '\n';
    EXPECT_EQ(solve({data("/p1.csv")}, {"--results", results()}).err, "");
    EXPECT_EQ(json_lines(content_of(results())).size(), 2U);
}

TEST_F(ManyInstances, EndWithTheirBestTreesAtASignalAndNoOtherBegins) {
    for (const int signal : {SIGINT, SIGTERM}) {
        std::filesystem::remove(results());
        StartedCommand command({"solve", data(), "--problem", "mrcst", "--time-limit", "100", "--jobs", "2",
                                "--results", results(), "--log", folder_ / "{name}.log"});
        // Both have a first tree once they log it.
        const auto began = [&](const char* name) { return std::filesystem::exists(folder_ / name); };
        for (int tries = 0; tries < 4000 && !(began("p6.log") && began("p1.log")); ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        command.signal(signal);
        const Outcome outcome = command.wait();
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "neuroprim: interrupted: 2 begun, the rest left undone\n");
        EXPECT_EQ(inputs_in_results(), (std::set<std::string>{data("/below/p6.csv"), data("/p1.csv")}));
        for (const auto& line : json_lines(content_of(results()))) EXPECT_EQ(line["interrupted"], true);
        EXPECT_NE(outcome.out.find("p6"), std::string::npos) << outcome.out;
        for (const char* name : {"p1.log", "p6.log"}) std::filesystem::remove(folder_ / name);
    }
}

TEST_F(ManyInstances, DoNotDamageAFileThatHoldsNoResults) {
    for (const char* text : {"x,y\n0,0\n1,1\n", "half a line", "{\"points\": [[0, 0]]}\n"}) {
        const std::string file = folder_.file("notes.txt", text);
        const Outcome outcome = solve({data("/p1.csv")}, {"--results", file});
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(content_of(file), text);
    }
    EXPECT_EQ(solve({data("/p1.csv")}, {"--results", folder_ / "missing/results.jsonl"}).exit_code, 2);
}

TEST_F(ManyInstances, MayHaveTheirResultsInTheSameFolder) {
    const std::string file = data("/results.jsonl");
    ASSERT_EQ(solve({data()}, {"--results", file}).exit_code, 0);
    const Outcome again = solve({data()}, {"--results", file});
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_EQ(again.err.rfind("neuroprim: 6 skipped", 0), 0U) << again.err;
}

TEST_F(ManyInstances, ArePartitionedByShards) {
    for (const int shards : {2, 4, 9}) {
        std::filesystem::remove(results());
        for (int k = 1; k <= shards; ++k) {
            const std::string shard = std::to_string(k) + "/" + std::to_string(shards);
            EXPECT_EQ(solve({data()}, {"--results", results(), "--shard", shard}).exit_code, 0);
        }
        EXPECT_EQ(inputs_in_results().size(), 6U) << shards << " shards";
    }
    for (const char* wrong : {"0/2", "3/2", "1", "1/", "/2", "a/b", "-1/2", "1/2/3"}) {
        const Outcome outcome = solve({data()}, {"--shard", wrong});
        EXPECT_EQ(outcome.exit_code, 2) << wrong;
        EXPECT_EQ(outcome.out, "") << wrong;
    }
}

TEST_F(ManyInstances, OfOneFileAreDealtOutToShards) {
    const std::string file = folder_.file("three.txt", "3\n2\n0 0\n0 1\n2\n0 0\n3 4\n3\n0 0\n0 1\n0 2\n");
    const auto numbers = [&](const char* shard) {
        Words costs;
        for (const auto& line : json_lines(solve({file}, {"--shard", shard, "--json"}).out)) {
            costs.push_back(line["cost"].dump());
        }
        return costs;
    };
    EXPECT_EQ(numbers("1/2"), (Words{"1", "2"}));
    EXPECT_EQ(numbers("2/2"), (Words{"5"}));
}

/// The instances that a process takes by itself.
Words taken(const std::string& folder) {
    const Outcome outcome =
        neuroprim_command({"solve", folder, "--method", "prim", "--json", "--quiet", "--shard", "auto"});
    Words names;
    for (const auto& line : json_lines(outcome.out)) names.push_back(line["instance"]);
    return names;
}

TEST_F(ManyInstances, GoToTheRankThatTheLauncherNames) {
    const Words second_of_three = {"p1", "p4"};
    const std::vector<std::map<std::string, std::string>> launchers = {
        {{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "3"}},
        {{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}},
        {{"RANK", "1"}, {"WORLD_SIZE", "3"}},
        {{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "3"}},
        {{"SLURM_ARRAY_TASK_ID", "8"}, {"SLURM_ARRAY_TASK_MIN", "7"}, {"SLURM_ARRAY_TASK_COUNT", "3"}},
        {{"SLURM_ARRAY_TASK_ID", "12"},
         {"SLURM_ARRAY_TASK_MIN", "10"},
         {"SLURM_ARRAY_TASK_MAX", "14"},
         {"SLURM_ARRAY_TASK_STEP", "2"},
         {"SLURM_ARRAY_TASK_COUNT", "3"}},
    };
    for (const auto& launcher : launchers) {
        std::vector<std::unique_ptr<Variable>> variables;
        for (const auto& [name, value] : launcher) variables.push_back(std::make_unique<Variable>(name, value));
        EXPECT_EQ(taken(data()), second_of_three) << launcher.begin()->first;
        const Outcome not_asked = neuroprim_command({"solve", data(), "--method", "prim", "--json"});
        EXPECT_EQ(json_lines(not_asked.out).size(), 6U) << "only --shard auto looks at the environment";
    }
}

TEST_F(ManyInstances, AreCountedThroughTheProcessesOfAllTasksOfAnArray) {
    Words all;
    for (const char* task : {"1", "2"}) {
        const Variable id("SLURM_ARRAY_TASK_ID", task);
        const Variable first("SLURM_ARRAY_TASK_MIN", "1");
        const Variable count("SLURM_ARRAY_TASK_COUNT", "2");
        for (const char* process : {"0", "1"}) {
            const Variable rank("OMPI_COMM_WORLD_RANK", process);
            const Variable size("OMPI_COMM_WORLD_SIZE", "2");
            all = all + taken(data());
        }
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (Words{"p1", "p2", "p3", "p4", "p5", "p6"}));
}

TEST_F(ManyInstances, AreAllTakenByABatchScriptThatIsOneProcess) {
    const Variable rank("SLURM_PROCID", "0");
    const Variable size("SLURM_NTASKS", "8");
    EXPECT_EQ(taken(data()).size(), 6U);
    const Outcome outcome = solve({data()}, {"--shard", "auto"});
    EXPECT_NE(outcome.err.find("names no rank"), std::string::npos) << outcome.err;
}

TEST_F(ManyInstances, OfAnArrayWithGapsCannotBeDealtOut) {
    const Variable id("SLURM_ARRAY_TASK_ID", "2");
    const Variable first("SLURM_ARRAY_TASK_MIN", "1");
    const Variable last("SLURM_ARRAY_TASK_MAX", "9");
    const Variable count("SLURM_ARRAY_TASK_COUNT", "3");
    const Outcome outcome = solve({data()}, {"--shard", "auto"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("--shard K/N"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace neuroprim::testing
