// The promises that the fuzz targets check, on their corpus and on small changes of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>

#include "formats/text/input_file.hpp"
#include "fuzz/fuzz_input.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

struct Seed {
    std::string target;
    std::string file;
    std::string text;
};

/// As they are: not all targets read text.
std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

const std::vector<Seed>& corpus() {
    static const std::vector<Seed> seeds = [] {
        std::vector<Seed> result;
        const std::filesystem::path folder = NEUROPRIM_SOURCE_DIR "/tests/fuzz/corpus";
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (!entry.is_regular_file()) continue;
            result.push_back({entry.path().parent_path().filename().string(), entry.path().filename().string(),
                              bytes_of(entry.path())});
        }
        std::sort(result.begin(), result.end(), [](const Seed& a, const Seed& b) {
            return std::tie(a.target, a.file) < std::tie(b.target, b.file);
        });
        return result;
    }();
    return seeds;
}

/// Targets that are no formats of instances.
const std::set<std::string> other_targets = {"cables",      "detect",  "input-list", "obstacles",
                                             "safetensors", "streets", "tree"};

TEST(MutatedInput, CorpusHasFilesForEveryFormat) {
    std::set<std::string> targets;
    for (const auto& seed : corpus()) targets.insert(seed.target);
    std::set<std::string> expected = other_targets;
    for (const auto& format : input_formats()) expected.emplace(format.name);
    for (const auto* others_read : {"osm", "gdal"}) expected.erase(others_read);  // where their libraries are there
    EXPECT_EQ(targets, expected);
}

TEST(MutatedInput, CorpusIsAcceptedAsItIs) {
    for (const auto& [target, file, text] : corpus()) {
        fuzz::run(target, text);
        if (!other_targets.contains(target)) {
            EXPECT_NO_THROW(static_cast<void>(parse_instances(text, file, target))) << file;
        }
    }
}

TEST(MutatedInput, EveryCutKeepsThePromises) {
    for (const auto& [target, file, text] : corpus()) {
        for (std::size_t size = 0; size <= text.size(); ++size) {
            fuzz::run(target, std::string_view(text).substr(0, size));
            fuzz::run("detect", std::string_view(text).substr(0, size));
        }
    }
}

TEST(MutatedInput, EveryReaderSurvivesTheFilesOfAllOthers) {
    for (const auto& seed : corpus()) {
        for (const auto& format : input_formats()) fuzz::run(format.name, seed.text);
        fuzz::run("tree", seed.text);
    }
}

TEST(MutatedInput, RandomChangesKeepThePromises) {
    Random random(2024);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random.below(bound)); };
    const std::string telling = "0123456789-+.eE,;:#\"\\[]{}\t\n\r \xff";
    for (const auto& [target, file, text] : corpus()) {
        for (int round = 0; round < 400; ++round) {
            std::string changed = text;
            for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
                const std::size_t at = below(changed.size());
                switch (below(4)) {
                    case 0:
                        changed[at] = static_cast<char>(changed[at] ^ (1 << below(8)));
                        break;
                    case 1:
                        changed[at] = telling[below(telling.size())];
                        break;
                    case 2:
                        changed.insert(at, changed.substr(below(changed.size()), below(20)));
                        break;
                    default:
                        changed.erase(at, std::min(changed.size() - 1, below(10)));
                        break;
                }
            }
            fuzz::run(target, changed);
            fuzz::run("detect", changed);
        }
    }
}

}  // namespace
}  // namespace neuroprim
