// Every parameter of the table is a field of requests, in the description and in /api/about, with the same numbers.
#include <gtest/gtest.h>

#include "neuroprim/parameters.hpp"
#include "serve/client.hpp"

namespace neuroprim::test {

namespace {

using nlohmann::json;

const json square = {{"points", {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.4}}}};

json request_with(const json& more) {
    json result = {{"instance", square}};
    result.update(more);
    return result;
}

bool is_number(const Parameter& parameter) {
    return parameter.type == ParameterType::whole || parameter.type == ParameterType::number;
}

json usual_of(const Parameter& parameter) {
    if (parameter.usual.empty()) return nullptr;
    return is_number(parameter) ? json::parse(parameter.usual) : json(parameter.usual);
}

TEST(ParametersInHttp, AreDescribedWithTheirRangesAndUsualValues) {
    Served served;
    const json& schemas = served.description().document().at("components").at("schemas");
    const json& request = schemas.at("Question").at("properties");
    EXPECT_FALSE(request.contains("x-parameters"));
    for (const Parameter& one : parameters()) {
        const std::string name(one.name);
        const bool is_fact = one.group == ParameterGroup::vertices;
        EXPECT_EQ(request.contains(name), one.in_http && !is_fact) << name;
        if (is_fact) {
            EXPECT_TRUE(schemas.at("Instance").at("properties").contains(name)) << name;
        }
        if (!request.contains(name)) continue;
        const json& schema = request.at(name);
        EXPECT_EQ(schema.at("description").get<std::string>().rfind(std::string(one.help) + ".", 0), 0U) << name;
        EXPECT_EQ(schema.value("default", json()), usual_of(one)) << name;
        if (!is_number(one)) continue;
        EXPECT_EQ(schema.at("minimum").get<double>(), one.range.least) << name;
        EXPECT_EQ(schema.value("exclusiveMinimum", false), one.range.above) << name;
        EXPECT_EQ(schema.contains("maximum"), !one.range.is_open()) << name;
        if (schema.contains("maximum")) {
            EXPECT_EQ(schema.at("maximum").get<double>(), one.range.most) << name;
        }
    }
}

TEST(ParametersInHttp, AreToldWithWhatThisServerAllows) {
    Served served;
    const json about = served.get("/api/about").json();
    std::size_t told = 0;
    for (const json& row : about.at("parameters")) {
        const Parameter& one = parameter(row.at("name").get<std::string>());
        ++told;
        EXPECT_TRUE(one.in_http);
        EXPECT_EQ(row.at("help"), one.help);
        EXPECT_EQ(row.at("usual"), usual_of(one)) << one.name;
        EXPECT_EQ(row.at("above"), one.range.above) << one.name;
        if (is_number(one)) {
            EXPECT_EQ(row.at("least").get<double>(), one.range.least) << one.name;
        }
        if (!row.at("most").is_null()) {
            EXPECT_LE(row.at("most").get<double>(), one.range.most) << one.name;
        }
    }
    const auto all = parameters();
    EXPECT_EQ(told, std::count_if(all.begin(), all.end(), [](const Parameter& one) { return one.in_http; }));
    for (const json& kind : about.at("problems")) {
        for (const json& name : kind.at("parameters")) EXPECT_NO_THROW((void)parameter(name.get<std::string>()));
    }
}

TEST(ParametersInHttp, RefuseNumbersOutsideTheirRange) {
    Served served;
    for (const Parameter& one : parameters()) {
        if (!is_number(one) || !one.in_http || one.group == ParameterGroup::vertices) continue;
        const std::string name(one.name);
        json request = request_with({{name, one.range.least - 1}});
        if (one.type == ParameterType::whole) request[name] = static_cast<std::int64_t>(one.range.least) - 1;
        for (const auto reader : words_of(one.readers)) {
            request["method"] = reader == "classical" ? "prim" : reader;
        }
        const Reply reply = served.ask("/api/solve", request);
        EXPECT_EQ(reply.status, 400) << name;
        EXPECT_EQ(reply.error().rfind(name + ":1: expected a ", 0), 0U) << reply.error();
    }
}

TEST(ParametersInHttp, LimitsCombine) {
    Served served;
    const json limits = {{"degree", 3}, {"hops", 2}, {"capacity", 2}, {"root", 4}, {"max_iterations", 50}};
    const json solution = served.ask("/api/solve", request_with(limits)).json();
    EXPECT_EQ(solution.at("problem"), "tree");
    EXPECT_EQ(solution.at("edges").size(), 4U);
    const json included = {{"include_edges", {{0, 2}}}, {"diameter", 3}, {"max_iterations", 50}};
    const std::string edges = served.ask("/api/solve", request_with(included)).json().at("edges").dump();
    EXPECT_TRUE(edges.find("[0,2]") != std::string::npos || edges.find("[2,0]") != std::string::npos) << edges;
}

TEST(ParametersInHttp, SeveralRootsMakeAForest) {
    Served served;
    const json two = {{"root", {4, 1}}, {"capacity", 2}, {"max_iterations", 50}};
    const json solution = served.ask("/api/solve", request_with(two)).json();
    EXPECT_EQ(solution.at("edges").size(), 3U);
    EXPECT_EQ(solution.at("roots"), json({1, 4}));
    EXPECT_EQ(served.ask("/api/solve", request_with({{"root", json::array()}, {"hops", 2}})).status, 400);
}

TEST(ParametersInHttp, OfNoUseAreRefusedInTheWordsOfJson) {
    Served served;
    const auto expect = [&](const json& more, const std::string& words) {
        const Reply reply = served.ask("/api/solve", request_with(more));
        EXPECT_EQ(reply.status, 400) << more;
        EXPECT_NE(reply.error().find(words), std::string::npos) << reply.error();
    };
    expect({{"samples", 5}}, R"("samples" is for "method": "sample", and this one is search: leave out one of them)");
    expect({{"method", "greedy"}, {"time_limit", 1}}, R"("time_limit" is for "method": "search")");
    expect({{"method", "greedy"}, {"start", 1}, {"starts", 2}}, R"("start" names the one start, and "starts" asks)");
    expect({{"method", "greedy"}, {"augmentations_per_start", 2}}, R"(they need "augmentations", 2 or more)");
    expect({{"capacity", 2}}, R"(loads are counted from a root: give one ("root") with "capacity")");
    expect({{"root", 2}}, R"(a root is of no use here: nothing is counted from it ("hops", "length", "capacity")");
    expect({{"initial", "first"}}, R"(initial: expected one of best, classical, policy, both, found "first")");
    expect({{"augment", 2}}, R"("augment" is called "augmentations" now)");
    expect({{"degre", 2}}, R"(unknown key "degre": expected instance, problem, root, degree)");
}

}  // namespace

}  // namespace neuroprim::test
