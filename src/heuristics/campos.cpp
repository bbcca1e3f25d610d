#include <algorithm>
#include <cmath>

#include "graph/parallel.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "heuristics/vertex_heap.hpp"

namespace neuroprim {

namespace {

/// What the edges at one vertex say about it.
struct Surroundings {
    double degree = 0;
    double sum = 0;
    double sum_of_squares = 0;
    double longest = 0;

    [[nodiscard]] double spanning_potential() const {
        return degree == 0 ? 0 : 0.2 * degree + 0.6 * degree / sum + 0.2 / longest;
    }
};

double joint_potential(const Surroundings& a, const Surroundings& b) {
    const double degree = a.degree + b.degree;
    return degree + degree / (a.sum + b.sum);
}

/// How an outside vertex would join: the nearer the better, then the more potential the better.
struct Candidate {
    double distance;   // C4 w(u, v) + C5 (way from the start to v)
    double potential;  // of u and v together

    friend bool operator<(const Candidate& a, const Candidate& b) {
        if (a.distance != b.distance) return a.distance < b.distance;
        return a.potential > b.potential;
    }
};

/// How much the edge and the way from the start count: C4 and C5.
struct Balance {
    double edge;
    double way;
};

std::vector<Surroundings> survey(const Problem& problem, const std::vector<Vertex>& vertices, int threads,
                                 const StopToken& stop) {
    std::vector<Surroundings> result(index(problem.size()));
    parallel_for(threads, vertices.size(), 64, [&](std::size_t begin, std::size_t end) {
        PacedStopToken paced(stop, rows_between_looks(problem.weights()));
        for (std::size_t k = begin; k < end; ++k) {
            paced.check();
            Surroundings& around = result[index(vertices[k])];
            problem.weights().for_each_neighbour(vertices[k], [&](Vertex v, double w) {
                if (!problem.required(v)) return;
                around.degree += 1;
                around.sum += w;
                around.sum_of_squares += w * w;
                around.longest = std::max(around.longest, w);
            });
        }
    });
    return result;
}

/// Weights that differ little make the way from the start count as much as the edge itself.
Balance balance_of(const std::vector<Surroundings>& around, std::size_t n) {
    double count = 0;
    double sum = 0;
    double sum_of_squares = 0;
    for (const auto& a : around) {
        count += a.degree;
        sum += a.sum;
        sum_of_squares += a.sum_of_squares;
    }
    const double mean = sum / count;
    const double deviation = std::sqrt(std::max(0.0, sum_of_squares / count - mean * mean));
    const bool alike = deviation <= 0 || deviation / mean < 0.4 + 0.005 * (static_cast<double>(n) - 10);
    return alike ? Balance{1, 1} : Balance{0.9, 0.1};
}

/// When an outside vertex changes to another parent.
enum class Change { when_better, when_better_in_both };

Tree grow(const Problem& problem, const MethodOptions& options, Change change) {
    const std::vector<Vertex> vertices = required_vertices(problem);
    Vertex start = start_of(problem, options);
    if (vertices.size() == 1) return {start, {}};
    const StopToken stop = stop_token_of(options);
    const std::vector<Surroundings> around = survey(problem, vertices, options.threads, stop);
    const Balance balance = balance_of(around, vertices.size());
    if (options.start == no_vertex) {
        const std::vector<Vertex> starts = problem.starts();
        start = *std::max_element(starts.begin(), starts.end(), [&](Vertex a, Vertex b) {
            return around[index(a)].spanning_potential() < around[index(b)].spanning_potential();
        });
    }

    std::vector<double> way(around.size(), 0);  // length of the tree path from the start
    std::vector<Vertex> parent(around.size(), no_vertex);
    std::vector<bool> inside(around.size(), false);
    VertexHeap<Candidate> candidates(problem.size());
    const auto offer = [&](Vertex u, Vertex v, double w) {
        const Candidate candidate{balance.edge * w + balance.way * (way[index(u)] + w),
                                  joint_potential(around[index(u)], around[index(v)])};
        if (candidates.contains(v)) {
            const Candidate& known = candidates.key(v);
            if (!(candidate < known)) return;
            if (change == Change::when_better_in_both && candidate.potential <= known.potential) return;
        }
        candidates.set(v, candidate);
        parent[index(v)] = u;
    };

    Tree tree{start, {}};
    inside[index(start)] = true;
    PacedStopToken paced(stop, rows_between_looks(problem.weights()));
    for (Vertex last = start; tree.edges.size() + 1 < vertices.size();) {
        paced.check();
        problem.weights().for_each_neighbour(last, [&](Vertex v, double w) {
            if (!inside[index(v)] && problem.required(v)) offer(last, v, w);
        });
        if (candidates.empty()) give_up(problem, "campos needs edges that connect the required vertices");
        last = candidates.pop();
        const Vertex from = parent[index(last)];
        way[index(last)] = way[index(from)] + problem.weights()(from, last);
        inside[index(last)] = true;
        tree.edges.push_back({from, last});
    }
    return tree;
}

}  // namespace

Tree campos(const Problem& problem, const MethodOptions& options) {
    return grow(problem, options, Change::when_better);
}

Tree campos_strict(const Problem& problem, const MethodOptions& options) {
    return grow(problem, options, Change::when_better_in_both);
}

}  // namespace neuroprim
