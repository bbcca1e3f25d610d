#include <algorithm>
#include <optional>

#include "graph/parallel.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "heuristics/vertex_heap.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

/// Trying every terminal as the start visits about this many edges at most; beyond it the first terminal must do.
constexpr double every_start_bound = 5e6;

/// Takahashi and Matsuyama from one start. Nothing when a required vertex cannot be reached.
///
/// One search serves all terminals: the vertices of each new path become sources of length 0 and only the
/// labels that they improve are looked at again.
std::optional<Tree> joined_by_shortest_paths(const Problem& problem, std::size_t required, Vertex start,
                                             const StopToken& stop) {
    const auto n = index(problem.size());
    std::vector<double> from_tree(n, Weights::infinity);
    std::vector<Vertex> before(n, no_vertex);
    std::vector<bool> inside(n, false);
    VertexHeap<double> labelled(problem.size());
    Tree tree{start, {}};
    std::size_t joined = 0;
    const auto join = [&](Vertex v) {
        inside[index(v)] = true;
        from_tree[index(v)] = 0;
        labelled.set(v, 0);
        if (problem.required(v)) ++joined;
    };

    join(start);
    std::vector<Vertex> path;
    PacedStopToken paced(stop, rows_between_looks(problem.weights()));
    while (joined < required) {
        paced.check();
        if (labelled.empty()) return std::nullopt;
        const Vertex nearest = labelled.pop();
        if (problem.required(nearest) && !inside[index(nearest)]) {
            path.clear();
            for (Vertex v = nearest; !inside[index(v)]; v = before[index(v)]) path.push_back(v);
            for (std::size_t k = path.size(); k-- > 0;) {
                tree.edges.push_back({before[index(path[k])], path[k]});
                join(path[k]);
            }
            continue;
        }
        problem.weights().for_each_neighbour(nearest, [&](Vertex v, double w) {
            const double length = from_tree[index(nearest)] + w;
            if (length >= from_tree[index(v)]) return;
            from_tree[index(v)] = length;
            before[index(v)] = nearest;
            labelled.set(v, length);
        });
    }
    return tree;
}

}  // namespace

Tree shortest_path(const Problem& problem, const MethodOptions& options) {
    const std::vector<Vertex> required = required_vertices(problem);
    const StopToken stop = stop_token_of(options);
    const auto tree_from = [&](Vertex start) {
        std::optional<Tree> tree = joined_by_shortest_paths(problem, required.size(), start, stop);
        if (!tree) give_up(problem, "the graph does not connect all required vertices");
        return *std::move(tree);
    };
    Vertex start = start_of(problem, options);
    const double work = static_cast<double>(required.size()) * static_cast<double>(problem.weights().edge_count());
    const bool start_matters = required.size() < index(problem.size());
    if (options.start == no_vertex && start_matters && work <= every_start_bound) {
        const std::vector<Vertex> starts = problem.starts();
        Tree first = tree_from(start);
        std::vector<double> lengths(starts.size());
        try {
            parallel_for(options.threads, starts.size(), 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k) {
                    lengths[k] = total_weight(tree_from(starts[k]), problem.weights());
                }
            });
        } catch (const Interrupted&) {
            return first;  // one tree is better than none
        }
        start = starts[static_cast<std::size_t>(std::min_element(lengths.begin(), lengths.end()) - lengths.begin())];
    }
    return tree_from(start);
}

}  // namespace neuroprim
