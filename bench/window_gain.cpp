// What windows of a policy gain on trees of the search, at equal time: the search for T + U seconds, and the search
// for T seconds whose tree is rebuilt for U seconds.
//
//   window_gain model.safetensors [--n 100,200,500,1000] [--instances 4] [--first 0] [--times 1,1] [--threads 2]
//               [--kinds hops,capacity,…]
//
// A line of CSV per instance: kind, n, seed, cost after T, after T + U, after T and windows for U, passes.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/policy.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"
#include "search/windows/window_rebuilding.hpp"

namespace {

using namespace neuroprim;

struct Kind {
    const char* name;
    const char* preset;
    ProblemOptions (*limits)(Vertex n);
};

/// About as many as a tree with little room to spare needs.
int hops_for(Vertex n) {
    return static_cast<int>(std::lround(0.9 * std::log2(n)));
}

const std::vector<Kind> kinds = {
    {"hops", "hmst", [](Vertex n) { return ProblemOptions{.root = 0, .hops = hops_for(n)}; }},
    {"capacity", "cmst", [](Vertex) { return ProblemOptions{.root = 0, .capacity = 15}; }},
    {"diameter", "bdmst", [](Vertex n) { return ProblemOptions{.diameter = 2 * hops_for(n)}; }},
    {"length", "lmst", [](Vertex) { return ProblemOptions{.root = 0, .length = 1.5}; }},
    {"degree+hops", "tree", [](Vertex n) { return ProblemOptions{.degree = 3, .root = 0, .hops = hops_for(n) + 5}; }},
    {"capacity+hops", "tree", [](Vertex) { return ProblemOptions{.root = 0, .hops = 5, .capacity = 15}; }},
    {"degree+hops+length", "tree",
     [](Vertex n) { return ProblemOptions{.degree = 4, .root = 0, .hops = hops_for(n) + 5, .length = 1.8}; }},
};

Solution searched(const Problem& problem, double seconds, int threads, std::uint64_t seed) {
    SolveOptions options;
    options.initial = Initial::classical;
    options.time_limit = seconds;
    options.threads = threads;
    options.seed = seed;
    return solve(problem, options);
}

std::vector<double> numbers(const std::string& text) {
    std::vector<double> result;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) result.push_back(std::stod(word));
    return result;
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc < 2) throw InputError("usage: window_gain model.safetensors [--n 100,200] [--instances 4] …");
    std::vector<double> sizes = {100, 200, 500, 1000};
    std::vector<double> times = {1, 1};
    double instances = 4;
    double first = 0;
    double threads = 2;
    std::string only;
    for (int k = 2; k + 1 < argc; k += 2) {
        const std::string name = argv[k];
        if (name == "--kinds") {
            only = fmt::format(",{},", argv[k + 1]);
            continue;
        }
        const std::vector<double> values = numbers(argv[k + 1]);
        if (name == "--n") sizes = values;
        if (name == "--times") times = values;
        if (name == "--instances") instances = values.at(0);
        if (name == "--first") first = values.at(0);
        if (name == "--threads") threads = values.at(0);
    }
    const Policy policy = Policy::load(argv[1]);
    for (const double n : sizes) {
        for (const Kind& kind : kinds) {
            if (!only.empty() && only.find(fmt::format(",{},", kind.name)) == std::string::npos) continue;
            for (int k = 0; k < instances; ++k) {
                const auto seed = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(k);
                const Instance instance = generate({.n = static_cast<Vertex>(n), .seed = 800'000 + seed});
                const auto problem = make_problem(kind.preset, instance, kind.limits(instance.size()));
                const int shared = static_cast<int>(threads);
                const Solution before = searched(*problem, times.at(0), shared, seed);
                const Solution longer = searched(*problem, times.at(0) + times.at(1), shared, seed);
                WindowOptions windows{.augmentations = 1, .samples = 16, .seed = seed, .threads = shared};
                const auto end = StopToken::Clock::now() + std::chrono::duration_cast<StopToken::Clock::duration>(
                                                               std::chrono::duration<double>(times.at(1)));
                const StopToken stop(end, {});
                WindowRebuilding rebuilding(policy, *problem, before.tree, windows, stop);
                int passes = 0;
                while (!stop.expired()) {
                    rebuilding.pass(stop);
                    ++passes;
                }
                fmt::print("{},{:g},{},{:.6f},{:.6f},{:.6f},{}\n", kind.name, n, seed, before.cost, longer.cost,
                           problem->cost(rebuilding.tree()), passes);
                std::fflush(stdout);
            }
        }
    }
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "window_gain: {}\n", error.what());
    return 2;
}
