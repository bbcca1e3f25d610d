#include "train/configuration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "neuroprim/error.hpp"
#include "neuroprim/limits.hpp"
#include "neuroprim/parameters.hpp"
#include "train_support.hpp"

namespace neuroprim::train {
namespace {

std::string error_of(const std::string& name, const std::string& text) {
    const TemporaryFolder folder;
    std::ofstream(folder / name) << text;
    Configuration configuration;
    try {
        for (const Setting& s : read_settings(folder / name)) set(configuration, s.name, s.value, s.source, s.line);
        check(configuration);
    } catch (const InputError& error) {
        const std::string message = error.what();
        const auto path = (folder / name).string();
        return message.starts_with(path) ? name + message.substr(path.size()) : message;
    }
    return "";
}

TEST(Configuration, ReadsTomlAndJsonAlike) {
    const TemporaryFolder folder;
    std::ofstream(folder / "a.toml") << "problem = 'mrcst' # a comment\nlearning_rate = 1\nn = 20\n"
                                        "distinct_starts = true\n";
    std::ofstream(folder / "a.json")
        << R"({"problem": "mrcst", "learning_rate": 1.0, "n": 20, "distinct_starts": true})";
    for (const char* name : {"a.toml", "a.json"}) {
        Configuration c;
        for (const Setting& s : read_settings(folder / name)) set(c, s.name, s.value, s.source, s.line);
        EXPECT_EQ(c.problem, "mrcst");
        EXPECT_EQ(c.learning_rate, 1.0);
        EXPECT_EQ(c.n, 20);
        EXPECT_TRUE(c.distinct_starts);
    }
}

TEST(Configuration, HasTheLimitsOfTheTableOfParameters) {
    int limits = 0;
    for (const Option& option : options()) {
        if (!std::holds_alternative<Range Configuration::*>(option.member)) continue;
        ++limits;
        const Parameter& known = parameter(option.name);
        EXPECT_TRUE(option.help.starts_with(known.help.substr(0, known.help.find(';')))) << option.name;
        EXPECT_GE(option.least, known.range.least) << option.name;
    }
    EXPECT_EQ(limits, 6);
    // What is one number and has a preset can be trained for.
    for (const NumberLimit& limit : number_limits()) {
        const auto named = [&](const Option& option) { return option.name == limit.name; };
        if (limit.preset != "tree") {
            EXPECT_TRUE(std::any_of(options().begin(), options().end(), named)) << limit.name;
        }
    }
}

TEST(Configuration, TakesFormerNamesOfOptions) {
    Configuration configuration;
    set(configuration, "waste", 0.25, "old.toml", 1);
    EXPECT_EQ(configuration.pruned_edge_penalty, 0.25);
}

std::map<std::string, Value> values_in(const std::filesystem::path& path) {
    std::map<std::string, Value> values;
    for (const Setting& setting : read_settings(path)) values[setting.name] = setting.value;
    return values;
}

/// What bench/gpu/configs writes for programs without toml++.
TEST(Configuration, OfEveryFileInConfigsIsTheSameAsJson) {
    if (std::system("python3 -c 'import tomllib' 2>/dev/null") != 0) GTEST_SKIP() << "no Python that reads TOML";
    const TemporaryFolder folder;
    const std::filesystem::path source = NEUROPRIM_SOURCE_DIR;
    ASSERT_EQ(std::system(((source / "bench/gpu/configs").string() + " " + folder.path().string()).c_str()), 0);
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / "configs")) {
        if (entry.path().extension() != ".toml") continue;
        auto json = folder.path() / std::filesystem::relative(entry.path(), source / "configs");
        EXPECT_EQ(values_in(json.replace_extension(".json")), values_in(entry.path())) << entry.path();
        ++files;
    }
    EXPECT_GT(files, 10);
}

TEST(Configuration, NamesFileAndLineOfAnUnknownKey) {
    EXPECT_EQ(error_of("a.toml", "n = 20\n\nlearning_rat = 1e-4\n"), "a.toml:3: unknown option \"learning_rat\"");
    EXPECT_EQ(error_of("a.json", "{\n\"n\": 20,\n\"degre\": 2}"), "a.json:3: unknown option \"degre\"");
}

TEST(Configuration, NamesFileAndLineOfAWrongValue) {
    EXPECT_EQ(error_of("a.toml", "n = 20.5\n"), "a.toml:1: n: expected a whole number, found 20.5");
    EXPECT_EQ(error_of("a.toml", "\ndistinct_starts = \"False\"\n"),
              "a.toml:2: distinct_starts: expected true or false, found \"False\"");
    EXPECT_EQ(error_of("a.json", "{\"schedule\":\n \"cosin\"}"),
              "a.json:1: schedule: expected one of constant, cosine, found \"cosin\"");
    EXPECT_EQ(error_of("a.toml", "heads = 100"), "a.toml:1: heads: expected a number from 1 to 64, found 100");
    EXPECT_EQ(error_of("a.toml", "n = [1, 2]"), "a.toml:1: n: expected a number, a text, true or false");
    EXPECT_EQ(error_of("a.toml", "\n[model]\nd_v = 16"),
              "a.toml:2: [model]: options stand in one flat list, without tables");
}

TEST(Configuration, NamesTheLineOfASyntaxError) {
    EXPECT_TRUE(error_of("a.toml", "n = 20\nd_v = = 3\n").starts_with("a.toml:2: "));
    EXPECT_TRUE(error_of("a.json", "{\n\"n\": 20,\n}").starts_with("a.json:3: "));
    EXPECT_EQ(error_of("a.json", "{\"n\": 20,\n\"n\": 30}"), "a.json:1: n is given twice");
    EXPECT_EQ(error_of("a.yaml", "n: 20"), "a.yaml: expected a name ending in .toml or .json");
}

TEST(Configuration, RefusesValuesThatDoNotFitTogether) {
    EXPECT_EQ(error_of("a.toml", "problem = 'dcmst'"),
              "dcmst needs a degree limit: --degree D, or one per vertex in the input");
    EXPECT_EQ(error_of("a.toml", "problem = 'mst'\nn = 30\nn_max = 20"), "configuration: n_max 20 is less than n 30");
    EXPECT_EQ(error_of("a.toml", "problem = 'mst'\nd_e = 12"), "configuration: d_e 12 is not a multiple of heads 8");
    EXPECT_EQ(error_of("a.toml", "problem = 'mst'\nweights = 'mixed'\nfeatures = 'distance'"),
              "configuration: weights mixed: the policy would not see them; give it the features distance,weights");
    EXPECT_EQ(error_of("a.toml", "problem = 'mst'\nfeatures = 'specification,weights'"),
              "configuration: feature \"weights\" needs feature \"distance\"");
    EXPECT_EQ(error_of("a.toml", "problem = 'mst'\nfeatures = 'hops'"),
              "configuration: feature \"hops\" is unknown to this version");
    EXPECT_EQ(error_of("a.toml", "problem = 'mst'\nimitates = 'm.safetensors'\nteacher = 3"),
              "configuration: imitates and teacher do not go together");
    EXPECT_EQ(error_of("a.toml", "mix = 'mst'\nimitates = 'm.safetensors'"),
              "configuration: imitates and mix do not go together: say imitates=FILE after each kind of the mix that "
              "learns so");
    EXPECT_EQ(error_of("a.toml", "problem = 'mst'\ndevice = 'tpu'"),
              "configuration: device: expected auto, cpu, cuda or cuda:K, found \"tpu\"");
}

TEST(Configuration, IsTheSameAfterWritingAndReading) {
    Configuration c;
    c.problem = "stp";
    c.learning_rate = 0.1 + 0.2;
    c.distinct_starts = true;
    c.time_limit = 1e-3;
    c.init = "a \"quoted\" name";
    const TemporaryFolder folder;
    std::ofstream(folder / "config.json") << to_json(c);
    Configuration back;
    for (const Setting& s : read_settings(folder / "config.json")) set(back, s.name, s.value, s.source, s.line);
    EXPECT_EQ(back, c);
}

TEST(Configuration, OfThePaperHasAQuarterMillionUpdates) {
    Configuration c;
    for (const Setting& s : preset_settings("paper")) set(c, s.name, s.value, s.source, s.line);
    EXPECT_EQ(c.updates, 250000);
    EXPECT_EQ(c.graphs * c.trajectories, 500);
    EXPECT_EQ(c.learning_rate, 1e-4);
    EXPECT_EQ(c.policy().d_v, 256);
    EXPECT_THROW((void)preset_settings("papr"), InputError);
}

TEST(Configuration, OfAResumedRunKeepsTheMethod) {
    Configuration stored;
    Configuration wanted = stored;
    wanted.threads = 7;
    wanted.updates = stored.updates + 1;
    EXPECT_NO_THROW(check_resumable(stored, wanted, "run"));
    wanted.learning_rate *= 2;
    EXPECT_THROW(check_resumable(stored, wanted, "run"), InputError);
    wanted = stored;
    stored.schedule = wanted.schedule = "cosine";
    wanted.updates = stored.updates + 1;
    EXPECT_THROW(check_resumable(stored, wanted, "run"), InputError);
}

}  // namespace
}  // namespace neuroprim::train
