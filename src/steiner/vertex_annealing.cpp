#include "steiner/vertex_annealing.hpp"

#include <algorithm>
#include <cmath>

namespace neuroprim::steiner {

VertexAnnealing::VertexAnnealing(const FlatGraph& graph, const EdgeTree& start) : graph_(graph) {
    while (n_ < graph.size() && graph.vertex(n_) != no_vertex) ++n_;
    const auto n = index(n_);
    prize_.assign(n, 0);
    for (int e = graph.first_prize_edge(); e < graph.end_of_prize_edges(); e += 2) {
        prize_[index(graph.link(e).u)] = graph.link(e + 1).weight - graph.offset(e + 1);
        copies_ += graph.offset(e);
    }
    begin_.assign(n + 1, 0);
    for (Vertex v = 0; v < n_; ++v) begin_[index(v) + 1] = begin_[index(v)] + graph.arcs(v).size();
    near_.resize(begin_.back());
    count_.assign(n, 0);
    in_.assign(n, 0);
    hook_.resize(n);
    place_.assign(n, 0);
    mark_.assign(n, 0);
    part_.assign(n, 0);
    load(start);
    best_ = start;
    best_.cost = cost_of(start, graph.weights());
    least_gain_ = 1e-9 * std::max(1.0, best_.cost - copies_);
    keep_best();  // a start need not be spanned by a minimum tree
}

void VertexAnnealing::load(const EdgeTree& tree) {
    for (Vertex v = 0; v < n_; ++v) {
        if (graph_.is_terminal(v)) in_[index(v)] = 1;
    }
    for (const int e : tree.edges) {
        if (e >= graph_.first_prize_edge()) continue;
        in_[index(graph_.link(e).u)] = 1;
        in_[index(graph_.link(e).v)] = 1;
    }
    // The vertices join one after the other, so that the forest is a minimum one.
    for (Vertex v = 0; v < n_; ++v) {
        if (!is_in(v)) lost_ += prize_[index(v)];
        if (graph_.is_terminal(v)) continue;
        auto& list = is_in(v) ? inside_ : outside_;
        place_[index(v)] = list.size();
        list.push_back(v);
    }
    for (Vertex v = 0; v < n_; ++v) {
        if (!is_in(v)) continue;
        lost_ += prize_[index(v)];
        join(v);
        show(v);
    }
    changes_.clear();
}

std::vector<int> VertexAnnealing::edges() const {
    std::vector<int> result;
    for (Vertex v = 0; v < n_; ++v) {
        if (is_in(v) && hook_[index(v)].parent != no_vertex) result.push_back(hook_[index(v)].edge);
    }
    for (int e = graph_.first_prize_edge(); e < graph_.end_of_prize_edges(); e += 2) {
        result.push_back(is_in(graph_.link(e).u) ? e : e + 1);
    }
    return result;
}

void VertexAnnealing::keep_best() {
    auto tree = tree_among(graph_, edges(), graph_.weights());
    if (tree && tree->cost < best_.cost - least_gain_) best_ = *std::move(tree);
}

/// Tells the neighbours that v is in the state.
void VertexAnnealing::show(Vertex v) {
    for (const auto& arc : graph_.arcs(v)) {
        if (arc.edge >= graph_.first_prize_edge()) continue;
        near_[begin_[index(arc.to)] + static_cast<std::size_t>(count_[index(arc.to)]++)] = {v, arc.edge, arc.weight};
    }
}

void VertexAnnealing::hide(Vertex v) {
    for (const auto& arc : graph_.arcs(v)) {
        if (arc.edge >= graph_.first_prize_edge()) continue;
        Near* const first = &near_[begin_[index(arc.to)]];
        Near* const last = first + --count_[index(arc.to)];
        *std::find_if(first, last, [&](const Near& other) { return other.edge == arc.edge; }) = *last;
    }
}

void VertexAnnealing::hook(Vertex v, const Hook& to) {
    changes_.push_back({v, hook_[index(v)]});
    weight_ += to.weight - hook_[index(v)].weight;
    hook_[index(v)] = to;
}

/// The tree of v hangs from v, and v as told.
void VertexAnnealing::turn(Vertex v, const Hook& to) {
    Hook below = to;
    while (v != no_vertex) {
        const Hook above = hook_[index(v)];
        hook(v, below);
        below = {v, above.edge, above.weight};
        v = above.parent;
    }
}

/// An edge between v and a vertex of the state: it joins two trees, or takes the place of a heavier one.
void VertexAnnealing::connect(Vertex v, const Near& edge) {
    ++stamp_;
    for (Vertex x = v; x != no_vertex; x = hook_[index(x)].parent) mark_[index(x)] = stamp_;
    Vertex heaviest = no_vertex;
    double most = edge.weight;
    bool below_other_end = true;
    Vertex meet = edge.to;
    for (; meet != no_vertex && mark_[index(meet)] != stamp_; meet = hook_[index(meet)].parent) {
        if (hook_[index(meet)].weight > most) {
            most = hook_[index(meet)].weight;
            heaviest = meet;
        }
    }
    if (meet == no_vertex) {
        turn(edge.to, {v, edge.edge, edge.weight});
        --trees_;
        return;
    }
    for (Vertex x = v; x != meet; x = hook_[index(x)].parent) {
        if (hook_[index(x)].weight > most) {
            most = hook_[index(x)].weight;
            heaviest = x;
            below_other_end = false;
        }
    }
    if (heaviest == no_vertex) return;
    hook(heaviest, {});
    if (below_other_end) {
        turn(edge.to, {v, edge.edge, edge.weight});
    } else {
        turn(v, {edge.to, edge.edge, edge.weight});
    }
}

void VertexAnnealing::join(Vertex v) {
    hook(v, {});
    ++trees_;
    lost_ -= prize_[index(v)];
    for (const Near& edge : near(v)) connect(v, edge);
}

/// Breadth first from all seeds at the same pace, until one part is left that is not known in full.
void VertexAnnealing::find_parts() {
    largest_ = 0;
    if (members_.size() < seeds_.size()) members_.resize(seeds_.size());
    next_.assign(seeds_.size(), 0);
    for (std::size_t k = 0; k < seeds_.size(); ++k) {
        members_[k].assign(1, seeds_[k]);
        mark_[index(seeds_[k])] = stamp_;
        part_[index(seeds_[k])] = static_cast<Vertex>(k);
    }
    std::size_t growing = seeds_.size();
    while (growing > 1) {
        growing = 0;
        for (std::size_t k = 0; k < seeds_.size(); ++k) {
            auto& members = members_[k];
            if (next_[k] == members.size()) continue;
            const Vertex v = members[next_[k]++];
            for (const Near& arc : near(v)) {
                const Vertex w = arc.to;
                if (mark_[index(w)] == stamp_) continue;
                if (hook_[index(w)].parent != v && hook_[index(v)].parent != w) continue;
                mark_[index(w)] = stamp_;
                part_[index(w)] = static_cast<Vertex>(k);
                members.push_back(w);
            }
            if (next_[k] == members.size()) continue;
            ++growing;
            largest_ = static_cast<Vertex>(k);
        }
        if (growing == 0) {
            // All ended in this turn; the one with most members counts as the largest.
            for (std::size_t k = 1; k < seeds_.size(); ++k) {
                if (members_[k].size() > members_[index(largest_)].size()) largest_ = static_cast<Vertex>(k);
            }
        }
    }
}

/// The lightest edges that join the parts, as far as there are any.
void VertexAnnealing::find_joints(Vertex without) {
    joints_.clear();
    for (Vertex k = 0; k < std::ssize(seeds_); ++k) {
        if (k == largest_) continue;
        for (const Vertex v : members_[index(k)]) {
            for (const Near& arc : near(v)) {
                if (arc.to == without || part(arc.to) == k) continue;
                joints_.push_back({v, arc.to, arc.edge, arc.weight});
            }
        }
    }
    std::sort(joints_.begin(), joints_.end(), [](const Joint& a, const Joint& b) {
        return a.weight != b.weight ? a.weight < b.weight : a.edge < b.edge;
    });
    set_of_.resize(seeds_.size());
    for (Vertex k = 0; k < std::ssize(seeds_); ++k) set_of_[index(k)] = k;
    std::erase_if(joints_, [&](const Joint& joint) {
        const Vertex a = set_of_[index(part(joint.from))];
        const Vertex b = set_of_[index(part(joint.to))];
        if (a == b) return true;
        std::replace(set_of_.begin(), set_of_.end(), a, b);
        return false;
    });
}

/// The state is left by a vertex that its neighbours still see.
void VertexAnnealing::leave(Vertex v) {
    seeds_.clear();
    ++stamp_;
    mark_[index(v)] = stamp_;
    if (hook_[index(v)].parent != no_vertex) seeds_.push_back(hook_[index(v)].parent);
    for (const Near& arc : near(v)) {
        if (hook_[index(arc.to)].parent == v) seeds_.push_back(arc.to);
    }
    lost_ += prize_[index(v)];
    joints_.clear();
    if (seeds_.size() > 1) {
        find_parts();
        find_joints(v);
    }
    trees_ += static_cast<int>(seeds_.size()) - 1 - static_cast<int>(joints_.size());
    for (const Vertex seed : seeds_) {
        if (hook_[index(seed)].parent == v) hook(seed, {});
    }
    hook(v, {});
    for (const Joint& joint : joints_) turn(joint.from, {joint.to, joint.edge, joint.weight});
}

void VertexAnnealing::undo(Vertex joined, Vertex left) {
    for (; !changes_.empty(); changes_.pop_back()) hook_[index(changes_.back().v)] = changes_.back().hook;
    weight_ = weight_before_;
    lost_ = lost_before_;
    trees_ = trees_before_;
    if (joined != no_vertex) in_[index(joined)] = 0;
    if (left != no_vertex) in_[index(left)] = 1;
}

void VertexAnnealing::run(std::int64_t moves, const Heat& heat, Random& random, const StopToken& stop) {
    const auto erase = [&](std::vector<Vertex>& list, Vertex v) {
        place_[index(list.back())] = place_[index(v)];
        list[place_[index(v)]] = list.back();
        list.pop_back();
    };
    const auto insert = [&](std::vector<Vertex>& list, Vertex v) {
        place_[index(v)] = list.size();
        list.push_back(v);
    };
    for (std::int64_t k = 0; k < moves; ++k) {
        if ((k & 63) == 0 && stop.expired()) return;
        changes_.clear();
        weight_before_ = weight_;
        lost_before_ = lost_;
        trees_before_ = trees_;
        Vertex left = no_vertex;
        Vertex joined = no_vertex;
        double odds = 1;  // sets of any size are as likely to be proposed
        const double kind = random.uniform();
        const auto in = static_cast<double>(inside_.size());
        const auto out = static_cast<double>(outside_.size());
        if (kind >= 0.25 && inside_.empty()) continue;
        if (kind < 0.5 && outside_.empty()) continue;
        if (kind < 0.25) {
            joined = outside_[random.below(outside_.size())];
            odds = out / (in + 1);
        } else {
            left = inside_[random.below(inside_.size())];
            odds = in / (out + 1);
        }
        if (kind >= 0.5) {
            odds = 1;
            const auto arcs = graph_.arcs(left);
            const auto& arc = arcs[random.below(arcs.size())];
            if (arc.edge >= graph_.first_prize_edge()) continue;
            const auto further = graph_.arcs(arc.to);
            joined = further[random.below(further.size())].to;
            if (joined >= n_ || is_in(joined)) continue;
        }
        if (left != no_vertex) {
            leave(left);
            in_[index(left)] = 0;
        }
        if (joined != no_vertex) {
            if (left != no_vertex) hide(left);
            in_[index(joined)] = 1;
            join(joined);
        }
        const double loss = weight_ + lost_ - weight_before_ - lost_before_ + heat.penalty * (trees_ - trees_before_);
        if (random.uniform() >= odds * std::exp(-loss / heat.temperature)) {
            undo(joined, left);
            if (left != no_vertex && joined != no_vertex) show(left);
            continue;
        }
        if (left != no_vertex) {
            if (joined == no_vertex) hide(left);
            erase(inside_, left);
            insert(outside_, left);
        }
        if (joined != no_vertex) {
            show(joined);
            erase(outside_, joined);
            insert(inside_, joined);
        }
        if (trees_ == 1 && cost() < best_.cost - least_gain_) keep_best();
    }
}

}  // namespace neuroprim::steiner
