// How good are Steiner trees after a while, and how much of that is proven?
//
//   steiner_gap SECONDS FILE…
//
// Search and bound take turns on one thread, as they do in an anytime solve; reading the file is not counted.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "bounds/bound_process.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/heuristics.hpp"
#include "search/local_search.hpp"

using namespace neuroprim;

namespace {

struct Outcome {
    double first = 0;  // the shortest-path tree
    double cost = 0;
    double bound = 0;
    double seconds = 0;
};

Outcome solve_for(const Problem& problem, double limit) {
    const auto began = StopToken::Clock::now();
    const auto seconds = [&] { return seconds_since(began); };
    const StopToken stop(
        began + std::chrono::duration_cast<StopToken::Clock::duration>(std::chrono::duration<double>(limit)), {});
    Outcome outcome;
    const Vertex start = problem.starts().front();
    const Tree first = problem.pruned(method_named("shortest-path").construct(problem, {start, 1}));
    outcome.first = outcome.cost = problem.cost(first);
    const auto search = local_search_for(problem).prepare(problem, 1, stop);
    const auto worker = search->worker(1, 0);
    worker->adopt(first);
    const auto bound = make_bound_process(problem);
    bool may_rise = true;
    while (!stop.expired() && may_rise) {
        worker->run(search->steps_per_round(), stop);
        outcome.cost = std::min(outcome.cost, worker->cost());
        may_rise = bound->advance(outcome.cost, stop);
        if (const auto tree = bound->tree()) outcome.cost = std::min(outcome.cost, problem.cost(*tree));
    }
    outcome.bound = bound->value();
    outcome.seconds = seconds();
    return outcome;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        fmt::print(stderr, "usage: steiner_gap SECONDS FILE…\n");
        return 2;
    }
    fmt::print("{:12} {:>6} {:>9} {:>12} {:>12} {:>12} {:>8} {:>8}\n", "instance", "n", "terminals", "first", "cost",
               "bound", "gap %", "seconds");
    for (int k = 2; k < argc; ++k) {
        for (const Instance& instance : read_instances(argv[k])) {
            const auto problem = make_problem("stp", instance);
            const Outcome outcome = solve_for(*problem, std::atof(argv[1]));
            fmt::print("{:12} {:6} {:9} {:12.6g} {:12.6g} {:12.6g} {:8.4f} {:8.3f}\n", instance.name, instance.size(),
                       instance.terminals.size(), outcome.first, outcome.cost, outcome.bound,
                       outcome.cost > 0 ? 100 * (outcome.cost - outcome.bound) / outcome.cost : 0, outcome.seconds);
        }
    }
}
