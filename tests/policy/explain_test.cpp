#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "neuroprim/explanation_files.hpp"
#include "neuroprim/generate.hpp"

namespace neuroprim {
namespace {

class Explain : public ::testing::Test {
protected:
    Explain() : instance(generate({.n = 12, .terminals = 4, .seed = 5})), problem(make_problem("stp", instance)) {
        PolicyConfig config;
        config.d_v = 32;
        config.d_f = 32;
        config.encoder_layers = 1;
        const Encoded encoded(Policy::random(config, 3), *problem);
        options.start = problem->starts().front();
        greedy = explain(encoded, *problem, options);
        options.mode = DecodeMode::sample;
        options.alternatives = 2;
        sampled = explain(encoded, *problem, options);
        rollout = decode(encoded, *problem, std::vector{Start{options.start, 0}}).front();
    }

    Instance instance;
    std::unique_ptr<Problem> problem;
    ExplainOptions options;
    Explanation greedy;
    Explanation sampled;
    Rollout rollout;
};

TEST_F(Explain, TellsTheTreeThatDecodingBuilds) {
    ASSERT_TRUE(greedy.complete);
    EXPECT_EQ(greedy.tree, rollout.tree);
    ASSERT_EQ(greedy.steps.size(), rollout.tree.edges.size());
    for (std::size_t k = 0; k < greedy.steps.size(); ++k) EXPECT_EQ(greedy.steps[k].chosen, rollout.tree.edges[k]);
}

TEST_F(Explain, ProbabilitiesMultiplyToThatOfTheTree) {
    for (const auto& explanation : {greedy, sampled}) {
        double sum = 0;
        for (const auto& step : explanation.steps) sum += std::log(step.probability);
        EXPECT_NEAR(sum, explanation.log_probability, 1e-4);
    }
}

TEST_F(Explain, GreedyTakesTheMostProbableAlternative) {
    for (const auto& step : greedy.steps) {
        ASSERT_FALSE(step.alternatives.empty());
        EXPECT_EQ(step.alternatives.front().edge, step.chosen);
        for (std::size_t k = 1; k < step.alternatives.size(); ++k) {
            EXPECT_GE(step.alternatives[k - 1].probability, step.alternatives[k].probability);
        }
        EXPECT_LE(step.alternatives.size(), 5U);
        EXPECT_GE(step.entropy, 0);
        EXPECT_LE(step.entropy, std::log(static_cast<double>(step.open_edges)) + 1e-6);
    }
}

TEST_F(Explain, TheSampledEdgeIsAlwaysAmongTheAlternatives) {
    for (const auto& step : sampled.steps) {
        EXPECT_TRUE(std::any_of(step.alternatives.begin(), step.alternatives.end(),
                                [&](const Alternative& choice) { return choice.edge == step.chosen; }));
    }
}

TEST_F(Explain, JsonHoldsEveryStep) {
    const auto report = nlohmann::json::parse(explanation_to_json(instance, greedy));
    ASSERT_EQ(report["steps"].size(), greedy.steps.size());
    EXPECT_EQ(report["steps"][0]["edge"][0], greedy.steps[0].chosen.u);
    EXPECT_DOUBLE_EQ(report["steps"][0]["entropy"].get<double>(), greedy.steps[0].entropy);
    EXPECT_DOUBLE_EQ(report["cost"].get<double>(), greedy.cost);
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

TEST_F(Explain, TheMovingPictureShowsEveryStepAndClosesItsTags) {
    const std::string svg = explanation_to_animation(instance, greedy);
    EXPECT_EQ(count(svg, "<g "), count(svg, "</g>") - count(svg, "<g>"));
    for (std::size_t k = 1; k <= greedy.steps.size(); ++k) {
        EXPECT_EQ(count(svg, "step " + std::to_string(k) + ":"), 1U);
    }
    EXPECT_EQ(count(svg, "id=\"round\""), 1U);
}

TEST_F(Explain, TheStripBeginsWithTheStartAndEndsWithTheTree) {
    const Picture strip = explanation_to_strip(instance, greedy, 4);
    std::vector<std::string> words;
    for (const auto& shape : strip.shapes) {
        if (const auto* label = std::get_if<Label>(&shape)) words.push_back(label->text);
    }
    ASSERT_EQ(words.size(), std::min<std::size_t>(4, greedy.steps.size() + 1));
    EXPECT_EQ(words.front().rfind("step 1,", 0), 0U);
    EXPECT_EQ(words.back().rfind("cost ", 0), 0U);
}

}  // namespace
}  // namespace neuroprim
