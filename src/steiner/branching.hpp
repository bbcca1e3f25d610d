#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "graph/stop_token.hpp"
#include "neuroprim/random.hpp"
#include "steiner/dual_ascent.hpp"
#include "steiner/edge_tree.hpp"
#include "steiner/graph.hpp"
#include "steiner/reductions.hpp"

namespace neuroprim::steiner {

/// Branch and bound for Steiner trees: each open node is a reduced graph in which some vertices were made terminals
/// and others removed. A node is reduced, bounded by dual ascent from several roots, thinned out by reduced costs,
/// and split at a vertex when it is still open. The node of the least bound comes first.
///
/// The cheaper the trees that are looked for, the more reduced costs remove. So where nodes become many, the search
/// asks for very cheap trees at first. When there are none, that is a bound, and it begins again with a target that
/// is a step higher. The work grows steeply with the target, so that the stages before the last one take little, and
/// a poor upper bound costs little.
///
/// Vertices may have prizes; then splitting decides whether a prize is collected. A graph without terminals is first
/// split at a vertex of a large prize: it is the root, or it is out.
///
/// Same graph and same upper bounds: same nodes.
class Branching {
public:
    /// `whole_weights`: bounds may be rounded up. The numbers of the graph's vertices and edges do not matter later.
    /// `effort` is that of reductions (see Reducer): small where quick answers count more than few nodes.
    Branching(Graph graph, bool whole_weights, std::size_t effort = 400);

    /// Trees hold at most one vertex of each group: `group` (n) has its number, −1 for vertices in none. Nothing is
    /// reduced then, as reductions may lead through a second vertex of a group.
    Branching(Graph graph, bool whole_weights, std::vector<int> group);

    /// So much work that about ten milliseconds pass.
    static constexpr std::int64_t short_work = 2'500'000;
    static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max() / 2;

    /// Looks for trees cheaper than `upper`, until so much work (arcs looked at, roughly) is done or so many nodes
    /// were opened in all: the clock has no say, unless the stop token expires. False when every node is closed.
    bool advance(double upper, std::int64_t work, const StopToken& stop, std::int64_t max_nodes = no_limit);

    /// No tree is cheaper. Meets the upper bound when all nodes are closed (up to 1e-10 of it).
    [[nodiscard]] double bound() const;

    /// The cheapest tree met: its cost (infinity when there is none), and the input edges it stands for, some of them
    /// more than once where reduced edges run together.
    [[nodiscard]] double cost() const { return cost_; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
    /// A vertex of that tree, which may have no edges; contracted edges that do not hang together with it are not
    /// part of the tree.
    [[nodiscard]] Vertex start() const { return start_; }
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }

private:
    struct Node {
        Graph graph;
        double bound = 0;
        int depth = 0;
        bool is_reduced = false;
        Reducer reducer;
        int ascents = 0;
        Vertex branch = no_vertex;  // where to split, a vertex of the graph
    };

    void open(Node node);
    void take_next();
    void start_again(double proven);
    void aim();
    void next_target();
    [[nodiscard]] bool raise_target();
    void bound_first(const StopToken& stop);
    void bound_once(const StopToken& stop);
    [[nodiscard]] PrizeModel prize_model();
    [[nodiscard]] Vertex hub_of(const FlatGraph& flat);
    [[nodiscard]] Vertex rich_vertex();
    void meet_tree(const FlatGraph& flat, const DualAscent& ascent, const StopToken& stop);
    void meet_rooted_tree(const StopToken& stop);
    void offer(const FlatGraph& flat, const EdgeTree& tree);
    void offer_vertex(Vertex v);
    [[nodiscard]] std::vector<Vertex> doubled(const FlatGraph& flat, const EdgeTree& tree) const;
    void offer(double cost, Vertex start, const FlatGraph* flat, std::span<const int> edges);
    [[nodiscard]] int thin_out(const FlatGraph& flat, const DualAscent& ascent);
    void choose_branch(const FlatGraph& flat, const EdgeTree& tree);
    void split();
    [[nodiscard]] bool hopeless(double bound) const;
    /// Trees of this cost are not looked for.
    [[nodiscard]] double ceiling() const { return std::min(upper_, target_); }
    [[nodiscard]] double rounded(double bound) const;

    bool whole_weights_;
    [[nodiscard]] Reducer reducer_at(int depth) const;
    std::size_t effort_;
    std::vector<int> group_;  // of the input's vertices; empty without groups
    std::vector<Node> open_;
    std::optional<Node> current_;
    std::size_t open_slots_ = 0;  // edges of all open nodes, for memory
    double upper_ = std::numeric_limits<double>::infinity();
    std::vector<Edge> edges_;
    Vertex start_ = no_vertex;
    double cost_ = std::numeric_limits<double>::infinity();
    std::int64_t nodes_ = 0;
    std::optional<Graph> first_;  // the whole problem, reduced
    double target_ = std::numeric_limits<double>::infinity();
    double target_step_ = 0;  // 0: no target was set yet
    double proven_ = 0;       // by stages that were completed
    double ceiling_at_start_ = std::numeric_limits<double>::infinity();
    std::int64_t nodes_at_start_ = 0;
    std::int64_t nodes_of_last_stage_ = 0;
    Random random_{0x57e1};
};

}  // namespace neuroprim::steiner
