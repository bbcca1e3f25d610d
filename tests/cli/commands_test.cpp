#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"

namespace neuroprim::testing {
namespace {

using nlohmann::json;

TEST(EveryCommand, HasHelpWithAnExample) {
    for (const char* command :
         {"solve", "explain", "check", "generate", "convert", "plot", "info", "problems", "model", "completion"}) {
        const Outcome outcome = neuroprim_command({command, "--help"});
        EXPECT_EQ(outcome.exit_code, 0);
        EXPECT_NE(outcome.out.find("Example"), std::string::npos) << command;
        EXPECT_NE(outcome.out.find("neuroprim " + std::string(command)), std::string::npos) << command;
    }
}

TEST(EveryCommand, TakesTheCommonOptions) {
    for (const char* command :
         {"solve", "explain", "check", "generate", "convert", "plot", "info", "problems", "model"}) {
        const std::string help = neuroprim_command({command, "--help"}).out;
        for (const char* option : {"--json", "--quiet", "--threads", "--seed"}) {
            EXPECT_NE(help.find(option), std::string::npos) << command << " " << option;
        }
    }
}

TEST(EveryCommand, ThatReadsInstancesHasALimitOnTheirSize) {
    const ScratchFolder folder;
    const std::string points = folder.file("points.csv", "x,y\n" + std::string(2000, '\n') + "0,0\n1,1\n");
    const std::string tree = folder.file("tree.csv", "0,1\n");
    const std::vector<std::vector<std::string>> commands = {
        {"solve", points},           {"explain", points}, {"check", points, tree}, {"convert", points, "-o", "-"},
        {"plot", points, "-o", "-"}, {"info", points}};
    for (std::vector<std::string> command : commands) {
        command.insert(command.end(), {"--max-input", "1K"});
        const Outcome outcome = neuroprim_command(command);
        EXPECT_EQ(outcome.exit_code, 2) << command[0];
        EXPECT_EQ(outcome.err, "neuroprim: " + points + ": holds more than 1 KiB: --max-input moves this limit\n");
    }
    EXPECT_EQ(neuroprim_command({"info", points, "--max-input", "1M"}).exit_code, 0);
    EXPECT_EQ(neuroprim_command({"info", points, "--max-input", "much"}).exit_code, 2);
}

TEST(EveryCommand, PrintsWhatAReaderSkipsOnStandardErrorUnlessQuiet) {
    const ScratchFolder folder;
    const std::string points = folder.file("points.csv", "x;y\n0,5;1\n2;3\n");
    const std::string warning =
        "neuroprim: warning: " + points + ":2: numbers have decimal commas: \"0,5\" is read as 0.5\n";
    for (const std::string command : {"info", "solve"}) {
        const Outcome outcome = neuroprim_command({command, points, "--json"});
        EXPECT_EQ(outcome.exit_code, 0);
        EXPECT_EQ(outcome.err, warning) << command;
        EXPECT_TRUE(json::accept(outcome.out)) << outcome.out;
        EXPECT_EQ(neuroprim_command({command, points, "--quiet"}).err, "") << command;
    }
}

TEST(Check, NamesTheFirstViolation) {
    const ScratchFolder folder;
    const std::string points = folder.file("points.csv", "x,y\n0,0\n0,1\n1,1\n1,0\n2,2\n");
    const auto says = [&](const std::string& edges, std::vector<std::string> options) {
        const std::string tree = folder.file("tree.json", R"({"edges": )" + edges + "}");
        options.insert(options.begin(), {"check", points, tree});
        const Outcome outcome = neuroprim_command(options);
        EXPECT_EQ(outcome.exit_code, outcome.out.rfind("valid", 0) == 0 ? 0 : 1);
        return outcome.out;
    };
    EXPECT_EQ(says("[[0,1],[1,2],[2,3],[2,4]]", {"--problem", "mst"}), "valid: mst cost 4.4142136\n");
    EXPECT_EQ(says("[[0,1],[1,2],[2,3]]", {"--problem", "mst"}),
              "invalid: not connected: vertex 4 is not in the tree\n");
    EXPECT_EQ(says("[[0,1],[1,2],[2,0],[2,4]]", {"--problem", "mst"}), "invalid: cycle at edge 2-0\n");
    EXPECT_EQ(says("[[2,0],[2,1],[2,3],[2,4]]", {"--degree", "3"}), "invalid: degree 4 > 3 at vertex 2\n");
    EXPECT_EQ(says("[[0,1]]", {"--terminals", "0,4"}), "invalid: terminal 4 is missing\n");
}

TEST(Check, JsonSaysTheSame) {
    const ScratchFolder folder;
    const std::string points = folder.file("points.csv", "x,y\n0,0\n3,4\n");
    const std::string tree = folder.file("tree.json", R"({"edges": [[0, 1]]})");
    const json report = json::parse(neuroprim_command({"check", points, tree, "--json"}).out);
    EXPECT_EQ(report["valid"], true);
    EXPECT_EQ(report["cost"], 5);
    EXPECT_TRUE(report["violation"].is_null());
}

TEST(Generate, IsRepeatableAndReadable) {
    const ScratchFolder folder;
    for (const char* shape : {"uniform", "clustered", "grid", "matrix", "sparse"}) {
        const std::vector<std::string> arguments = {"generate", "--n", "12",          "--shape", shape,
                                                    "--seed",   "4",   "--terminals", "3"};
        const Outcome first = neuroprim_command(arguments);
        ASSERT_EQ(first.exit_code, 0) << first.err;
        EXPECT_EQ(first.out, neuroprim_command(arguments).out);
        const Outcome solved = neuroprim_command({"solve", "-", "--json"}, first.out);
        ASSERT_EQ(solved.exit_code, 0) << solved.err;
        EXPECT_EQ(json::parse(solved.out)["problem"], "stp");
    }
}

TEST(Generate, WritesManyFiles) {
    const ScratchFolder folder;
    ASSERT_EQ(neuroprim_command({"generate", "--n", "5", "--count", "3", "-o", folder / "{name}.csv"}).exit_code, 0);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
    EXPECT_NE(content_of(folder / "uniform5-0.csv"), content_of(folder / "uniform5-1.csv"));
}

TEST(Convert, KeepsTheMst) {
    const ScratchFolder folder;
    const std::string original = folder / "original.csv";
    const std::string points = folder / "points.tsp";
    ASSERT_EQ(neuroprim_command({"generate", "--n", "40", "--scale", "1000", "-o", original}).exit_code, 0);
    ASSERT_EQ(neuroprim_command({"convert", original, "--metric", "euc_2d", "-o", points}).exit_code, 0);
    const auto mst = [](const std::vector<std::string>& arguments) {
        std::vector<std::string> all = {"solve", "--problem", "mst", "--json"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return json::parse(neuroprim_command(all).out)["cost"].get<double>();
    };
    const double expected = mst({original, "--metric", "euc_2d"});
    EXPECT_EQ(mst({points}), expected);
    for (const char* name : {"a.json", "a.stp"}) {
        const std::string copy = folder / name;
        ASSERT_EQ(neuroprim_command({"convert", points, "-o", copy}).exit_code, 0) << name;
        EXPECT_EQ(mst({copy}), expected) << name;
    }
    // CSV has no place for this metric, and says so rather than change the answer.
    EXPECT_EQ(neuroprim_command({"convert", points, "-o", folder / "a.csv"}).exit_code, 2);
}

TEST(Plot, DrawsInstancesAndTrees) {
    const ScratchFolder folder;
    ASSERT_EQ(neuroprim_command({"plot", examples + "fifty-terminals.json", "-o", folder / "a.svg"}).exit_code, 0);
    ASSERT_EQ(neuroprim_command({"solve", examples + "fifty.csv", "-o", folder / "t.json", "-q"}).exit_code, 0);
    const Outcome png =
        neuroprim_command({"plot", examples + "fifty.csv", folder / "t.json", "-o", folder / "t.png"});
    ASSERT_EQ(png.exit_code, 0) << png.err;
    EXPECT_EQ(content_of(folder / "t.png").substr(1, 3), "PNG");
    EXPECT_EQ(neuroprim_command({"plot", examples + "fifty.csv", "-o", folder / "t.bmp"}).exit_code, 2);
}

TEST(Info, SaysWhatAnInputHolds) {
    const json facts = json::parse(neuroprim_command({"info", examples + "campus.csv", "--json"}).out);
    EXPECT_EQ(facts["n"], 32);
    EXPECT_EQ(facts["terminals"], 10);
    EXPECT_EQ(facts["degree_limits"], true);
    EXPECT_EQ(facts["connected"], true);
    EXPECT_NE(neuroprim_command({"info", examples + "ring.csv"}).out.find("sparse graph"), std::string::npos);
}

TEST(Model, SaysWhatAPolicyFileHoldsAndHalvesIt) {
    const ScratchFolder folder;
    const std::string small = folder / "small.safetensors";
    const std::string whole = folder / "whole.safetensors";
    const auto facts = [](const std::vector<std::string>& arguments) {
        const Outcome outcome = neuroprim_command(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return json::parse(outcome.out);
    };
    const json shipped = facts({"model", NEUROPRIM_SOURCE_DIR "/models/mrcst.safetensors", "--json"});
    EXPECT_EQ(shipped["problem"], "mrcst");
    EXPECT_EQ(shipped["d_v"], 256);
    EXPECT_FALSE(shipped["training"].empty());
    json wide = facts({"model", NEUROPRIM_SOURCE_DIR "/models/mrcst.safetensors", "-o", whole, "--json"});
    json halved = facts({"model", whole, "--half", "-o", small, "--json"});
    EXPECT_LT(halved["bytes"].get<double>(), 0.55 * wide["bytes"].get<double>());
    for (json* each : {&wide, &halved}) {
        each->erase("bytes");
        each->erase("checksum");
        each->erase("model");
    }
    EXPECT_EQ(halved, wide);
    EXPECT_EQ(facts({"model", whole, "--sharpen", "1.5", "-o", small, "--json"})["training"]["sharpened"], "1.5");
    EXPECT_EQ(
        facts({"model", whole, "--average", whole, "--share", "0.3", "-o", small, "--json"})["training"]["averaged"],
        "0.3");
    EXPECT_EQ(neuroprim_command({"model", whole, "--average", whole}).exit_code, 2);
    EXPECT_EQ(neuroprim_command({"model", whole, "--share", "0.3", "-o", small}).exit_code, 2);
    EXPECT_EQ(neuroprim_command({"model", whole, "--sharpen", "2"}).exit_code, 2);
    EXPECT_EQ(neuroprim_command({"model", whole, "--half"}).exit_code, 2);
    EXPECT_EQ(neuroprim_command({"model", examples + "fifty.csv"}).exit_code, 2);
}

TEST(Problems, ListsEveryRegistry) {
    const json lists = json::parse(neuroprim_command({"problems", "--json"}).out);
    EXPECT_GE(lists["problems"].size(), 6U);
    EXPECT_GE(lists["methods"].size(), 7U);
    EXPECT_GE(lists["input_formats"].size(), 10U);
    EXPECT_EQ(lists["tree_formats"].size(), 10U);
}

TEST(Completion, KnowsEveryCommandAndItsOptions) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Outcome outcome = neuroprim_command({"completion", shell});
        ASSERT_EQ(outcome.exit_code, 0);
        for (const char* word :
             {"solve", "check", "generate", "convert", "plot", "info", "problems", "farthest-insertion"}) {
            EXPECT_NE(outcome.out.find(word), std::string::npos) << shell << " " << word;
        }
    }
}

TEST(Version, IsPrinted) {
    const Outcome outcome = neuroprim_command({"--version"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out.rfind("neuroprim ", 0), 0U);
}

}  // namespace
}  // namespace neuroprim::testing
