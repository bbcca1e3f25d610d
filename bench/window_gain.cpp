// What windows of a policy gain on trees of the search, at equal time: the search for T + U seconds, and the search
// for T seconds whose tree is rebuilt for U seconds.
//
//   window_gain model.safetensors [--n 100,200,500,1000] [--instances 4] [--first 0] [--times 1,1] [--threads 2]
//               [--kinds hops,capacity,…]
//
// A line of CSV per instance: kind, n, seed, cost after T, after T + U, after T and windows for U, passes.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "graph/stop_token.hpp"
#include "limit_kinds.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/policy.hpp"
#include "search/windows/window_rebuilding.hpp"

using namespace neuroprim;
using namespace neuroprim::bench;

int main(int argc, char** argv) try {
    if (argc < 2) throw InputError("usage: window_gain model.safetensors [--n 100,200] [--instances 4] …");
    const Settings settings =
        settings_from(argc, argv, {.sizes = {100, 200, 500, 1000}, .times = {1, 1}, .instances = 4});
    const Policy policy = Policy::load(argv[1]);
    for_each_case(settings, [&](const Kind& kind, Vertex n) {
        for (int k = 0; k < settings.instances; ++k) {
            const std::uint64_t seed = settings.first + static_cast<std::uint64_t>(k);
            const Instance instance = instance_of(n, seed);
            const auto problem = make_problem(kind.preset, instance, kind.limits(n));
            const double share = settings.times.at(1);
            const Solution before = searched(*problem, settings.times.at(0), settings.threads, seed);
            const Solution longer = searched(*problem, settings.times.at(0) + share, settings.threads, seed);
            WindowOptions windows{.augmentations = 1, .samples = 16, .seed = seed, .threads = settings.threads};
            const auto end = StopToken::Clock::now() + std::chrono::duration_cast<StopToken::Clock::duration>(
                                                           std::chrono::duration<double>(share));
            const StopToken stop(end, {});
            WindowRebuilding rebuilding(policy, *problem, before.tree, windows, stop);
            int passes = 0;
            while (!stop.expired()) {
                rebuilding.pass(stop);
                ++passes;
            }
            fmt::print("{},{},{},{:.6f},{:.6f},{:.6f},{}\n", kind.name, n, seed, before.cost, longer.cost,
                       problem->cost(rebuilding.tree()), passes);
            std::fflush(stdout);
        }
    });
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "window_gain: {}\n", error.what());
    return 2;
}
