#include "formats/write/json_object.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "formats/write/writers.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"

namespace neuroprim::formats {
namespace {

using nlohmann::json;

TEST(JsonObject, SaysTheSameInLinesAndInOneLine) {
    const auto written = [](JsonObject::Layout layout) {
        JsonObject object(layout);
        object.text("name", "a \"quoted\" name");
        object.text_or_null("nothing", "");
        object.number("infinite", std::numeric_limits<double>::infinity());
        object.number("third", 1.0 / 3);
        object.flag("yes", true);
        object.list("numbers", std::vector<double>{0.1, 1e-300, 2});
        object.edges("edges", std::vector<Edge>{{0, 1}, {1, 2}});
        object.long_list("empty", 0, [](std::string&, std::size_t) {});
        object.long_list("squares", 3, [](std::string& out, std::size_t i) { out += std::to_string(i * i); });
        return std::move(object).finish();
    };
    const std::string line = written(JsonObject::Layout::line);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(json::parse(line), json::parse(written(JsonObject::Layout::lines)));
    EXPECT_EQ(json::parse(line), (json{{"name", "a \"quoted\" name"},
                                       {"nothing", nullptr},
                                       {"infinite", nullptr},
                                       {"third", 1.0 / 3},
                                       {"yes", true},
                                       {"numbers", {0.1, 1e-300, 2}},
                                       {"edges", {{0, 1}, {1, 2}}},
                                       {"empty", json::array()},
                                       {"squares", {0, 1, 4}}}));
}

TEST(JsonObject, AnInstanceOnALineReadsBack) {
    using Shape = GenerateOptions::Shape;
    for (const Shape shape : {Shape::uniform, Shape::matrix, Shape::sparse}) {
        const Instance instance = generate({.shape = shape, .n = 9, .terminals = 3, .average_degree = 4, .seed = 2});
        const std::string line = instance_to_json_line(instance);
        EXPECT_EQ(json::parse(line), json::parse(instance_to_json(instance)));
        EXPECT_EQ(instance_to_json_line(parse_instances(line, "x.json").front()), line);
    }
}

TEST(JsonObject, ASolutionOnALineIsTheOneInAFile) {
    const Instance instance = generate({.n = 4, .seed = 2});
    Solution solution;
    solution.instance = "x";
    solution.problem = "mst";
    solution.n = 4;
    solution.method = "search";
    solution.seed = 18446744073709551615U;
    solution.cost = 3;
    solution.bound = 3;
    solution.tree = {0, {{0, 1}, {1, 2}, {2, 3}}};
    solution.found_by = "chance";
    solution.statistics = CostStatistics{3, 1, 4.5, 0.25};
    const json line = json::parse(solution_to_json_line(instance, solution));
    EXPECT_EQ(line, json::parse(solution_to_json(instance, solution)));
    EXPECT_EQ(line.at("proven_optimal"), true);
    EXPECT_EQ(line.at("seed"), 18446744073709551615U);
}

}  // namespace
}  // namespace neuroprim::formats
