#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "neuroprim/generate.hpp"
#include "steiner/descent.hpp"
#include "steiner/key_moves.hpp"
#include "steiner/search_graph.hpp"
#include "steiner/vertex_insertion.hpp"

namespace neuroprim::steiner {
namespace {

/// A graph and a random tree in it that is no local optimum.
struct Case {
    explicit Case(std::uint64_t seed) {
        GenerateOptions options;
        options.shape = GenerateOptions::Shape::sparse;
        options.n = 40;
        options.terminals = 10;
        options.average_degree = 5;
        options.integers = seed % 2 == 0;
        options.scale = 20;
        options.seed = seed;
        instance = generate(options);
        problem = make_problem("stp", instance);
        flat.emplace(search_graph(*problem, StopToken())->graph);
        Random random(seed);
        std::vector<double> noisy(flat->weights());
        for (double& w : noisy) w = 1 + 10 * random.uniform();
        tree = *shortest_path_tree(*flat, flat->terminals().front(), noisy);
        tree.cost = cost_of(tree, flat->weights());
    }

    Instance instance;
    std::unique_ptr<Problem> problem;
    std::optional<FlatGraph> flat;
    EdgeTree tree;
};

double spanning_weight(const FlatGraph& flat, const std::vector<int>& edges) {
    std::vector<int> sorted = edges;
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return flat.link(a).weight < flat.link(b).weight; });
    std::vector<Vertex> label(index(flat.size()));
    for (Vertex v = 0; v < flat.size(); ++v) label[index(v)] = v;
    double sum = 0;
    for (const int e : sorted) {
        const Vertex a = label[index(flat.link(e).u)];
        const Vertex b = label[index(flat.link(e).v)];
        if (a == b) continue;
        for (Vertex& l : label) {
            if (l == a) l = b;
        }
        sum += flat.link(e).weight;
    }
    return sum;
}

TEST(VertexInsertion, GainsWhatTheMinimumSpanningTreeSays) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Case c(seed);
        std::set<Vertex> inside;
        for (const int e : c.tree.edges) inside.insert({c.flat->link(e).u, c.flat->link(e).v});
        VertexInsertion insertion(*c.flat, c.flat->weights());
        for (Vertex v = 0; v < c.flat->size(); ++v) {
            if (inside.contains(v)) continue;
            std::vector<int> edges = c.tree.edges;
            bool touches = false;
            for (const auto& arc : c.flat->arcs(v)) {
                if (!inside.contains(arc.to)) continue;
                edges.push_back(arc.edge);
                touches = true;
            }
            const double expected = touches ? c.tree.cost - spanning_weight(*c.flat, edges) : 0;
            EXPECT_NEAR(insertion.gain(c.tree, v), expected, 1e-9) << "seed " << seed << " vertex " << v;
        }
    }
}

/// The parts of the tree without some edges and vertices: the number of its part for each tree vertex, −1 else.
std::vector<int> parts_without(const FlatGraph& flat, const EdgeTree& tree, const std::set<int>& removed,
                               const std::set<Vertex>& gone, int& count) {
    std::vector<int> part(index(flat.size()), -1);
    std::set<Vertex> inside;
    for (const int e : tree.edges) inside.insert({flat.link(e).u, flat.link(e).v});
    count = 0;
    for (const Vertex start : inside) {
        if (part[index(start)] >= 0 || gone.contains(start)) continue;
        std::vector<Vertex> open = {start};
        part[index(start)] = count;
        while (!open.empty()) {
            const Vertex v = open.back();
            open.pop_back();
            for (const auto& arc : flat.arcs(v)) {
                const bool used = std::binary_search(tree.edges.begin(), tree.edges.end(), arc.edge);
                if (!used || removed.contains(arc.edge) || part[index(arc.to)] >= 0) continue;
                part[index(arc.to)] = count;
                open.push_back(arc.to);
            }
        }
        ++count;
    }
    return part;
}

/// The least weight that joins the parts by shortest paths.
double joining_weight(const FlatGraph& flat, const std::vector<int>& part, int count) {
    const auto n = index(flat.size());
    std::vector<std::vector<double>> d(n, std::vector<double>(n, 1e300));
    for (std::size_t v = 0; v < n; ++v) d[v][v] = 0;
    for (int e = 0; e < flat.edge_count(); ++e) {
        d[index(flat.link(e).u)][index(flat.link(e).v)] = flat.link(e).weight;
        d[index(flat.link(e).v)][index(flat.link(e).u)] = flat.link(e).weight;
    }
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    std::vector<bool> joined(static_cast<std::size_t>(count), false);
    joined[0] = true;
    double sum = 0;
    for (int step = 1; step < count; ++step) {
        double best = 1e300;
        int which = -1;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                if (part[i] < 0 || part[j] < 0 || !joined[static_cast<std::size_t>(part[i])]) continue;
                if (joined[static_cast<std::size_t>(part[j])] || d[i][j] >= best) continue;
                best = d[i][j];
                which = part[j];
            }
        }
        joined[static_cast<std::size_t>(which)] = true;
        sum += best;
    }
    return sum;
}

/// A key path, or all key paths at a branching vertex: what a move takes out.
struct Removal {
    std::set<int> edges;
    std::set<Vertex> vertices;
};

std::vector<Removal> removals(const FlatGraph& flat, const EdgeTree& tree) {
    std::map<Vertex, std::vector<int>> at;
    for (const int e : tree.edges) {
        at[flat.link(e).u].push_back(e);
        at[flat.link(e).v].push_back(e);
    }
    const auto is_key = [&](Vertex v) { return flat.is_terminal(v) || at[v].size() > 2; };
    std::vector<Removal> result;
    for (const auto& [v, edges] : at) {
        if (!is_key(v)) continue;
        Removal whole{{}, {v}};
        for (int e : edges) {
            Removal path;
            Vertex x = v;
            while (true) {
                path.edges.insert(e);
                x = flat.link(e).u == x ? flat.link(e).v : flat.link(e).u;
                if (is_key(x)) break;
                path.vertices.insert(x);
                e = at[x][0] == e ? at[x][1] : at[x][0];
            }
            whole.edges.insert(path.edges.begin(), path.edges.end());
            whole.vertices.insert(path.vertices.begin(), path.vertices.end());
            if (v < x) result.push_back(path);
        }
        if (!flat.is_terminal(v)) result.push_back(whole);
    }
    return result;
}

TEST(KeyMoves, AreAllThatGainAndGainAllTheyCan) {
    std::size_t gaining = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Case c(seed);
        std::map<std::set<int>, double> found;
        for (const auto& move : KeyMoves(*c.flat, c.flat->weights()).moves(c.tree)) {
            found[std::set(move.removed.begin(), move.removed.end())] = move.gain;
        }
        for (const Removal& removal : removals(*c.flat, c.tree)) {
            int count = 0;
            const auto part = parts_without(*c.flat, c.tree, removal.edges, removal.vertices, count);
            double gain = -joining_weight(*c.flat, part, count);
            for (const int e : removal.edges) gain += c.flat->link(e).weight;
            if (gain > 1e-6) {
                ++gaining;
                ASSERT_TRUE(found.contains(removal.edges)) << "seed " << seed << " gain " << gain;
                EXPECT_NEAR(found[removal.edges], gain, 1e-9);
            } else {
                EXPECT_FALSE(found.contains(removal.edges));
            }
        }
    }
    EXPECT_GT(gaining, 30U);
}

TEST(KeyMoves, LeaveATreeThatIsCheaperByTheirGain) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Case c(seed);
        for (const auto& move : KeyMoves(*c.flat, c.flat->weights()).moves(c.tree)) {
            std::set<int> edges(c.tree.edges.begin(), c.tree.edges.end());
            for (const int e : move.removed) edges.erase(e);
            edges.insert(move.added.begin(), move.added.end());
            const auto tree = tree_among(*c.flat, {edges.begin(), edges.end()}, c.flat->weights());
            ASSERT_TRUE(tree.has_value());
            EXPECT_LE(tree->cost, c.tree.cost - move.gain + 1e-9);  // less where new paths run together
        }
    }
}

TEST(Descent, EndsWhereNoMoveGains) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Case c(seed);
        const double before = c.tree.cost;
        EXPECT_TRUE(descend(*c.flat, c.tree, c.flat->weights(), StopToken()));
        EXPECT_LT(c.tree.cost, before);
        EXPECT_NEAR(c.tree.cost, cost_of(c.tree, c.flat->weights()), 1e-9);
        EXPECT_TRUE(KeyMoves(*c.flat, c.flat->weights()).moves(c.tree).empty());
        EXPECT_FALSE(VertexInsertion(*c.flat, c.flat->weights()).improve(c.tree));
        EXPECT_EQ(tree_among(*c.flat, c.tree.edges, c.flat->weights())->edges, c.tree.edges);
    }
}

TEST(ShortestPathTree, JoinsTheTerminalsAndWhatElseIsWanted) {
    const Case c(3);
    for (const Vertex root : c.flat->terminals()) {
        const auto tree = shortest_path_tree(*c.flat, root, c.flat->weights());
        ASSERT_TRUE(tree.has_value());
        EXPECT_EQ(tree_among(*c.flat, tree->edges, c.flat->weights())->edges, tree->edges);
    }
    const std::vector<double> no_edges(c.flat->weights().size(), Weights::infinity);
    EXPECT_FALSE(shortest_path_tree(*c.flat, c.flat->terminals().front(), no_edges).has_value());
}

}  // namespace
}  // namespace neuroprim::steiner
