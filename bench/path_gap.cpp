// How far a policy for degree 2 is from the optimum on small uniform instances: greedy trees against the shortest
// Hamiltonian paths, which dynamic programming over subsets finds exactly (2^n · n numbers, so n ≤ 20).
// Usage: path_gap model.safetensors [instances] [n]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "neuroprim/generate.hpp"
#include "neuroprim/policy.hpp"

namespace {

using namespace neuroprim;

/// Held and Karp: best[S][v] is the shortest path through all of S that ends in v.
double shortest_hamiltonian_path(const Weights& weights) {
    const auto n = static_cast<std::size_t>(weights.size());
    std::vector<float> distance(n * n);
    for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v) {
            distance[u * n + v] =
                u == v ? 0 : static_cast<float>(weights(static_cast<Vertex>(u), static_cast<Vertex>(v)));
        }
    }
    const std::size_t sets = std::size_t{1} << n;
    std::vector<float> best(sets * n, std::numeric_limits<float>::infinity());
    for (std::size_t v = 0; v < n; ++v) best[(std::size_t{1} << v) * n + v] = 0;
    for (std::size_t set = 1; set < sets; ++set) {
        for (std::size_t v = 0; v < n; ++v) {
            if ((set >> v & 1) == 0 || (set & (set - 1)) == 0) continue;
            const float* before = &best[(set ^ std::size_t{1} << v) * n];
            float least = std::numeric_limits<float>::infinity();
            for (std::size_t u = 0; u < n; ++u) least = std::min(least, before[u] + distance[u * n + v]);
            best[set * n + v] = least;
        }
    }
    const float* last = &best[(sets - 1) * n];
    return static_cast<double>(*std::min_element(last, last + n));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: path_gap model.safetensors [instances] [n]\n");
        return 2;
    }
    const Policy policy = Policy::load(argv[1]);
    const int count = argc > 2 ? std::atoi(argv[2]) : 100;
    const int n = argc > 3 ? std::atoi(argv[3]) : 20;
    double first = 0;
    double best = 0;
    double optimum = 0;
    for (int k = 0; k < count; ++k) {
        GenerateOptions options;
        options.n = n;
        options.seed = 1000000 + static_cast<std::uint64_t>(k);
        const Instance instance = generate(options);
        ProblemOptions degree;
        degree.degree = 2;
        const auto problem = make_problem("dcmst", instance, degree);
        const Encoded encoded = encode(policy, *problem);
        const auto rollouts = decode(encoded, *problem, all_starts(*problem));
        std::vector<double> costs;
        for (const Rollout& rollout : rollouts) costs.push_back(problem->cost(rollout.tree));
        const double exact = shortest_hamiltonian_path(instance.weights);
        first += costs.front() / exact - 1;
        best += *std::min_element(costs.begin(), costs.end()) / exact - 1;
        optimum += exact;
    }
    fmt::print("{} instances of {} points, mean optimum {:.4f}\n", count, n, optimum / count);
    fmt::print("greedy from one start        {:.2f} % above the optimum\n", 100 * first / count);
    fmt::print("greedy, best of all starts   {:.2f} %\n", 100 * best / count);
}
