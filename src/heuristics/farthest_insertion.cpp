#include <fmt/format.h>

#include <algorithm>

#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

/// A closed tour as a ring of successors.
struct Tour {
    Vertex first;
    std::vector<Vertex> next;  // (n)
    std::vector<double> leg;   // (n) length of the edge to the successor
};

/// The vertex with the longest edge.
Vertex most_remote(const std::vector<Vertex>& vertices, const Weights& weights, const StopToken& stop) {
    std::vector<double> longest(index(weights.size()), 0);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        stop.check();
        for (std::size_t j = 0; j < i; ++j) {
            const double w = weights(vertices[i], vertices[j]);
            longest[index(vertices[i])] = std::max(longest[index(vertices[i])], w);
            longest[index(vertices[j])] = std::max(longest[index(vertices[j])], w);
        }
    }
    return *std::max_element(vertices.begin(), vertices.end(),
                             [&](Vertex a, Vertex b) { return longest[index(a)] < longest[index(b)]; });
}

/// Puts `v` where the tour gets least longer; the first such place counted from the tour's first vertex.
/// `away` holds the distance of every vertex from v.
void insert(Tour& tour, Vertex v, const std::vector<double>& away) {
    Vertex best = tour.first;
    double least_extra = Weights::infinity;
    Vertex u = tour.first;
    do {
        const double extra = away[index(u)] + away[index(tour.next[index(u)])] - tour.leg[index(u)];
        if (extra < least_extra) {
            least_extra = extra;
            best = u;
        }
        u = tour.next[index(u)];
    } while (u != tour.first);
    tour.next[index(v)] = tour.next[index(best)];
    tour.leg[index(v)] = away[index(tour.next[index(v)])];
    tour.next[index(best)] = v;
    tour.leg[index(best)] = away[index(best)];
}

/// The tour without its longest edge, from one end to the other.
Tree opened(const Tour& tour) {
    Vertex before = tour.first;
    for (Vertex u = tour.next[index(tour.first)]; u != tour.first; u = tour.next[index(u)]) {
        if (tour.leg[index(u)] > tour.leg[index(before)]) before = u;
    }
    Tree path{tour.next[index(before)], {}};
    for (Vertex u = path.start; u != before; u = tour.next[index(u)]) {
        path.edges.push_back({u, tour.next[index(u)]});
    }
    return path;
}

}  // namespace

Tree farthest_insertion(const Problem& problem, const MethodOptions& options) {
    const Weights& weights = problem.weights();
    if (!weights.is_complete()) {
        throw InputError(
            "farthest-insertion needs an edge between every pair of vertices; "
            "degree-prim takes incomplete graphs");
    }
    const Vertex start = start_of(problem, options);
    std::vector<Vertex> outside =
        options.start == no_vertex ? required_vertices(problem) : required_and(problem, start);
    if (outside.size() == 1) return {outside.front(), {}};

    const StopToken stop = stop_token_of(options);
    const auto n = index(problem.size());
    Tour tour{options.start == no_vertex ? most_remote(outside, weights, stop) : start,
              std::vector<Vertex>(n, no_vertex), std::vector<double>(n, 0)};
    tour.next[index(tour.first)] = tour.first;
    std::vector<double> nearest(n, Weights::infinity);  // distance of an outside vertex from the tour
    std::vector<double> away(n, 0);
    Vertex last = tour.first;
    while (true) {
        stop.check();
        outside.erase(std::find(outside.begin(), outside.end(), last));
        if (outside.empty()) break;
        for (const Vertex v : outside) nearest[index(v)] = std::min(nearest[index(v)], weights(last, v));
        last = *std::max_element(outside.begin(), outside.end(),
                                 [&](Vertex a, Vertex b) { return nearest[index(a)] < nearest[index(b)]; });
        Vertex u = tour.first;
        do {
            away[index(u)] = weights(last, u);
            u = tour.next[index(u)];
        } while (u != tour.first);
        insert(tour, last, away);
    }
    return grown_from_allowed_start(problem, opened(tour));
}

}  // namespace neuroprim
