#include "steiner/branching.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "steiner/descent.hpp"

namespace neuroprim::steiner {

namespace {

constexpr int ascents_at_the_first_node = 12;
constexpr int ascents_at_a_node = 3;
constexpr int ascents_without_a_root = 6;
constexpr int edges_to_descend = 5000;
/// Special distances are what reductions spend their time on. Below the first node hardly any changed.
constexpr std::size_t effort_below = 4;
constexpr std::int64_t nodes_to_keep = 5000;
/// From the bound to the best tree, once so many nodes were not enough.
constexpr int target_steps = 8;
constexpr std::int64_t nodes_without_target = 64;
/// What dual ascent and all that follows it cost, and reductions from one question to the stop token to the next.
constexpr std::int64_t work_per_edge = 600;
constexpr std::int64_t work_between_questions = 60'000;
/// Beyond this many edges in open nodes the search goes deep instead of wide.
constexpr std::size_t slots_kept = 4'000'000;

}  // namespace

Branching::Branching(Graph graph, bool whole_weights, std::size_t effort)
    : whole_weights_(whole_weights), effort_(effort) {
    open(Node{.graph = std::move(graph), .reducer = Reducer(effort)});
}

Branching::Branching(Graph graph, bool whole_weights, std::vector<int> group)
    : whole_weights_(whole_weights), effort_(0), group_(std::move(group)) {
    open(Node{.graph = std::move(graph), .is_reduced = true, .reducer = reducer_at(0)});
}

Reducer Branching::reducer_at(int depth) const {
    return Reducer(depth == 0 ? effort_ : std::min(effort_, effort_below));
}

double Branching::rounded(double bound) const {
    return whole_weights_ ? std::ceil(bound - 1e-6) : bound;
}

bool Branching::hopeless(double bound) const {
    return rounded(bound) >= ceiling() * (1 - 1e-10);
}

double Branching::bound() const {
    double least = ceiling();
    if (current_) least = std::min(least, current_->bound);
    for (const Node& node : open_) least = std::min(least, node.bound);
    return std::min(upper_, std::max(least, proven_));
}

void Branching::open(Node node) {
    if (node.graph.edge_slots() > 2 * node.graph.edge_count()) node.graph = node.graph.compacted();
    open_slots_ += static_cast<std::size_t>(node.graph.edge_slots());
    open_.push_back(std::move(node));
}

void Branching::take_next() {
    const bool go_deep = open_slots_ > slots_kept;
    const auto next = std::min_element(open_.begin(), open_.end(), [&](const Node& a, const Node& b) {
        if (go_deep && a.depth != b.depth) return a.depth > b.depth;
        return a.bound != b.bound ? a.bound < b.bound : a.depth > b.depth;
    });
    std::swap(*next, open_.back());
    current_ = std::move(open_.back());
    open_.pop_back();
    open_slots_ -= static_cast<std::size_t>(current_->graph.edge_slots());
    ++nodes_;
}

bool Branching::advance(double upper, std::int64_t work, const StopToken& stop, std::int64_t max_nodes) {
    upper_ = std::min(upper_, upper);
    if (first_ && ceiling() < ceiling_at_start_ * (1 - 1e-10)) {
        const std::int64_t opened = nodes_ - nodes_at_start_;
        // More than the nodes at hand are worth, unless they are many.
        if (opened > 1 && opened <= nodes_to_keep) start_again(bound());
        ceiling_at_start_ = ceiling();
    }
    const StopToken until({}, [&] {
        work -= work_between_questions;
        return work <= 0 || stop.expired();
    });
    do {
        if (!current_) {
            std::erase_if(open_, [&](const Node& node) {
                if (!hopeless(node.bound)) return false;
                open_slots_ -= static_cast<std::size_t>(node.graph.edge_slots());
                return true;
            });
            if (open_.empty() && !raise_target()) return false;
            if (nodes_ >= max_nodes) return true;
            aim();
            take_next();
        }
        if (!current_->is_reduced && nodes_ == 1 && current_->bound == 0 &&
            current_->graph.edge_count() > edges_to_descend) {
            work -= work_per_edge * current_->graph.edge_count();
            bound_first(stop);
            continue;
        }
        if (!current_->is_reduced) {
            current_->is_reduced = current_->reducer.advance(current_->graph, until);
            if (!current_->is_reduced) continue;
            if (current_->graph.edge_slots() > 2 * current_->graph.edge_count()) {
                current_->graph = current_->graph.compacted();
            }
        }
        if (!first_) {
            first_ = current_->graph;
            ceiling_at_start_ = ceiling();
        }
        work -= work_per_edge * current_->graph.edge_count();
        bound_once(stop);
        if (current_ && hopeless(current_->bound)) current_.reset();
    } while (work > 0 && !stop.expired());
    return current_.has_value() || !open_.empty() || target_ < upper_;
}

/// A lower ceiling thins out the first node, and with it all that follow; a higher one needs what was removed.
void Branching::start_again(double proven) {
    nodes_at_start_ = nodes_;
    current_.reset();
    open_.clear();
    open_slots_ = 0;
    open(Node{.graph = *first_, .bound = proven, .is_reduced = true, .reducer = reducer_at(0)});
}

/// Sets the first target, where nodes are many and so much is between the bound and the best tree.
void Branching::aim() {
    if (target_step_ > 0 || nodes_ < nodes_without_target || upper_ == std::numeric_limits<double>::infinity())
        return;
    proven_ = bound();
    target_step_ = std::max((upper_ - proven_) / target_steps, whole_weights_ ? 1.0 : 1e-9 * upper_);
    next_target();
}

void Branching::next_target() {
    target_ = proven_ + target_step_;
    if (whole_weights_) target_ = std::ceil(target_ - 1e-6);
    if (target_ > upper_ - target_step_ / 2) target_ = std::numeric_limits<double>::infinity();
    ceiling_at_start_ = ceiling();
    start_again(proven_);
}

/// All nodes are closed. False when they were closed by the upper bound.
bool Branching::raise_target() {
    if (target_ >= upper_) return false;
    proven_ = whole_weights_ ? target_ : target_ * (1 - 1e-10);
    // Stages must become longer, or those before the last one take more than it does.
    const std::int64_t opened = nodes_ - nodes_at_start_;
    if (opened < 2 * std::exchange(nodes_of_last_stage_, opened)) target_step_ *= 2;
    next_target();
    return true;
}

/// Reducing a large graph takes a while; a bound is welcome before, and so is what it removes.
void Branching::bound_first(const StopToken& stop) {
    const FlatGraph flat(current_->graph, prize_model());
    const Vertex root = flat.has_copies() ? flat.anchor() : flat.terminals().front();
    const DualAscent ascent = dual_ascent(flat, root, stop, hub_of(flat));
    const double bound = current_->graph.fixed_cost() + ascent.bound - flat.surplus();
    current_->bound = std::max(rounded(bound), std::numeric_limits<double>::min());
    if (hopeless(current_->bound)) {
        current_.reset();
    } else if (!stop.expired()) {
        static_cast<void>(thin_out(flat, ascent));
    }
}

/// Copies are joined to any terminal. Without one the price of a tree is what the best known one is worth.
PrizeModel Branching::prize_model() {
    const Graph& graph = current_->graph;
    PrizeModel model;
    if (!graph.has_prizes()) return model;
    const double prizes = graph.all_prizes();
    if (graph.terminal_count() == 0) {
        offer_vertex(graph.richest());
        model.tree_price = std::max(0.0, graph.fixed_cost() + prizes - upper_);
    } else {
        auto chosen = random_.below(static_cast<std::uint64_t>(graph.terminal_count()));
        for (Vertex v = 0; model.anchor == no_vertex; ++v) {
            if (graph.is_terminal(v) && chosen-- == 0) model.anchor = v;
        }
    }
    model.detour = 1 + std::abs(upper_) + model.tree_price;
    if (upper_ == std::numeric_limits<double>::infinity()) {
        model.detour = 1 + prizes;
        for (int e = 0; e < graph.edge_slots(); ++e) model.detour += graph.has(e) ? graph.link(e).weight : 0;
    }
    return model;
}

void Branching::bound_once(const StopToken& stop) {
    Node& node = *current_;
    const bool is_rootless = node.graph.terminal_count() == 0;
    if (is_rootless && !node.graph.has_prizes()) {
        // All that is left to find are trees without a prize, of which any vertex is as good as the next.
        offer(node.graph.fixed_cost(), 0, nullptr, {});
        current_.reset();
        return;
    }
    const FlatGraph flat(node.graph, prize_model());
    const double fixed = node.graph.fixed_cost() - flat.surplus();
    if (flat.terminals().size() <= 1) {
        offer(flat, {});
        current_.reset();
        return;
    }
    if (flat.terminals().size() == index(flat.size())) {
        std::vector<int> edges(static_cast<std::size_t>(flat.edge_count()));
        for (int e = 0; e < flat.edge_count(); ++e) edges[static_cast<std::size_t>(e)] = e;
        if (const auto tree = tree_among(flat, std::move(edges), flat.weights())) offer(flat, *tree);
        current_.reset();
        return;
    }
    const auto terminals = flat.terminals();
    const Vertex root =
        flat.has_copies() ? flat.anchor() : terminals[static_cast<std::size_t>(random_.below(terminals.size()))];
    const DualAscent ascent = dual_ascent(flat, root, stop, hub_of(flat));
    node.bound = std::max(node.bound, rounded(fixed + ascent.bound));
    if (hopeless(node.bound)) return;
    if (is_rootless) {
        meet_rooted_tree(stop);
    } else {
        meet_tree(flat, ascent, stop);
    }
    if (hopeless(node.bound) || stop.expired()) return;
    ++node.ascents;
    const int removed = thin_out(flat, ascent);
    if (removed * 50 > flat.edge_count() || (is_rootless && node.graph.terminal_count() > 0)) {
        node.is_reduced = !group_.empty();
        node.reducer = reducer_at(node.depth);
        return;
    }
    const int ascents = is_rootless       ? ascents_without_a_root
                        : node.depth == 0 ? ascents_at_the_first_node
                                          : ascents_at_a_node;
    if (node.ascents < ascents) return;
    split();
}

/// A vertex with a prize where there is no root, a rich one rather and the richest at first.
Vertex Branching::hub_of(const FlatGraph& flat) {
    if (current_->graph.terminal_count() > 0) return no_vertex;
    const Vertex hub = rich_vertex();
    for (int e = flat.first_prize_edge(); e < flat.end_of_prize_edges(); e += 2) {
        if (flat.vertex(flat.link(e).u) == hub) return flat.link(e).u;
    }
    return no_vertex;
}

Vertex Branching::rich_vertex() {
    const Node& node = *current_;
    Vertex chosen = node.graph.richest();
    if (node.ascents == 0) return chosen;
    double draw = random_.uniform() * node.graph.all_prizes();
    for (Vertex v = 0; v < node.graph.size(); ++v) {
        if (node.graph.prize(v) == 0) continue;
        chosen = v;
        if ((draw -= node.graph.prize(v)) <= 0) break;
    }
    return chosen;
}

/// A tree from one of the vertices with prizes, a rich one rather; where to split is the richest vertex.
void Branching::meet_rooted_tree(const StopToken& stop) {
    Node& node = *current_;
    PrizeModel model = prize_model();
    model.anchor = rich_vertex();
    const FlatGraph flat(node.graph, model);
    node.branch = node.graph.richest();
    if (!flat.has_copies()) return;
    auto tree = shortest_path_tree(flat, flat.anchor(), flat.weights());
    if (!tree) return;
    if (flat.edge_count() < edges_to_descend) descend(flat, *tree, flat.weights(), stop);
    offer(flat, *tree);
}

void Branching::meet_tree(const FlatGraph& flat, const DualAscent& ascent, const StopToken& stop) {
    Node& node = *current_;
    std::vector<double> free_only(flat.weights());
    for (std::size_t e = 0; e < free_only.size(); ++e) {
        if (ascent.reduced[2 * e] > 0 && ascent.reduced[2 * e + 1] > 0) {
            free_only[e] = std::numeric_limits<double>::infinity();
        }
    }
    auto tree = shortest_path_tree(flat, ascent.root, free_only);
    if (!tree) tree = shortest_path_tree(flat, ascent.root, flat.weights());
    if (!tree) return;
    // Large graphs have workers that know better trees; here the bound is waited for.
    const double cost = node.graph.fixed_cost() + tree->cost - flat.surplus();
    const bool is_promising = node.depth == 0 || cost <= 1.01 * upper_;
    if (is_promising && flat.edge_count() < edges_to_descend) {
        descend(flat, *tree, flat.weights(), stop);
    }
    offer(flat, *tree);
    choose_branch(flat, *tree);
}

/// Vertices of groups that have several in the tree.
std::vector<Vertex> Branching::doubled(const FlatGraph& flat, const EdgeTree& tree) const {
    std::vector<Vertex> result;
    if (group_.empty()) return result;
    std::vector<Vertex> first(group_.size(), no_vertex);
    std::vector<char> seen(index(flat.size()), 0);
    for (const int e : tree.edges) {
        for (const Vertex v : {flat.link(e).u, flat.link(e).v}) {
            if (std::exchange(seen[index(v)], 1) != 0) continue;
            const int group = group_[index(current_->graph.label(flat.vertex(v)))];
            if (group < 0) continue;
            Vertex& other = first[static_cast<std::size_t>(group)];
            if (other != no_vertex) {
                result.push_back(other);
                result.push_back(v);
            }
            other = v;
        }
    }
    return result;
}

void Branching::offer(const FlatGraph& flat, const EdgeTree& tree) {
    if (!doubled(flat, tree).empty()) return;
    const Graph& graph = current_->graph;
    const Vertex start = flat.vertex(flat.has_copies() ? flat.anchor() : flat.terminals().front());
    offer(graph.fixed_cost() + tree.cost - flat.surplus(), graph.label(start), &flat, tree.edges);
}

void Branching::offer_vertex(Vertex v) {
    const Graph& graph = current_->graph;
    offer(graph.fixed_cost() + graph.all_prizes() - graph.prize(v), graph.label(v), nullptr, {});
}

void Branching::offer(double cost, Vertex start, const FlatGraph* flat, std::span<const int> edges) {
    if (cost >= cost_) return;
    const Graph& graph = current_->graph;
    edges_.clear();
    for (const int record : graph.fixed()) graph.origins().expand(record, edges_);
    for (const int e : edges) {
        const int given = flat->edge(e);
        if (given != Graph::none) graph.origins().expand(graph.link(given).origin, edges_);
    }
    start_ = start;
    cost_ = cost;
    upper_ = std::min(upper_, cost_);
}

int Branching::thin_out(const FlatGraph& flat, const DualAscent& ascent) {
    Node& node = *current_;
    const ReducedCostBounds bounds = reduced_cost_bounds(flat, ascent);
    const int before = node.graph.edge_count();
    const double fixed = node.graph.fixed_cost() - flat.surplus();
    const auto is_out = [&](int e) { return hopeless(fixed + bounds.with_edge[static_cast<std::size_t>(e)]); };
    for (int e = 0; e < flat.first_prize_edge(); ++e) {
        if (is_out(e)) node.graph.remove(flat.edge(e));
    }
    for (Vertex v = 0; v < flat.size(); ++v) {
        if (!flat.is_terminal(v) && hopeless(fixed + bounds.with_vertex[index(v)])) {
            node.graph.remove_vertex(flat.vertex(v));
        }
    }
    for (int e = flat.first_prize_edge(); e < flat.end_of_prize_edges(); e += 2) {
        const Vertex v = flat.vertex(flat.link(e).u);
        if (!node.graph.is_alive(v)) continue;
        if (is_out(e)) {
            node.graph.remove_vertex(v);
        } else if (is_out(e + 1)) {
            node.graph.make_terminal(v);
        }
    }
    return before - node.graph.edge_count();
}

/// The non-terminal that branches most in the tree; the one of most edges where there is none.
void Branching::choose_branch(const FlatGraph& flat, const EdgeTree& tree) {
    std::vector<int> degree(index(flat.size()), 0);
    for (const int e : tree.edges) {
        ++degree[index(flat.link(e).u)];
        ++degree[index(flat.link(e).v)];
    }
    // Where groups have several vertices the tree is no answer, which comes first.
    for (const Vertex v : doubled(flat, tree)) degree[index(v)] += flat.size();
    std::pair<int, std::size_t> best = {-1, 0};
    for (Vertex v = 0; v < flat.size(); ++v) {
        if (flat.is_terminal(v)) continue;
        const std::pair<int, std::size_t> here = {degree[index(v)], flat.arcs(v).size()};
        if (here <= best) continue;
        best = here;
        current_->branch = flat.vertex(v);
    }
}

void Branching::split() {
    Node node = *std::exchange(current_, std::nullopt);
    const auto may_split_at = [&](Vertex v) {
        return v != no_vertex && v < node.graph.size() && node.graph.is_alive(v) && !node.graph.is_terminal(v) &&
               node.graph.degree(v) > 0;
    };
    if (!may_split_at(node.branch)) {
        node.branch = no_vertex;
        for (Vertex v = 0; v < node.graph.size(); ++v) {
            if (!may_split_at(v)) continue;
            if (node.branch == no_vertex || node.graph.degree(v) > node.graph.degree(node.branch)) node.branch = v;
        }
    }
    if (node.branch == no_vertex) {
        // Reductions will settle what is left: every vertex is a terminal now.
        node.is_reduced = !group_.empty();
        node.reducer = reducer_at(node.depth);
        node.ascents = 0;
        open(std::move(node));
        return;
    }
    Node without{.graph = node.graph,
                 .bound = node.bound,
                 .depth = node.depth + 1,
                 .is_reduced = !group_.empty(),
                 .reducer = reducer_at(node.depth + 1)};
    without.graph.remove_vertex(node.branch);
    Node with{.graph = std::move(node.graph),
              .bound = node.bound,
              .depth = node.depth + 1,
              .reducer = reducer_at(node.depth + 1)};
    with.is_reduced = !group_.empty();
    with.graph.make_terminal(node.branch);
    if (!group_.empty()) {
        const int group = group_[index(with.graph.label(node.branch))];
        for (Vertex v = 0; v < with.graph.size(); ++v) {
            const bool is_rival = group >= 0 && v != node.branch && with.graph.is_alive(v) &&
                                  group_[index(with.graph.label(v))] == group;
            if (is_rival) with.graph.remove_vertex(v);
        }
    }
    open(std::move(without));
    open(std::move(with));
}

}  // namespace neuroprim::steiner
