#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

#include "graph/disjoint_sets.hpp"
#include "graph/neighbours.hpp"
#include "heuristics/branch_repair.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "problems/tolerance.hpp"

namespace neuroprim {

namespace {

/// Esau and Williams' savings (1966). Every vertex begins as a part of its own, joined to the root by its own edge,
/// the gate. As long as it pays, the part with the largest saving gives up its gate and joins another part, if both
/// loads fit into a branch together.
class Savings {
public:
    Savings(const Problem& problem, Vertex root, const Neighbours& near)
        : problem_(problem),
          root_(root),
          near_(near),
          parts_(problem.size()),
          next_(index(problem.size()), 0),
          load_(index(problem.size())),
          gate_(index(problem.size())),
          gate_vertex_(index(problem.size())) {
        for (Vertex v = 0; v < problem.size(); ++v) {
            load_[index(v)] = problem.spec().demand(v);
            gate_[index(v)] = v == root ? 0 : problem.weights()(root, v);
            gate_vertex_[index(v)] = v;
        }
    }

    [[nodiscard]] Tree build(const StopToken& stop) {
        constexpr unsigned between_looks = 64;
        unsigned count = 0;
        const auto look = [&] {
            if (++count % between_looks == 0) stop.check();
        };
        for (Vertex v = 0; v < problem_.size(); ++v) {
            look();
            if (v != root_) queue_best_of(v);
        }
        while (!queue_.empty()) {
            look();
            const auto [saving, v, u] = queue_.top();
            queue_.pop();
            if (fits(v, u) && saving == saving_of(v, u)) {
                join(v, u);
            }
            queue_best_of(v);
        }
        return tree();
    }

private:
    using Entry = std::tuple<double, Vertex, Vertex>;  // saving, vertex of the part that moves, vertex that it joins

    [[nodiscard]] Vertex part(Vertex v) { return parts_.find(v); }

    [[nodiscard]] double saving_of(Vertex v, Vertex u) { return gate_[index(part(v))] - problem_.weights()(v, u); }

    /// Once no it stays no: parts and their loads only grow.
    [[nodiscard]] bool fits(Vertex v, Vertex u) {
        if (u == root_ || part(v) == part(u)) return false;
        const double most = problem_.spec().branch_capacity() * (1 + sum_tolerance);
        return load_[index(part(v))] + load_[index(part(u))] <= most;
    }

    /// The nearest vertex that fits is the best: the saving falls with the distance. Gates only get lighter, so an
    /// entry of the queue is never too small, and one that has become too large is put back with its new value.
    void queue_best_of(Vertex v) {
        const auto candidates = near_.of(v);
        std::size_t& next = next_[index(v)];
        while (next < candidates.size() && !fits(v, candidates[next])) ++next;
        if (next == candidates.size()) return;
        const double saving = saving_of(v, candidates[next]);
        if (saving > 0) queue_.emplace(saving, v, candidates[next]);
    }

    void join(Vertex v, Vertex u) {
        const Vertex moved = part(v);
        const Vertex stays = part(u);
        const double load = load_[index(moved)] + load_[index(stays)];
        const double gate = gate_[index(stays)];
        const Vertex gate_vertex = gate_vertex_[index(stays)];
        edges_.push_back({u, v});
        parts_.join(moved, stays);
        const Vertex both = part(v);
        load_[index(both)] = load;
        gate_[index(both)] = gate;
        gate_vertex_[index(both)] = gate_vertex;
    }

    [[nodiscard]] Tree tree() {
        Tree result{root_, edges_};
        for (Vertex v = 0; v < problem_.size(); ++v) {
            if (v == root_ || part(v) != v) continue;
            if (gate_[index(v)] == Weights::infinity) {
                give_up(problem_, fmt::format("esau-williams found no way to the root for the part of vertex {}",
                                              problem_.instance().label(v)));
            }
            result.edges.push_back({root_, gate_vertex_[index(v)]});
        }
        return grown_from(result, root_, problem_.size());
    }

    const Problem& problem_;
    Vertex root_;
    const Neighbours& near_;
    DisjointSets parts_;
    std::vector<std::size_t> next_;    // (n) the first candidate of each vertex that may still fit
    std::vector<double> load_;         // (n) of a part, at its representative, like the next two
    std::vector<double> gate_;         // (n) weight of the edge to the root
    std::vector<Vertex> gate_vertex_;  // (n)
    std::priority_queue<Entry> queue_;
    std::vector<Edge> edges_;
};

}  // namespace

bool esau_williams_suits(const Problem& problem) {
    return problem.spec().has(Limit::capacity) && problem.spec().coverage == Coverage::all;
}

Tree esau_williams(const Problem& problem, const MethodOptions& options) {
    if (!esau_williams_suits(problem)) {
        throw InputError("esau-williams is for trees over all vertices with a root and a capacity");
    }
    // Farther vertices hardly ever save anything.
    constexpr std::size_t near_count = 50;
    const bool few = problem.weights().form() != Weights::Form::points || problem.size() <= 1000;
    const std::size_t count = few ? index(problem.size()) : near_count;
    const StopToken stop = stop_token_of(options);
    const Neighbours near = nearest_neighbours(problem.weights(), count, options.threads, stop);
    Tree tree = Savings(problem, *problem.spec().root, near).build(stop);
    if (auto repaired = repaired_branches(problem, tree, options)) return *repaired;
    return tree;
}

}  // namespace neuroprim
