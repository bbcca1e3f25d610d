#include <algorithm>
#include <set>

#include "serve/api.hpp"
#include "serve/client.hpp"
#include "serve/parameter_fields.hpp"

namespace neuroprim::test {

namespace {

using nlohmann::json;

std::string upper_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    return text;
}

TEST(Described, EveryRouteIsAndNothingElse) {
    const Description description{serve::description()};
    std::set<std::string> described;
    for (const auto& [path, operations] : description.document().at("paths").items()) {
        for (const auto& [method, operation] : operations.items()) described.insert(upper_case(method) + " " + path);
    }
    std::set<std::string> routed;
    for (const auto& route : serve::routes())
        routed.insert(std::string(route.method) + " " + std::string(route.path));
    EXPECT_EQ(described, routed);
}

TEST(Described, EveryReferenceLeadsSomewhere) {
    const Description description{serve::description()};
    const auto follow = [&](const auto& self, const json& value) -> void {
        EXPECT_TRUE(description.resolved(value).is_structured());
        for (const auto& part : value) {
            if (part.is_structured()) self(self, part);
        }
    };
    follow(follow, description.document());
}

/// A request with a field that nobody knows is told the fields that there are: just those of the schema.
TEST(Described, TheServerTakesTheFieldsThatAreDescribed) {
    Served served;
    for (const auto& [path, operations] : served.description().document().at("paths").items()) {
        if (!operations.contains("post")) continue;
        const json& content = operations.at("post").at("requestBody").at("content");
        if (!content.contains("application/json")) continue;
        const json& schema = served.description().resolved(content.at("application/json").at("schema"));
        const std::string query = path == "/api/write" ? "?format=svg" : "";
        const std::string error = served.ask(path + query, json{{"nonsense", 1}}).error();
        const std::string list = error.substr(error.find("expected ") + 9) + ", ";
        std::set<std::string> taken;
        for (std::size_t at = 0, end = 0; (end = list.find(", ", at)) != std::string::npos; at = end + 2) {
            taken.insert(list.substr(at, end - at));
        }
        std::set<std::string> described;
        for (const auto& [key, member] : schema.at("properties").items()) described.insert(key);
        EXPECT_EQ(taken, described) << path;
    }
}

TEST(Described, ThePolicyOfThePageNamesWhatIsInIt) {
    Served served;
    const Reply reply = served.get("/");
    EXPECT_EQ(reply.status, 200);
    const std::string policy = reply.header("Content-Security-Policy");
    for (const char* part : {"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "connect-src 'self'",
                             "frame-ancestors 'none'"}) {
        EXPECT_NE(policy.find(part), std::string::npos) << policy;
    }
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    // One script and one style, no handlers or styles in attributes, which the policy would not let run.
    const auto count = [&](std::string_view what) {
        std::size_t found = 0;
        for (std::size_t at = reply.body.find(what); at != std::string::npos; at = reply.body.find(what, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("<style>"), 1U);
    EXPECT_EQ(count("<script>"), 1U);
    EXPECT_EQ(count("<script src"), 0U);
    EXPECT_EQ(count(" style=\""), 0U);
    EXPECT_EQ(count(" onclick="), 0U);
}

}  // namespace

}  // namespace neuroprim::test
