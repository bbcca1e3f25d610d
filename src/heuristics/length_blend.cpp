#include <algorithm>
#include <utility>
#include <vector>

#include "graph/shortest_ways.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

namespace {

/// The minimum spanning tree walked from the root; whenever the way gets longer than the limit, the shortest way is
/// taken instead (Khuller, Raghavachari and Young's blend of the two trees, with a limit in place of a ratio).
class Blend {
public:
    Blend(const Problem& problem, Vertex root, const MethodOptions& options)
        : problem_(problem),
          options_(options),
          ways_(shortest_ways(problem.weights(), root, stop_token_of(options))),
          parent_(index(problem.size()), no_vertex),
          length_(index(problem.size()), Weights::infinity) {
        length_[index(root)] = 0;
    }

    [[nodiscard]] Tree build(Vertex root) {
        const Tree shortest = minimum_spanning_tree(problem_.weights(), options_.threads, options_.interrupted);
        const RootedTree spanning = hang(shortest, root, problem_.size());
        for (const Vertex v : spanning.order) {
            const Vertex u = spanning.parent[index(v)];
            if (u == no_vertex) continue;
            relax(u, v);
            if (length_[index(v)] > *problem_.spec().length) take_shortest_way(v);
        }
        Tree tree{root, {}};
        for (Vertex v = 0; v < problem_.size(); ++v) {
            if (v == root) continue;
            if (parent_[index(v)] == no_vertex) give_up(problem_, "the graph is not connected");
            tree.edges.push_back({parent_[index(v)], v});
        }
        return grown_from(tree, root, problem_.size());
    }

private:
    void relax(Vertex u, Vertex v) {
        const double length = length_[index(u)] + problem_.weights()(u, v);
        if (length >= length_[index(v)]) return;
        length_[index(v)] = length;
        parent_[index(v)] = u;
    }

    void take_shortest_way(Vertex v) {
        way_.clear();
        for (Vertex x = v; x != no_vertex && length_[index(x)] > ways_.length[index(x)]; x = ways_.parent[index(x)]) {
            way_.push_back(x);
        }
        for (std::size_t k = way_.size(); k-- > 0;) {
            if (const Vertex u = ways_.parent[index(way_[k])]; u != no_vertex) relax(u, way_[k]);
        }
    }

    const Problem& problem_;
    const MethodOptions& options_;
    ShortestWays ways_;
    std::vector<Vertex> way_;     // from a vertex up to the first one that has its shortest way
    std::vector<Vertex> parent_;  // (n)
    std::vector<double> length_;  // (n)
};

}  // namespace

Tree shortest_path_tree(const Problem& problem, const MethodOptions& options) {
    const Vertex root = start_of(problem, options);
    const ShortestWays ways = shortest_ways(problem.weights(), root, stop_token_of(options));
    Tree tree{root, {}};
    for (Vertex v = 0; v < problem.size(); ++v) {
        if (v == root) continue;
        if (ways.parent[index(v)] != no_vertex) {
            tree.edges.push_back({ways.parent[index(v)], v});
        } else if (problem.required(v)) {
            give_up(problem, "the graph is not connected");
        }
    }
    return grown_from(tree, root, problem.size());
}

bool length_blend_suits(const Problem& problem) {
    return problem.spec().length && problem.spec().coverage == Coverage::all;
}

Tree length_blend(const Problem& problem, const MethodOptions& options) {
    if (!length_blend_suits(problem)) {
        throw InputError("length-blend is for trees over all vertices with a root and a length limit");
    }
    return Blend(problem, *problem.spec().root, options).build(*problem.spec().root);
}

}  // namespace neuroprim
