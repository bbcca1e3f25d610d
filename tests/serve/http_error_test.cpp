#include "serve/client.hpp"

namespace neuroprim::test {

namespace {

using nlohmann::json;

class Refusals : public testing::Test {
protected:
    void expect(int status, const std::string& message, const Reply& reply) {
        EXPECT_EQ(reply.status, status);
        EXPECT_EQ(reply.error(), message);
    }
    Reply solve(const std::string& body) { return served_.post("/api/solve", body); }

    Served served_;
};

TEST_F(Refusals, MalformedJsonIsToldWithWhatWasExpected) {
    expect(400, "body:1: expected an object { }, found the end of the file", solve(""));
    expect(400, "body:1: expected an object { }, found \"[\"", solve("[1]"));
    expect(400, "body:1: expected a comma or }, found the end of the file", solve(R"({"seed": 1)"));
    expect(400, "body:1: expected the end of the file, found \"x\"", solve("{} x"));
    EXPECT_EQ(solve("{\"instance\": " + std::string(1'000'000, '[')).status, 400);
    EXPECT_EQ(solve("{\"seed\": \"\xff\"}").status, 400);
}

TEST_F(Refusals, AFieldIsNamedByItsPath) {
    expect(400, "instance.points:1: expected a coordinate, found \"true\"",
           solve(R"({"instance": {"points": [[0, true]]}})"));
    expect(400, "instance.points:1: \"1e999\" is too large: numbers up to 1e+100 are understood",
           solve(R"({"instance": {"points": [[0, 1e999]]}})"));
    expect(
        400,
        "instance:1: unknown key \"weights\": expected name, n, points, metric, matrix, edges, terminals, "
        "degree_limits, leaves, demands, masses, prizes, groups, root, requirements, names, layout, map, obstacles",
        solve(R"({"instance": {"weights": [[0]]}})"));
    expect(400, "instance: expected one of the keys \"points\", \"matrix\" and \"edges\"",
           solve(R"({"instance": {}})"));
    expect(400, "body:1: key \"seed\" is given twice", solve(R"({"seed": 1, "seed": 2})"));
    expect(400, "degree:1: expected a whole number of at least 1, found \"0\"",
           solve(R"({"instance": {"points": [[0, 0]]}, "degree": 0})"));
    expect(400, "time_limit:1: expected a number above 0, at most 60, found \"61\"",
           solve(R"({"instance": {"points": [[0, 0]]}, "time_limit": 61})"));
    EXPECT_EQ(solve(R"({"instance": {"points": [[0, 0]]}, "seed": 99999999999999999999})").status, 400);
    EXPECT_EQ(solve(R"({"instance": {"points": [[0, 0]]}, "root": 1, "hops": 2})").status, 400);
    expect(400, "expected the key \"instance\"", solve("{}"));
}

TEST_F(Refusals, ProblemsSayWhatTheyNeed) {
    const auto asked = [&](const char* problem) {
        return solve(std::string(R"({"instance": {"points": [[0, 0], [1, 1]]}, "problem": ")") + problem + "\"}");
    };
    expect(400, R"(dcmst needs a degree limit: "degree", or one per vertex in the input)", asked("dcmst"));
    expect(400, R"(hmst needs a hop limit: "hops")", asked("hmst"));
    expect(400, R"(stp needs terminals: "terminals", or marked in the input)", asked("stp"));
    expect(400, "ocst needs the traffic between every pair: an input with requirements (OCST file or JSON)",
           asked("ocst"));
    expect(400,
           "unknown problem \"tsp\": expected one of mst, dcmst, mrcst, ocst, stp, hmst, cmst, "
           "bdmst, lmst, pcst, gmst, cables, tree",
           asked("tsp"));
    EXPECT_EQ(solve(R"({"instance": {"points": [[0, 0]]}, "method": "magic"})").status, 400);
    EXPECT_EQ(solve(R"({"instance": {"points": [[0, 0]]}, "method": "greedy"})").status, 400);
}

TEST_F(Refusals, NoFeasibleTreeIs422) {
    const Reply reply = solve(R"({"instance": {"n": 3, "edges": [[0, 1, 1]]}, "problem": "mst"})");
    expect(422, "the graph is not connected: no path joins vertices 0 and 2", reply);
}

TEST_F(Refusals, AMillionPointsAreRefusedQuickly) {
    std::string body = R"({"instance": {"points": [[1,2])";
    for (int k = 1; k < 1'000'000; ++k) body += ",[1,2]";
    body += "]}}";
    const auto began = std::chrono::steady_clock::now();
    expect(413, "instance.points: at most 20000 vertices are taken", solve(body));
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
    expect(413, "instance.n: at most 20000 vertices are taken",
           solve(R"({"instance": {"n": 2000000000, "edges": []}})"));
    EXPECT_EQ(served_.ask("/api/generate", json{{"n", 1'000'000}}).status, 400);
    EXPECT_EQ(served_.post("/api/read", "x,y\n" + body.substr(0, 10), "text/csv").status, 400);
}

TEST_F(Refusals, MatricesAndPoliciesHaveLimitsOfTheirOwn) {
    std::string rows = "[]";
    for (int k = 0; k < 1001; ++k) rows += ",[]";
    expect(413, "instance.matrix: at most 1000 vertices with a number for each pair are taken",
           solve(R"({"instance": {"matrix": [)" + rows + "]}}"));
    const json large = served_.points(1100);
    expect(413, "1100 vertices: greedy takes at most 1000 here",
           served_.ask("/api/solve", json{{"instance", large}, {"problem", "mrcst"}, {"method", "greedy"}}));
    expect(413, "6000 vertices: prim takes at most 5000 here",
           served_.ask("/api/solve", json{{"instance", served_.points(6000)}, {"method", "prim"}}));
    expect(413, "1100 vertices: explain takes at most 300 here",
           served_.ask("/api/explain", json{{"instance", large}, {"problem", "mrcst"}}));
}

TEST_F(Refusals, LargeBodiesAreRefusedUnread) {
    const std::string large(20'000'000, ' ');
    expect(413, "the body may have at most 16777216 bytes", solve(large));
    expect(413, "the body may have at most 16777216 bytes",
           served_.post("/api/read", large, "application/octet-stream"));
}

TEST_F(Refusals, OtherTypesMethodsAndPathsAreRefused) {
    EXPECT_EQ(served_.post("/api/solve", "{}", "text/plain").status, 415);
    EXPECT_EQ(served_.post("/api/read", "--x--", "multipart/form-data; boundary=x").status, 415);
    EXPECT_EQ(served_.get("/api/solve").status, 405);
    EXPECT_EQ(served_.get("/api/solve").header("Allow"), "POST");
    EXPECT_EQ(served_.get("/nothing").status, 404);
    EXPECT_EQ(served_.get("/../../etc/passwd").status, 404);
    EXPECT_EQ(served_.post("/nothing", "{}").status, 404);
    EXPECT_EQ(served_.get("/api/health", {{"Content-Length", "5"}}).status, 400);
}

TEST_F(Refusals, OtherSitesAreRefused) {
    const std::string own = "localhost:" + std::to_string(served_.port());
    EXPECT_EQ(served_.get("/api/health", {{"Host", "evil.example"}}).status, 403);
    EXPECT_EQ(served_.get("/api/health", {{"Host", own}, {"Origin", "http://evil.example"}}).status, 403);
    EXPECT_EQ(served_.get("/api/health", {{"Host", own}, {"Origin", "http://localhost:1"}}).status, 403);
    EXPECT_EQ(served_.get("/api/health", {{"Host", own}, {"Origin", "null"}}).status, 403);
    EXPECT_EQ(served_.get("/api/health", {{"Host", own}, {"Origin", "http://" + own}}).status, 200);
    EXPECT_EQ(served_.get("/api/health", {{"Host", "[::1]:80"}}).status, 200);
}

TEST_F(Refusals, AReadFileIsOnlyEverItsOwnBytes) {
    const Reply reply = served_.post("/api/read?name=/etc/passwd", "hello", "application/octet-stream");
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.error().substr(0, 8), "passwd: ");
    EXPECT_EQ(served_.post("/api/read?name=a.csv&format=magic", "x,y\n1,2\n", "text/csv").status, 400);
}

TEST_F(Refusals, AWrittenTreeMustBeOne) {
    const auto write = [&](const char* edges) {
        return served_.post("/api/write?format=svg", std::string(R"({"instance": {"points": [[0, 0], [1, 1], [2, 2]]},
            "problem": "mst", "edges": )") + edges + "}");
    };
    expect(400, "edges:2: expected a vertex from 0 to 2, found \"3\"", write("[[0, 3]]"));
    EXPECT_EQ(write("[[0, 1]]").status, 400);
    EXPECT_EQ(write("[[0, 1, 2]]").status, 400);
    EXPECT_EQ(served_.ask("/api/write?format=exe", json{{"instance", {{"points", {{0, 0}}}}}}).status, 400);
}

}  // namespace

}  // namespace neuroprim::test
