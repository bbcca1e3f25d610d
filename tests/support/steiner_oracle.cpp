#include "support/steiner_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/random.hpp"

namespace neuroprim::testing {

double steiner_optimum(Vertex n, const std::vector<WeightedEdge>& edges, const std::vector<bool>& is_terminal,
                       const std::vector<double>& prizes) {
    std::vector<WeightedEdge> sorted = edges;
    std::sort(sorted.begin(), sorted.end(),
              [](const WeightedEdge& a, const WeightedEdge& b) { return a.weight < b.weight; });
    std::vector<std::size_t> others;  // what may be left out
    std::uint64_t terminals = 0;
    for (std::size_t v = 0; v < is_terminal.size(); ++v) {
        if (is_terminal[v]) {
            terminals |= std::uint64_t{1} << v;
        } else {
            others.push_back(v);
        }
    }
    if (n > 64 || others.size() > 24) throw std::invalid_argument("too many vertices to try all sets of them");
    double best = Weights::infinity;
    for (std::uint64_t chosen = 0; chosen < std::uint64_t{1} << others.size(); ++chosen) {
        std::uint64_t inside = terminals;
        for (std::size_t k = 0; k < others.size(); ++k) inside |= (chosen >> k & 1U) << others[k];
        if (inside == 0) continue;
        DisjointSets sets(n);
        double sum = 0;
        for (std::size_t v = 0; v < prizes.size(); ++v) sum += (inside >> v & 1U) == 0 ? prizes[v] : 0;
        int missing = -1;
        for (Vertex v = 0; v < n; ++v) missing += (inside >> v & 1U) != 0 ? 1 : 0;
        for (const WeightedEdge& edge : sorted) {
            if ((inside >> edge.u & inside >> edge.v & 1U) == 0 || !sets.join(edge.u, edge.v)) continue;
            sum += edge.weight;
            --missing;
        }
        if (missing == 0) best = std::min(best, sum);
    }
    return best;
}

double steiner_optimum(const Problem& problem) {
    std::vector<bool> is_terminal;
    for (Vertex v = 0; v < problem.size(); ++v) is_terminal.push_back(problem.required(v));
    return steiner_optimum(problem.size(), problem.weights().edges(), is_terminal, problem.spec().prizes);
}

double steiner_optimum(const steiner::FlatGraph& graph) {
    std::vector<bool> is_terminal;
    for (Vertex v = 0; v < graph.size(); ++v) is_terminal.push_back(graph.is_terminal(v));
    std::vector<WeightedEdge> edges;
    for (int e = 0; e < graph.edge_count(); ++e) {
        edges.push_back({graph.link(e).u, graph.link(e).v, graph.link(e).weight});
    }
    return steiner_optimum(graph.size(), edges, is_terminal);
}

Instance small_steiner_instance(std::uint64_t number) {
    using Shape = GenerateOptions::Shape;
    GenerateOptions options;
    options.seed = number;
    options.n = 6 + static_cast<Vertex>(number % 5);
    options.terminals = 2 + static_cast<Vertex>(number / 5 % 4);
    options.average_degree = 2.5 + 0.5 * static_cast<double>(number % 4);
    switch (number % 5) {
        case 0:
            options.shape = Shape::sparse;
            options.scale = 4;
            options.integers = true;
            break;
        case 1:
            options.shape = Shape::sparse;
            break;
        case 2:
            options.shape = Shape::matrix;
            options.scale = 10;
            options.integers = number % 2 == 0;
            break;
        case 3:
            options.shape = Shape::uniform;
            break;
        default:
            options.shape = Shape::uniform;
            options.scale = 4;
            options.integers = true;
            break;
    }
    return generate(options);
}

Instance small_prize_instance(std::uint64_t number) {
    Instance instance = small_steiner_instance(number);
    instance.terminals.clear();
    Random random(number, 7);
    double scale = 0;
    for (const WeightedEdge& edge : instance.weights.edges()) scale = std::max(scale, edge.weight);
    const bool whole = number % 2 == 0;
    for (Vertex v = 0; v < instance.size(); ++v) {
        double prize = random.uniform() < 0.4 ? 0 : scale * (0.1 + 0.9 * random.uniform());
        if (whole) prize = std::round(prize);
        instance.prizes.push_back(prize);
    }
    return instance;
}

}  // namespace neuroprim::testing
