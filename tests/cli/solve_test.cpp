#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_line.hpp"
#include "neuroprim/policy.hpp"

namespace neuroprim::testing {
namespace {

using nlohmann::json;

const std::string square = "x,y\n0,0\n0,1\n1,1\n1,0\n";

TEST(Solve, PrintsOneLineThatAPersonCanRead) {
    const ScratchFolder folder;
    const Outcome outcome = neuroprim_command({"solve", folder.file("square.csv", square), "--problem", "mst"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out.rfind("square: mst, n = 4, cost 3, bound 3, gap 0.00 %, kruskal, ", 0), 0U) << outcome.out;
    EXPECT_EQ(outcome.err, "");
}

TEST(Solve, JsonHasTheDocumentedKeys) {
    const Outcome outcome =
        neuroprim_command({"solve", "-", "--problem", "mrcst", "--method", "star", "--seed", "7", "--json"}, square);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const json solution = json::parse(outcome.out);
    for (const char* key :
         {"instance", "problem", "n", "method", "seed", "cost", "bound", "gap_percent", "edges", "seconds"}) {
        EXPECT_TRUE(solution.contains(key)) << key;
    }
    EXPECT_EQ(solution["problem"], "mrcst");
    EXPECT_EQ(solution["n"], 4);
    EXPECT_EQ(solution["seed"], 7);
    EXPECT_TRUE(solution["bound"].is_null());
    EXPECT_EQ(solution["edges"].size(), 3U);
}

TEST(Solve, WhatItWritesPassesCheck) {
    const ScratchFolder folder;
    const std::vector<std::vector<std::string>> problems = {
        {"fifty.csv", "--problem", "mst"},
        {"fifty.csv", "--problem", "dcmst", "--degree", "2"},
        {"fifty.csv", "--problem", "dcmst", "--degree", "3"},
        {"campus.csv", "--problem", "dcmst"},
        {"fifty.csv", "--problem", "mrcst"},
        {"fifty-terminals.json", "--problem", "stp"},
        {"campus.csv", "--problem", "stp"},
        {"ring.csv", "--problem", "stp", "--terminals", "amber,dune,fern"},
        {"fifty.csv", "--problem", "hmst", "--hops", "3", "--root", "7"},
        {"capitals.geojson", "--problem", "dcmst", "--degree", "3"},
    };
    for (auto arguments : problems) {
        arguments[0] = examples + arguments[0];
        const std::string tree = folder / "tree.json";
        std::vector<std::string> solve = {"solve"};
        solve.insert(solve.end(), arguments.begin(), arguments.end());
        solve.insert(solve.end(), {"--time-limit", "0.1", "-o", tree, "--json"});
        const Outcome solved = neuroprim_command(solve);
        ASSERT_EQ(solved.exit_code, 0) << solved.err;

        std::vector<std::string> check = {"check", arguments[0], tree, "--json"};
        check.insert(check.end(), arguments.begin() + 1, arguments.end());
        const Outcome checked = neuroprim_command(check);
        ASSERT_EQ(checked.exit_code, 0) << checked.out << checked.err;
        EXPECT_DOUBLE_EQ(json::parse(checked.out)["cost"].get<double>(),
                         json::parse(solved.out)["cost"].get<double>());
    }
}

TEST(Solve, WritesEveryFormatByItsEnding) {
    const ScratchFolder folder;
    std::vector<std::string> arguments = {"solve", examples + "capitals.geojson", "--quiet"};
    for (const char* ending : {"json", "csv", "geojson", "dot", "svg", "png"}) {
        arguments.insert(arguments.end(), {"-o", folder / ("tree." + std::string(ending))});
    }
    const Outcome outcome = neuroprim_command(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(content_of(folder / "tree.svg").rfind("<svg", 0) == 0 ||
                  content_of(folder / "tree.svg").rfind("<?xml", 0) == 0,
              true);
    EXPECT_EQ(content_of(folder / "tree.png").substr(1, 3), "PNG");
    EXPECT_NE(content_of(folder / "tree.dot").find("graph"), std::string::npos);
    EXPECT_EQ(json::parse(content_of(folder / "tree.geojson"))["type"], "FeatureCollection");
    EXPECT_NE(content_of(folder / "tree.csv").find("Paris"), std::string::npos);
}

TEST(Solve, ManyInputsGiveOneTableAndOneBadOneDoesNotStopTheOthers) {
    const ScratchFolder folder;
    const std::string good = folder.file("good.csv", square);
    const std::string bad = folder.file("bad.csv", "x,y\n0,0\n1,abc\n");
    const std::string last = folder.file("last.csv", "x,y\n0,0\n5,0\n");
    const Outcome outcome = neuroprim_command({"solve", good, bad, last, "-o", folder / "{name}.json"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("bad.csv:3"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("instance"), std::string::npos);
    EXPECT_NE(outcome.out.find("good"), std::string::npos);
    EXPECT_NE(outcome.out.find("last"), std::string::npos);
    EXPECT_EQ(json::parse(content_of(folder / "last.json"))["cost"], 5);
}

TEST(Solve, SeveralInstancesDoNotOverwriteOneFile) {
    const ScratchFolder folder;
    const std::string a = folder.file("a.csv", square);
    const std::string b = folder.file("b.csv", square);
    const Outcome outcome = neuroprim_command({"solve", a, b, "-o", folder / "tree.json"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("{name}"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(folder / "tree.json"));
}

TEST(Solve, WritesNoFileWhereOneOfTheFormatsCanHoldNoTree) {
    const ScratchFolder folder;
    const Outcome outcome =
        neuroprim_command({"solve", examples + "fifty.csv", "-o", folder / "a.graphml", "-o", folder / "c.graph"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("METIS has whole weights above 0"), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.graphml"));
    EXPECT_FALSE(std::filesystem::exists(folder / "c.graph"));
}

TEST(Solve, NoFeasibleTreeIsExitCodeOne) {
    const ScratchFolder folder;
    const std::string parts = folder.file("parts.csv", "u,v,weight\n0,1,1\n2,3,1\n");
    const Outcome disconnected = neuroprim_command({"solve", parts, "--problem", "mst"});
    EXPECT_EQ(disconnected.exit_code, 1);
    EXPECT_NE(disconnected.err.find("not connected"), std::string::npos);

    const std::string star = folder.file("star.csv", "u,v,weight\n0,1,1\n0,2,1\n0,3,1\n0,4,1\n");
    const Outcome limited = neuroprim_command({"solve", star, "--problem", "dcmst", "--degree", "3"});
    EXPECT_EQ(limited.exit_code, 1);
    EXPECT_NE(limited.err.find("without vertex 0"), std::string::npos) << limited.err;
    const std::string fan = folder.file("fan.csv", "u,v,weight\n0,1,1\n0,2,1\n0,3,1\n0,4,1\n3,4,5\n");
    const Outcome plain =
        neuroprim_command({"solve", fan, "--problem", "dcmst", "--degree", "3", "--method", "kruskal"});
    EXPECT_EQ(plain.exit_code, 1);
    EXPECT_NE(plain.err.find("degree 4 > 3 at vertex 0"), std::string::npos) << plain.err;
}

TEST(Solve, AMethodWithoutATreeInTimeIsExitCodeOneAndSaysSo) {
    const ScratchFolder folder;
    const std::string points = folder / "points.csv";
    ASSERT_EQ(neuroprim_command({"generate", "--n", "3000", "-o", points}).exit_code, 0);
    const Outcome outcome =
        neuroprim_command({"solve", points, "--problem", "mrcst", "--method", "campos", "--time-limit", "0.001"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err, "neuroprim: points: campos did not complete a tree within the time limit of 0.001 s\n");
    EXPECT_EQ(outcome.out, "");
}

TEST(Solve, WrongUseIsExitCodeTwoWithAHint) {
    const ScratchFolder folder;
    const std::string points = folder.file("square.csv", square);
    const std::vector<std::vector<std::string>> wrong = {
        {"solve"},
        {"solve", points, "--problem", "tsp"},
        {"solve", points, "--method", "magic"},
        {"solve", points, "--problem", "dcmst"},
        {"solve", points, "--problem", "dcmst", "--degree", "0"},
        {"solve", points, "--problem", "stp"},
        {"solve", points, "--problem", "stp", "--terminals", "0,9"},
        {"solve", points, "--problem", "hmst", "--hops", "2", "--root", "x"},
        {"solve", points, "--start", "4"},
        {"solve", points, "--threads", "-1"},
        {"solve", points, "-o", folder / "tree.xyz"},
        {"solve", points, "-o", folder / "missing/tree.json"},
        {"solve", folder / "nowhere.csv"},
        {"solve", points, "--format", "tsplib"},
        {"frobnicate"},
        {},
    };
    for (const auto& arguments : wrong) {
        const Outcome outcome = neuroprim_command(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(arguments) << outcome.out;
        EXPECT_EQ(outcome.err.rfind("neuroprim: ", 0), 0U) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing half-written";
}

TEST(Solve, TheMetricCanBeChosen) {
    const Outcome outcome = neuroprim_command({"solve", "-", "--metric", "man_2d", "--json"}, "0.0 0.0\n3.2 4.1\n");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out)["cost"], 7);
}

TEST(Solve, TheProblemIsToldFromTheInput) {
    const auto problem_of = [](const std::vector<std::string>& arguments) {
        std::vector<std::string> all = {"solve"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        all.emplace_back("--json");
        return json::parse(neuroprim_command(all).out)["problem"].get<std::string>();
    };
    EXPECT_EQ(problem_of({examples + "fifty.csv"}), "mst");
    EXPECT_EQ(problem_of({examples + "fifty-terminals.json"}), "stp");
    EXPECT_EQ(problem_of({examples + "campus.csv"}), "tree");  // terminals and degree limits
    EXPECT_EQ(problem_of({examples + "fifty.csv", "--degree", "3"}), "dcmst");
    EXPECT_EQ(problem_of({examples + "fifty.csv", "--hops", "3", "--root", "0"}), "hmst");
    EXPECT_EQ(problem_of({examples + "fifty.csv", "--capacity", "10", "--root", "0"}), "cmst");
    EXPECT_EQ(problem_of({examples + "fifty.csv", "--diameter", "8"}), "bdmst");
    EXPECT_EQ(problem_of({examples + "fifty.csv", "--degree", "3", "--hops", "8", "--root", "0"}), "tree");
}

TEST(Solve, LimitsCombineAndTheAnswerSaysWhatWasAsked) {
    const std::vector<std::string> limits = {"--degree", "4", "--hops", "6", "--capacity", "20", "--root", "0"};
    const ScratchFolder scratch;
    const std::string tree = scratch / "tree.json";
    std::vector<std::string> words = {"solve", examples + "fifty.csv", "-o", tree};
    words.insert(words.end(), limits.begin(), limits.end());
    const Outcome outcome = neuroprim_command(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("tree (shortest tree, degree ≤ 4, at most 6 hops from 0, at most 20 per branch of 0)"),
              std::string::npos)
        << outcome.out;
    words = {"check", examples + "fifty.csv", tree};
    words.insert(words.end(), limits.begin(), limits.end());
    EXPECT_EQ(neuroprim_command(words).exit_code, 0);
    const Outcome broken =
        neuroprim_command({"check", examples + "fifty.csv", tree, "--capacity", "2", "--root", "0"});
    EXPECT_EQ(broken.exit_code, 1);
    EXPECT_NE(broken.out.find("the capacity is 2") + broken.err.find("the capacity is 2"), 2 * std::string::npos);
}

TEST(Solve, SeveralRootsMakeAForestInEveryOutput) {
    const ScratchFolder scratch;
    const std::string farm = scratch / "farm.csv";
    std::ofstream(farm) << "name,lon,lat,kind\nA,7.00,55.00,substation\nB,7.10,55.00,substation\n"
                           "t1,7.01,55.01,turbine\nt2,7.02,55.02,turbine\nt3,7.09,55.01,turbine\n";
    const std::string tree = scratch / "tree.json";
    const std::string map = scratch / "tree.geojson";
    const Outcome outcome = neuroprim_command({"solve", farm, "--capacity", "2", "-o", tree, "-o", map, "-o",
                                               scratch / "tree.svg", "-o", scratch / "t.dot"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("shortest forest, from 2 roots (A, B), at most 2 per branch"), std::string::npos)
        << outcome.out;
    const auto written = json::parse(std::ifstream(tree));
    EXPECT_EQ(written["edges"].size(), 3U);
    EXPECT_EQ(written["roots"], json({0, 1}));
    int lines = 0;
    const auto features = json::parse(std::ifstream(map))["features"];
    for (const auto& feature : features) lines += feature["geometry"]["type"] == "LineString" ? 1 : 0;
    EXPECT_EQ(lines, 3);
    EXPECT_EQ(neuroprim_command({"check", farm, tree, "--capacity", "2"}).exit_code, 0);
    EXPECT_EQ(neuroprim_command({"check", farm, tree, "--capacity", "2", "--root", "A,1"}).exit_code, 0);
    EXPECT_EQ(neuroprim_command({"check", farm, tree, "--capacity", "2", "--root", "A"}).exit_code, 1);
    EXPECT_EQ(neuroprim_command({"plot", farm, tree, "--capacity", "2", "-o", scratch / "p.svg"}).exit_code, 0);
    const Outcome wide = neuroprim_command({"solve", farm, "--root", "A,B", "--diameter", "3"});
    EXPECT_EQ(wide.exit_code, 2);
    EXPECT_NE(wide.err.find("a diameter is of one tree"), std::string::npos) << wide.err;
}

TEST(Solve, AnInfeasibleSpecificationSaysWhichLimitMakesItSo) {
    const auto reason = [](const std::vector<std::string>& limits) {
        std::vector<std::string> words = {"solve", examples + "fifty.csv"};
        words.insert(words.end(), limits.begin(), limits.end());
        const Outcome outcome = neuroprim_command(words);
        EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
        return outcome.err;
    };
    EXPECT_NE(reason({"--degree", "3", "--hops", "2", "--root", "0"})
                  .find("a tree with degree ≤ 3 and hops ≤ 2 holds at most 10 vertices, 50 must be in"),
              std::string::npos);
    EXPECT_NE(reason({"--degree", "3", "--capacity", "12", "--root", "0"})
                  .find("the demands add up to 49, but 3 branches at root 0 carry 12 each"),
              std::string::npos);
    EXPECT_NE(reason({"--length", "0.1", "--root", "0"}).find("on the shortest way, the limit is 0.1"),
              std::string::npos);
}

TEST(Solve, SeveralAnswersAreJsonLines) {
    const Outcome outcome = neuroprim_command({"solve", examples + "fifty.csv", examples + "ring.csv", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) names.push_back(json::parse(line)["instance"]);
    EXPECT_EQ(names, (std::vector<std::string>{"fifty", "ring"}));
}

TEST(Solve, ThePolicyOfAFileIsUsedAndExplained) {
    const ScratchFolder folder;
    PolicyConfig config;
    config.d_v = 32;
    config.d_f = 32;
    config.encoder_layers = 1;
    const std::string model = folder / "model.safetensors";
    Policy::random(config, 1).save(model);

    const std::string points = examples + "fifty.csv";
    const Outcome greedy = neuroprim_command({"solve", points, "--problem", "mrcst", "--method", "greedy", "--model",
                                              model, "--starts", "7", "--augmentations", "2", "--json"});
    ASSERT_EQ(greedy.exit_code, 0) << greedy.err;
    EXPECT_EQ(json::parse(greedy.out)["statistics"]["trees"], 14);
    const Outcome sampled = neuroprim_command(
        {"solve", points, "--degree", "2", "--method", "sample", "--model", model, "--samples", "30"});
    ASSERT_EQ(sampled.exit_code, 0) << sampled.err;
    EXPECT_NE(sampled.out.find("mean of 30 trees"), std::string::npos) << sampled.out;

    const Outcome explained = neuroprim_command({"explain", points, "--degree", "2", "--model", model, "-k", "3",
                                                 "--json", "-o", folder / "steps.svg", "-o", folder / "strip.png"});
    ASSERT_EQ(explained.exit_code, 0) << explained.err;
    EXPECT_EQ(json::parse(explained.out)["steps"].size(), 49U);
    EXPECT_EQ(json::parse(explained.out)["steps"][3]["alternatives"].size(), 3U);
    EXPECT_NE(content_of(folder / "steps.svg").find("<animate"), std::string::npos);
    EXPECT_EQ(content_of(folder / "strip.png").substr(1, 3), "PNG");

    const Outcome broken = neuroprim_command({"solve", points, "--method", "greedy", "--model", points});
    EXPECT_EQ(broken.exit_code, 2);
    EXPECT_NE(broken.err.find("fifty.csv"), std::string::npos) << broken.err;
}

TEST(Solve, ThreadsDoNotChangeTheAnswer) {
    const ScratchFolder folder;
    const std::string points = folder / "points.csv";
    ASSERT_EQ(neuroprim_command({"generate", "--n", "3000", "--seed", "3", "-o", points, "--quiet"}).exit_code, 0);
    const auto edges = [&](const char* threads) {
        return json::parse(neuroprim_command({"solve", points, "--threads", threads, "--json"}).out)["edges"];
    };
    EXPECT_EQ(edges("1"), edges("3"));
}

}  // namespace
}  // namespace neuroprim::testing
