#include "heuristics/branch_repair.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "graph/parallel.hpp"
#include "heuristics/methods.hpp"
#include "heuristics/support.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/mst.hpp"

namespace neuroprim {

namespace {

/// One branch and the root, as a problem of its own.
struct BranchProblem {
    std::vector<Vertex> vertices;  // increasing, the root among them
    Instance instance;
    TreeSpec spec;
    Tree tree;
};

BranchProblem branch_problem(const Problem& problem, std::vector<Vertex> vertices, const RootedTree& rooted) {
    const TreeSpec& all = problem.spec();
    vertices.push_back(*all.root);
    std::sort(vertices.begin(), vertices.end());
    const auto local = [&](Vertex v) {
        return static_cast<Vertex>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
    };
    BranchProblem result;
    result.spec = {.root = local(*all.root), .hops = all.hops, .length = all.length};
    result.tree.start = *result.spec.root;
    for (const Vertex v : vertices) {
        if (!all.degrees.empty()) result.spec.degrees.push_back(all.degrees[index(v)]);
        if (v != *all.root) result.tree.edges.push_back({local(rooted.parent[index(v)]), local(v)});
    }
    result.instance.weights = induced(problem.weights(), vertices);
    result.vertices = std::move(vertices);
    return result;
}

/// The first feasible tree of the constructions that are made for one of the limits, then of the one for all.
std::optional<Tree> constructed(const Problem& branch, const MethodOptions& options) {
    using Construct = Tree (*)(const Problem&, const MethodOptions&);
    std::vector<Construct> constructions;
    if (branch.spec().hops) constructions.push_back(hop_descent);
    if (branch.spec().length) constructions.push_back(length_blend);
    constructions.push_back(limited_prim);
    for (const Construct construct : constructions) {
        try {
            Tree tree = construct(branch, options);
            if (!branch.violation(tree)) return tree;
        } catch (const Infeasible&) {
            continue;
        } catch (const InputError&) {
            continue;  // not made for the other limits
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Tree> repaired_branches(const Problem& problem, const Tree& tree, const MethodOptions& options) {
    const TreeSpec& spec = problem.spec();
    if ((!spec.hops && !spec.length && spec.degrees.empty()) || !spec.included_edges.empty()) return std::nullopt;
    const RootedTree rooted = hang(tree, *spec.root, problem.size());
    std::vector<std::vector<Vertex>> branches;
    std::vector<std::size_t> branch(index(problem.size()));
    for (const Vertex v : rooted.order) {
        if (v == *spec.root) continue;
        const Vertex u = rooted.parent[index(v)];
        if (u == *spec.root) branches.emplace_back();
        branch[index(v)] = u == *spec.root ? branches.size() - 1 : branch[index(u)];
        branches[branch[index(v)]].push_back(v);
    }
    const StopToken stop = stop_token_of(options);
    const MethodOptions alone{.start = no_vertex, .threads = 1, .interrupted = options.interrupted};
    std::vector<Vertex> parent = rooted.parent;
    std::atomic<int> repaired = 0;
    std::atomic<bool> failed = false;
    parallel_for(options.threads, branches.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end && !failed; ++k) {
            stop.check();
            BranchProblem part = branch_problem(problem, std::move(branches[k]), rooted);
            const Problem here(part.instance, std::move(part.spec));
            if (!here.violation(part.tree)) continue;
            const auto better = constructed(here, alone);
            failed = failed || !better;
            if (!better) return;
            ++repaired;
            for (const auto& [u, v] : grown_from(*better, *here.spec().root, here.size()).edges) {
                parent[index(part.vertices[index(v)])] = part.vertices[index(u)];
            }
        }
    });
    if (failed || repaired == 0) return std::nullopt;
    Tree result{*spec.root, {}};
    result.edges.reserve(tree.edges.size());
    for (const Vertex v : rooted.order) {
        if (v != *spec.root) result.edges.push_back({parent[index(v)], v});
    }
    return grown_from(result, *spec.root, problem.size());
}

}  // namespace neuroprim
