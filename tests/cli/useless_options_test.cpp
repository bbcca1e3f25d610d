#include <gtest/gtest.h>

#include "cli/command_line.hpp"

namespace neuroprim::testing {
namespace {

struct Refusal {
    std::vector<std::string> options;
    std::string reason;
};

void expect_refusals(const std::vector<Refusal>& refusals) {
    for (const auto& [options, reason] : refusals) {
        std::vector<std::string> words = {"solve", examples + "fifty.csv"};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = neuroprim_command(words);
        EXPECT_EQ(outcome.exit_code, 2) << options.front();
        EXPECT_EQ(outcome.out, "") << options.front();
        EXPECT_NE(outcome.err.find(reason), std::string::npos) << options.front() << ": " << outcome.err;
        EXPECT_LT(outcome.err.size(), 300U) << outcome.err;
    }
}

TEST(UselessOptions, ContradictionsInASpecificationAreRefused) {
    expect_refusals({
        {{"--problem", "mst", "--hops", "3"}, "hops are counted from a root: give one (--root V) with --hops"},
        {{"--degree", "2", "--capacity", "3"}, "loads are counted from a root"},
        {{"--root", "3"}, "a root is of no use here"},
        {{"--problem", "mst", "--terminals", "1,2"}, "--terminals is of no use for mst"},
        {{"--problem", "mrcst", "--prizes", "1=2"}, "--prizes is of no use for mrcst"},
        {{"--capacity", "0.5", "--root", "0"}, "capacity 0.5, but vertex 1 has demand 1"},
        {{"--hops", "0", "--root", "0"}, "--hops: expected a whole number of at least 1, found \"0\""},
        {{"--capacity", "0", "--root", "0"}, "--capacity: expected a number above 0, found \"0\""},
        {{"--degree", "2.5"}, "--degree: expected a whole number of at least 1, found \"2.5\""},
        {{"--problem", "dcmst", "--degree", "3", "--masses", "1=2"}, "--masses is of no use for dcmst"},
        {{"--masses", "1"}, "--masses: expected VERTEX=NUMBER"},
        {{"--demands", "1=2"}, "--demands is of no use: nothing counts them, which --capacity and --cables do"},
        {{"--problem", "hmst", "--hops", "9", "--leaves", "3"}, "without --problem, all that is given counts"},
        {{"--groups", "1,2;3", "--prizes", "1=2"}, "--prizes is of no use beside the other options"},
        {{"--degre", "3"}, "--degre"},
        {{"--include-edges", "0-1,1-2,2-0"}, "the included edges close a cycle with 2-0"},
        {{"--include-edges", "0-1", "--exclude-edges", "1-0"}, "edge 0-1 is included and excluded"},
        {{"--include-edges", "0"}, "names no edge: expected two vertices as A-B"},
        {{"--groups", "1,2;2,3"}, "--groups: vertex 2 is in two of them"},
        {{"--groups", "1,2;3,4", "--terminals", "1,2"},
         "vertices 1 and 2 must be in the tree, but they are in one group"},
        {{"--prizes", "1=2,1=3"}, "fifty.csv: --prizes: vertex 1 is given twice"},
        {{"--terminals", ""}, "--terminals: expected A,B,C, found nothing"},
        {{"--hops", "3", "--root", "nobody"}, "neuroprim: fifty: no vertex is called \"nobody\""},
        {{"--terminals", "1,nobody"}, "fifty.csv: no vertex is called \"nobody\""},
        {{"--exclude-edges", "4-4"}, "excluded edge 4-4: the graph has no such edge"},
        {{"--hops", "3", "--root", "0", "--start", "7", "--method", "prim"},
         "cannot start at vertex 7: trees grow from root 0"},
        {{"--beginnings", "best"}, "--beginnings is called --initial now"},
        {{"--prizes", "1"}, "--prizes: expected VERTEX=NUMBER, found \"1\""},
        {{"--cables", "nothing.csv", "--root", "0"}, "nothing.csv"},
    });
}

TEST(UselessOptions, OfOtherMethodsAreRefused) {
    expect_refusals({
        {{"--samples", "5"}, "--samples is for --method sample, and this one is search"},
        {{"--method", "greedy", "--samples", "5"}, "--samples is for --method sample, and this one is greedy"},
        {{"--method", "kruskal", "--starts", "3"},
         "--starts is for --method greedy, beam, rebuild, and this one is kruskal"},
        {{"--method", "greedy", "--time-limit", "3"}, "--time-limit is for --method search"},
        {{"--method", "greedy", "--target-gap", "1"}, "--target-gap is for --method search"},
        {{"--method", "sample", "--max-iterations", "9"}, "--max-iterations is for --method search"},
        {{"--method", "kruskal", "--log", "log.csv"}, "--log is for --method search"},
        {{"--method", "kruskal", "--model", "a.safetensors"},
         "--model is for --method greedy, beam, sample, rebuild, search"},
        {{"--method", "greedy", "--temperature", "2"}, "--temperature is for --method sample"},
        {{"--method", "greedy", "--beam", "2"}, "--beam is for --method beam"},
        {{"--augmentations", "8"}, "--augmentations is for --method greedy, beam, sample"},
    });
}

TEST(UselessOptions, ThatContradictEachOtherAreRefused) {
    expect_refusals({
        {{"--method", "greedy", "--start", "1", "--starts", "3"}, "--start names the one start"},
        {{"--method", "greedy", "--augmentations-per-start", "1"}, "they need --augmentations"},
        {{"--method", "sample", "--rounds", "3"}, "they need --augmentations"},
        {{"--initial", "classical", "--model", "a.safetensors"}, "leave out --model"},
        {{"--augment", "8"}, "--augment is called --augmentations now"},
        {{"--method", "greedy", "--spread=1"}, "--spread is called --augmentations-per-start now"},
        {{"--log", "-"}, "--log needs a file"},
        {{"--results", "-"}, "--results needs a file"},
    });
}

TEST(Numbers, ThatMeanNothingAreRefused) {
    expect_refusals({
        {{"--time-limit", "nan"}, "--time-limit: expected a number above 0, at most 1e+09, found \"nan\""},
        {{"--time-limit", "-1"}, "--time-limit: expected a number above 0"},
        {{"--time-limit", "0"}, "--time-limit: expected a number above 0"},
        {{"--time-limit", "1e300"}, "--time-limit: expected a number above 0, at most 1e+09"},
        {{"--target-gap", "nan"}, "--target-gap: expected a number from 0"},
        {{"--target-gap", "-1"}, "--target-gap: expected a number from 0"},
        {{"--max-iterations", "-1"}, "--max-iterations: expected a whole number of at least 0"},
        {{"--max-iterations", "1.5"}, "--max-iterations: expected a whole number of at least 0"},
        {{"--no-improvement", "0"}, "--no-improvement: expected a whole number of at least 1"},
        {{"--seed", "-1"}, "--seed: expected a whole number of at least 0, found \"-1\""},
        {{"--seed", "99999999999999999999"}, "found \"99999999999999999999\", which is too large"},
        {{"--method", "sample", "--samples", "-4"}, "--samples: expected a whole number from 0"},
        {{"--method", "sample", "--samples", "1000000000000"}, "--samples: expected a whole number from 0"},
        {{"--method", "greedy", "--starts", "-4"}, "--starts: expected a whole number from 0"},
        {{"--method", "sample", "--temperature", "nan"}, "--temperature: expected a number above 0"},
        {{"--jobs", "0"}, "--jobs"},
        {{"--threads", "-1"}, "--threads: expected a whole number from 0 to 4096"},
        {{"--threads", "100000"}, "--threads"},
    });
}

TEST(Numbers, OfTheWholeRangeAreSeeds) {
    const Outcome outcome = neuroprim_command(
        {"solve", examples + "fifty.csv", "--problem", "mst", "--seed", "18446744073709551615", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\"seed\": 18446744073709551615"), std::string::npos) << outcome.out;
}

TEST(TargetGap, ThatTheTimeLimitLeftUnreachedIsTold) {
    const auto search = [](const char* seconds, const char* percent) {
        return std::vector<std::string>{"solve", examples + "fifty.csv", "--problem", "mrcst", "--time-limit",
                                        seconds, "--target-gap",         percent};
    };
    auto strict = search("0.1", "1");
    const Outcome missed = neuroprim_command(strict);
    EXPECT_EQ(missed.exit_code, 0);
    EXPECT_NE(missed.err.find("(time limit 0.1 s) without reaching the target gap of 1 %: "), std::string::npos)
        << missed.err;
    // The gap ends it, however long a busy machine takes.
    EXPECT_EQ(neuroprim_command(search("1000", "90")).err, "");
    strict.emplace_back("--quiet");
    EXPECT_EQ(neuroprim_command(strict).err, "");
}

}  // namespace
}  // namespace neuroprim::testing
