#pragma once

// Kinds of limits for benchmarks of the policy on any number of vertices, and what their drivers share.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"

namespace neuroprim::bench {

struct Kind {
    const char* name;
    const char* preset;
    ProblemOptions (*limits)(Vertex n);
};

/// About as many as a tree with little room to spare needs.
inline int hops_for(Vertex n) {
    return static_cast<int>(std::lround(0.9 * std::log2(n)));
}

inline const std::vector<Kind> kinds = {
    {"hops", "hmst", [](Vertex n) { return ProblemOptions{.root = 0, .hops = hops_for(n)}; }},
    {"capacity", "cmst", [](Vertex) { return ProblemOptions{.root = 0, .capacity = 15}; }},
    {"diameter", "bdmst", [](Vertex n) { return ProblemOptions{.diameter = 2 * hops_for(n)}; }},
    {"length", "lmst", [](Vertex) { return ProblemOptions{.root = 0, .length = 1.5}; }},
    {"degree+hops", "tree", [](Vertex n) { return ProblemOptions{.degree = 3, .root = 0, .hops = hops_for(n) + 5}; }},
    {"capacity+hops", "tree", [](Vertex) { return ProblemOptions{.root = 0, .hops = 5, .capacity = 15}; }},
    {"degree+hops+length", "tree",
     [](Vertex n) { return ProblemOptions{.degree = 4, .root = 0, .hops = hops_for(n) + 5, .length = 1.8}; }},
};

/// Random uniform points in the unit square.
inline Instance instance_of(Vertex n, std::uint64_t seed) {
    return generate({.n = n, .seed = 800'000 + seed});
}

/// By the search without a policy.
inline Solution searched(const Problem& problem, double seconds, int threads, std::uint64_t seed) {
    SolveOptions options;
    options.initial = Initial::classical;
    options.time_limit = seconds;
    options.threads = threads;
    options.seed = seed;
    return solve(problem, options);
}

struct Settings {
    std::vector<double> sizes;
    std::vector<double> times;
    int instances = 1;
    std::uint64_t first = 0;
    int threads = 2;
    std::vector<std::string> only = {};  ///< names of kinds; empty: all
};

/// What the command line says after the policy's file.
inline Settings settings_from(int argc, char** argv, Settings settings) {
    for (int k = 2; k + 1 < argc; k += 2) {
        const std::string name = argv[k];
        const std::string value = argv[k + 1];
        if (name == "--n")
            settings.sizes = numbers(value);
        else if (name == "--times")
            settings.times = numbers(value);
        else if (name == "--instances")
            settings.instances = std::stoi(value);
        else if (name == "--first")
            settings.first = std::stoull(value);
        else if (name == "--threads")
            settings.threads = std::stoi(value);
        else if (name == "--kinds")
            settings.only = parts(value);
        else
            throw InputError("unknown option " + name);
    }
    return settings;
}

/// Calls `visit(kind, n)` for every size and kind that is asked for.
template <class Visit>
void for_each_case(const Settings& settings, Visit&& visit) {
    for (const double n : settings.sizes) {
        for (const Kind& kind : kinds) {
            const auto& only = settings.only;
            const bool is_asked = std::find(only.begin(), only.end(), kind.name) != only.end();
            if (only.empty() || is_asked) visit(kind, static_cast<Vertex>(n));
        }
    }
}

}  // namespace neuroprim::bench
