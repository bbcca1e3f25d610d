// Solves one problem with the library: thirty random points, at most three cables at each.
#include <cstdio>

#include "neuroprim/formats.hpp"
#include "neuroprim/generate.hpp"
#include "neuroprim/problem.hpp"
#include "neuroprim/solve.hpp"

int main() {
    using namespace neuroprim;

    const Instance instance = generate({.n = 30, .seed = 1});
    const auto problem = make_problem("dcmst", instance, {.degree = 3});
    const Solution solution = solve(*problem);

    std::printf("%zu edges, cost %.3f, at most %.2f %% above the optimum\n", solution.tree.edges.size(),
                solution.cost, *solution.gap_percent());
    write_solution("tree.svg", instance, solution);

    // A tree can be changed and judged again: a star breaks the limit.
    Tree star{0, {}};
    for (Vertex v = 1; v < instance.size(); ++v) star.edges.push_back({0, v});
    std::printf("a star: %s\n", problem->violation(star).value_or("valid").c_str());
}
