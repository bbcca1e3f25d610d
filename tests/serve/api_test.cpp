#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "formats/write/json_object.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/solve.hpp"
#include "serve/client.hpp"

namespace neuroprim::test {

namespace {

using nlohmann::json;

/// Problems with a model of their own, then those that the shared one serves.
const std::vector<std::string> with_policies = {"dcmst", "mrcst", "stp",  "hmst", "cmst",
                                                "bdmst", "lmst",  "pcst", "gmst", "tree"};

std::string example(const std::string& name) {
    std::ifstream file(std::string(NEUROPRIM_SOURCE_DIR "/examples/") + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Api, AboutNamesEveryProblemAndMethod) {
    Served served;
    const json about = served.get("/api/about").json();
    EXPECT_EQ(about.at("problems").size(), problem_kinds().size());
    EXPECT_EQ(about.at("methods").size(), solve_methods().size());
    EXPECT_EQ(about.at("methods")[0].at("name"), "search");
    for (const auto& method : about.at("methods")) {
        if (!method.at("needs_policy")) continue;
        EXPECT_EQ(method.at("problems"), json(with_policies));
    }
}

TEST(Api, AboutTellsTheLimitsAndWhichProblemsHaveAPolicy) {
    serve::Settings settings;
    settings.limits.vertices = 1234;
    Served served(settings);
    const json about = served.get("/api/about").json();
    EXPECT_EQ(about.at("limits").at("vertices"), 1234);
    for (const auto& problem : about.at("problems")) {
        const std::string name = problem.at("name");
        const bool is_named = std::find(with_policies.begin(), with_policies.end(), name) != with_policies.end();
        EXPECT_EQ(problem.at("policy"), is_named) << name;
    }
}

TEST(Api, GeneratesWhatTheLibraryGenerates) {
    Served served;
    GenerateOptions options;
    options.n = 40;
    options.seed = 7;
    options.terminals = 5;
    for (const char* kind : {"uniform", "clustered", "grid", "matrix", "sparse"}) {
        options.shape = *shape_from_string(kind);
        const Reply reply =
            served.ask("/api/generate", json{{"n", 40}, {"seed", 7}, {"terminals", 5}, {"kind", kind}});
        EXPECT_EQ(reply.body, formats::instance_to_json_line(generate(options)) + "\n");
    }
}

TEST(Api, SolvesEveryProblem) {
    Served served;
    const json with_traffic = served.ask("/api/generate", json{{"n", 12}, {"requirements", true}}).json();
    const json with_terminals = served.ask("/api/generate", json{{"n", 30}, {"terminals", 6}}).json();
    const json plain = served.points(20);
    const std::vector<json> questions = {
        {{"instance", plain}, {"problem", "mst"}},
        {{"instance", plain}, {"problem", "dcmst"}, {"degree", 3}},
        {{"instance", plain}, {"problem", "hmst"}, {"hops", 3}, {"root", 4}},
        {{"instance", plain}, {"problem", "mrcst"}, {"method", "greedy"}},
        {{"instance", plain}, {"problem", "mrcst"}, {"method", "sample"}, {"samples", 50}, {"seed", 3}},
        {{"instance", plain}, {"problem", "dcmst"}, {"degree", 2}, {"method", "beam"}, {"augmentations", 2}},
        {{"instance", plain},
         {"problem", "mrcst"},
         {"method", "greedy"},
         {"augmentations", 8},
         {"augmentations_per_start", 1}},
        {{"instance", with_traffic}, {"method", "campos"}},
        {{"instance", with_terminals}, {"method", "shortest-path"}},
    };
    for (json question : questions) {
        if (!question.contains("method")) question["time_limit"] = 0.2;
        const Reply reply = served.ask("/api/solve", question);
        ASSERT_EQ(reply.status, 200) << reply.body;
        const json solution = reply.json();
        EXPECT_EQ(solution.at("problem"), question.value("problem", solution.at("problem").get<std::string>()));
        EXPECT_GT(solution.at("cost"), 0);
        EXPECT_FALSE(solution.at("edges").empty());
    }
}

TEST(Api, AnswersWhatTheLibraryAnswers) {
    Served served;
    const json instance = served.points(60, 5);
    GenerateOptions options;
    options.n = 60;
    options.seed = 5;
    const Instance same = generate(options);
    const auto problem = make_problem("dcmst", same, {3, {}, {}});
    const Solution expected = solve(*problem, {"degree-prim"});
    const json solution =
        served.ask("/api/solve", json{{"instance", instance}, {"degree", 3}, {"method", "degree-prim"}}).json();
    EXPECT_EQ(solution.at("cost"), expected.cost);
    EXPECT_EQ(solution.at("bound"), *expected.bound);
}

TEST(Api, WeightsEdgesAndPointsSayTheSame) {
    Served served;
    const json square = {{"points", {{0, 0}, {3, 0}, {3, 4}}}};
    const json matrix = {{"matrix", {{0, 3, 5}, {3, 0, 4}, {5, 4, 0}}}, {"layout", {{0, 0}, {9, 9}, {1, 1}}}};
    const json edges = {{"n", 3}, {"edges", {{0, 1, 3}, {1, 2, 4}, {0, 2, 5}}}};
    for (const json& instance : {square, matrix, edges}) {
        const json solution = served.ask("/api/solve", json{{"instance", instance}}).json();
        EXPECT_EQ(solution.at("cost"), 7);
        EXPECT_TRUE(solution.at("proven_optimal"));
    }
}

TEST(Api, TellsProgressAndThenTheSolution) {
    Served served;
    const auto events =
        served.events({{"instance", served.points(300)}, {"problem", "mrcst"}, {"time_limit", 0.5}, {"seed", 1}});
    ASSERT_GE(events.size(), 2U);
    double cost = std::numeric_limits<double>::infinity();
    json last_tree;
    for (const auto& [name, data] : events) {
        EXPECT_LE(data.at("cost"), cost);
        cost = data.at("cost");
        if (data.contains("edges")) last_tree = data.at("edges");
    }
    EXPECT_TRUE(events.front().data.contains("edges"));
    EXPECT_EQ(events.back().name, "solution");
    EXPECT_EQ(events.back().data.at("edges"), last_tree);
    EXPECT_EQ(last_tree.size(), 299U);
}

TEST(Api, AStreamEndsWithItsError) {
    Served served;
    const json apart = {{"n", 4}, {"edges", {{0, 1, 1}, {2, 3, 1}}}};
    const auto events = served.events({{"instance", apart}, {"problem", "mst"}});
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].name, "error");
    EXPECT_EQ(events[0].data.at("status"), 422);
}

TEST(Api, ExplainsEveryDecision) {
    Served served;
    const Reply reply =
        served.ask("/api/explain",
                   json{{"instance", served.points(25)}, {"problem", "dcmst"}, {"degree", 2}, {"alternatives", 3}});
    ASSERT_EQ(reply.status, 200) << reply.body;
    const json explanation = reply.json();
    EXPECT_EQ(explanation.at("steps").size(), 24U);
    EXPECT_EQ(explanation.at("steps")[0].at("alternatives").size(), 3U);
}

TEST(Api, ReadsFilesOfEveryKind) {
    Served served;
    const auto read = [&](const std::string& name) {
        return served.post("/api/read?name=" + name, example(name), "application/octet-stream").json();
    };
    EXPECT_EQ(read("fifty.csv").at("format"), "csv");
    EXPECT_EQ(read("fifty.csv").at("instance").at("points").size(), 50U);
    EXPECT_EQ(read("fifty-terminals.json").at("problem"), "stp");
    EXPECT_EQ(read("capitals.geojson").at("instance").at("metric"), "great-circle");
}

TEST(Api, SendsAnInstanceAsFilesHoldIt) {
    Served served;
    const json facts = {{"name", "depots"},
                        {"n", 3},
                        {"edges", {{0, 1, 1}, {1, 2, 2.5}}},
                        {"terminals", {0, 2}},
                        {"degree_limits", {1, 2, 3}},
                        {"leaves", {2}},
                        {"demands", {0, 1.5, 2}},
                        {"prizes", {3, 0, 4}},
                        {"groups", {0, 1, -1}},
                        {"root", 1},
                        {"requirements", {json::array(), {5}, {1, 2}}},
                        {"names", {"a", "b", "c"}},
                        {"layout", {{0, 0}, {1, 0}, {2, 2}}}};
    EXPECT_EQ(served.post("/api/read?name=x.json", facts.dump(), "text/plain").json().at("instance"), facts);
    const json matrix = {{"name", "triangle"}, {"matrix", {json::array(), {3}, {nullptr, 4}}}};
    EXPECT_EQ(served.post("/api/read?name=x.json", matrix.dump(), "text/plain").json().at("instance"), matrix);
}

TEST(Api, SendsASolutionAsFilesHoldIt) {
    Served served;
    const json instance = served.points(8);
    const json solution = served.ask("/api/solve", json{{"instance", instance}, {"problem", "mst"}}).json();
    json tree = {
        {"instance", instance}, {"problem", "mst"}, {"edges", solution.at("edges")}, {"bound", solution.at("bound")}};
    const json file = served.ask("/api/write?format=json", tree).json();
    for (const char* key : {"instance", "problem", "n", "cost", "bound", "gap_percent", "proven_optimal", "edges"}) {
        EXPECT_EQ(solution.at(key), file.at(key)) << key;
    }
}

TEST(Api, TellsWhatTheReaderSkipped) {
    Served served;
    const auto warnings = [&](const std::string& text) {
        return served.post("/api/read?name=points.csv", text, "text/plain").json().at("warnings");
    };
    EXPECT_EQ(warnings("x;y\n0,5;1\n"), json{"points.csv:2: numbers have decimal commas: \"0,5\" is read as 0.5"});
    EXPECT_EQ(warnings("x,y\n0.5,1\n"), json::array());
}

TEST(Api, WhatIsReadCanBeSolved) {
    Served served;
    const json file = served.post("/api/read?name=x.json", example("fifty-terminals.json"), "text/plain").json();
    const Reply reply = served.ask(
        "/api/solve", json{{"instance", file.at("instance")}, {"problem", file.at("problem")}, {"time_limit", 0.1}});
    EXPECT_EQ(reply.status, 200) << reply.body;
}

TEST(Api, WritesTreesAndInstances) {
    Served served;
    const json instance = served.points(10);
    json solution = served.ask("/api/solve", json{{"instance", instance}, {"problem", "mst"}}).json();
    solution["instance"] = instance;
    const auto written = [&](const char* format, const json& what) {
        const Reply reply = served.ask(std::string("/api/write?format=") + format, what);
        EXPECT_EQ(reply.status, 200) << format << reply.body;
        EXPECT_EQ(reply.header("Content-Disposition"),
                  std::string("attachment; filename=\"uniform10-1.") + format + "\"");
        return reply.body;
    };
    EXPECT_EQ(written("svg", solution).substr(0, 4), "<svg");
    EXPECT_EQ(written("png", solution).substr(1, 3), "PNG");
    EXPECT_EQ(json::parse(written("geojson", solution)).at("features").size(), 19U);
    EXPECT_EQ(json::parse(written("json", solution)).at("cost"), solution.at("cost"));
    EXPECT_EQ(written("csv", solution).substr(0, 10), "u,v,weight");
    EXPECT_EQ(written("csv", {{"instance", instance}}).substr(0, 3), "x,y");
    EXPECT_EQ(written("svg", {{"instance", instance}}).substr(0, 4), "<svg");
}

TEST(Api, ManyAtOnceGetTheSameAnswers) {
    serve::Settings settings;
    settings.limits.jobs = 4;
    Served served(settings);
    const json question = {{"instance", served.points(40)}, {"problem", "mrcst"}, {"method", "greedy"}};
    const json expected = served.ask("/api/solve", question).json().at("cost");
    std::vector<std::jthread> clients;
    for (int k = 0; k < 12; ++k) {
        clients.emplace_back([&] {
            for (int round = 0; round < 3; ++round) {
                EXPECT_EQ(served.ask("/api/solve", question).json().at("cost"), expected);
            }
        });
    }
}

}  // namespace

}  // namespace neuroprim::test
