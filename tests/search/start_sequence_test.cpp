#include "search/start_sequence.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim {
namespace {

/// All starts as a list, and of those the ones for a side: written plainly, with memory for each.
std::vector<Start> listed_starts(const Problem& problem, const NeuralOptions& options) {
    const std::vector<Vertex> allowed = problem.starts();
    std::vector<Start> result;
    if (options.mode == DecodeMode::greedy) {
        const std::size_t count = options.starts == 0 ? allowed.size() : std::min(options.starts, allowed.size());
        for (std::size_t k = 0; k < count; ++k) result.push_back({allowed[k * allowed.size() / count], k});
        return result;
    }
    const std::size_t count = options.samples == 0 ? 20 * allowed.size() : options.samples;
    for (std::size_t k = 0; k < count; ++k) result.push_back({allowed[k % allowed.size()], k});
    return result;
}

std::vector<Start> listed_share(const std::vector<Start>& part, std::size_t side, std::size_t sides, int spread) {
    const auto each = static_cast<std::size_t>(spread);
    if (each == 0 || each >= sides) return part;
    std::vector<Start> result;
    for (std::size_t k = 0; k < part.size(); ++k) {
        for (std::size_t turn = 0; turn < each; ++turn) {
            if ((k * each + turn) % sides == side) result.push_back(part[k]);
        }
    }
    return result;
}

std::vector<std::pair<Vertex, std::uint64_t>> pairs_of(const std::vector<Start>& starts) {
    std::vector<std::pair<Vertex, std::uint64_t>> result;
    for (const Start& start : starts) result.emplace_back(start.vertex, start.stream);
    return result;
}

TEST(StartSequence, GivesWhatAListWouldHold) {
    Random random(7);
    for (int trial = 0; trial < 200; ++trial) {
        const auto below = [&](std::uint64_t end) { return static_cast<int>(random.below(end)); };
        const Instance instance = generate({.n = 1 + below(15), .seed = random.next()});
        const auto problem = make_problem("mst", instance);
        NeuralOptions options;
        options.mode = below(2) == 0 ? DecodeMode::greedy : DecodeMode::sample;
        options.starts = random.below(20);
        options.samples = random.below(60);
        const std::vector<Start> listed = listed_starts(*problem, options);
        const StartSequence sequence(*problem, options);
        ASSERT_EQ(sequence.size(), listed.size());

        const std::size_t rounds = 1 + random.below(4);
        const std::size_t sides = 1 + random.below(9);
        const int spread = below(10);
        for (std::size_t round = 0; round < rounds; ++round) {
            const std::size_t begin = listed.size() * round / rounds;
            const std::size_t end = listed.size() * (round + 1) / rounds;
            const std::vector<Start> part(listed.begin() + static_cast<std::ptrdiff_t>(begin),
                                          listed.begin() + static_cast<std::ptrdiff_t>(end));
            for (std::size_t side = 0; side < sides; ++side) {
                StartShare share(sequence, {sequence.begin_of(round, rounds), sequence.begin_of(round + 1, rounds)},
                                 {side, sides, spread});
                std::vector<Start> given;
                for (auto next = share.next(4); !next.empty(); next = share.next(4)) {
                    given.insert(given.end(), next.begin(), next.end());
                }
                EXPECT_EQ(pairs_of(given), pairs_of(listed_share(part, side, sides, spread)));
            }
        }
    }
}

std::vector<Vertex> vertices_of(const StartSequence& sequence) {
    std::vector<Vertex> result;
    for (std::size_t k = 0; k < sequence.size(); ++k) result.push_back(sequence[k].vertex);
    return result;
}

TEST(StartSequence, SteinerTreesMayBeginAtOptionalVertices) {
    Instance instance = generate({.n = 5, .seed = 1});
    instance.terminals = {1, 3};
    const auto problem = make_problem("stp", instance);
    NeuralOptions options;
    EXPECT_EQ(vertices_of({*problem, options}), (std::vector<Vertex>{1, 3, 0, 2, 4}));
    options.starts = 2;
    EXPECT_EQ(vertices_of({*problem, options}), (std::vector<Vertex>{1, 3})) << "few starts are terminals";
    options.mode = DecodeMode::sample;
    const StartSequence samples(*problem, options);
    EXPECT_EQ(samples.size(), 40U) << "twenty for each terminal";
    EXPECT_EQ(samples[7].vertex, 3);
    const auto rooted = make_problem("stp", instance, {.root = 3, .hops = 3});
    EXPECT_EQ(all_starts(*rooted).size(), 1U);
}

TEST(StartSequence, ARootHasItsShortestEdgesFirst) {
    Instance instance;
    instance.weights = Weights::from_points({{0, 0}, {3, 0}, {1, 0}, {2, 0}, {9, 0}});
    const auto problem = make_problem("tree", instance, {.root = 0, .length = 10, .capacity = 2});
    NeuralOptions options;
    const auto first_edges = [&] {
        const StartSequence sequence(*problem, options);
        std::vector<Vertex> result;
        for (std::size_t k = 0; k < sequence.size(); ++k) {
            const Start start = sequence[k];
            EXPECT_EQ(start.vertex, 0);
            result.push_back(start.prefix.empty() ? no_vertex : start.prefix[0].v);
        }
        return result;
    };
    EXPECT_EQ(first_edges(), (std::vector<Vertex>{no_vertex, 2, 3, 1, 4}));
    options.starts = 3;
    EXPECT_EQ(first_edges(), (std::vector<Vertex>{no_vertex, 2, 3}));
    options.starts = 1;
    EXPECT_EQ(first_edges(), (std::vector<Vertex>{no_vertex}));
    options = {.start = 0};
    EXPECT_EQ(first_edges(), (std::vector<Vertex>{no_vertex}));
    options = {.beam = 2};
    EXPECT_EQ(first_edges(), (std::vector<Vertex>{no_vertex})) << "a beam tries first edges itself";
}

TEST(StartSequence, FirstEdgesTakeTurnsUnderAugmentations) {
    const Instance instance = generate({.n = 11, .seed = 1});
    const auto problem = make_problem("hmst", instance, {.root = 0, .hops = 3});
    const StartSequence sequence(*problem, {});
    std::vector<int> times(sequence.size());
    for (std::size_t side = 0; side < 4; ++side) {
        for (const Start& start : StartShare(sequence, {0, sequence.size()}, {side, 4, 0}).next(100)) {
            ++times[static_cast<std::size_t>(start.stream)];
        }
    }
    std::vector<int> expected(11, 1);
    expected[0] = 4;
    EXPECT_EQ(times, expected);
}

}  // namespace
}  // namespace neuroprim
