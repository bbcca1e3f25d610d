#include "steiner/vertex_annealing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neuroprim::steiner {

VertexAnnealing::VertexAnnealing(const FlatGraph& graph, const EdgeTree& start)
    : graph_(graph),
      at_(index(graph.size())),
      mark_(index(graph.size()), 0),
      part_(index(graph.size()), 0),
      seen_(index(graph.size()), 0),
      via_(index(graph.size()), -1) {
    restart(start);
}

void VertexAnnealing::restart(const EdgeTree& tree) {
    for (auto& edges : at_) edges.clear();
    cost_ = 0;
    for (const int e : tree.edges) add(e);
    journal_.clear();
    best_ = tree;
    best_.cost = cost_;
    least_gain_ = 1e-9 * std::max(1.0, cost_);
}

EdgeTree VertexAnnealing::tree() const {
    EdgeTree result;
    for (Vertex v = 0; v < graph_.size(); ++v) {
        for (const int e : at_[index(v)]) {
            if (graph_.link(e).u == v) result.edges.push_back(e);
        }
    }
    std::sort(result.edges.begin(), result.edges.end());
    result.cost = cost_of(result, graph_.weights());
    return result;
}

void VertexAnnealing::add(int e) {
    at_[index(graph_.link(e).u)].push_back(e);
    at_[index(graph_.link(e).v)].push_back(e);
    cost_ += graph_.link(e).weight;
    journal_.emplace_back(e, true);
}

void VertexAnnealing::remove(int e) {
    for (const Vertex v : {graph_.link(e).u, graph_.link(e).v}) {
        auto& edges = at_[index(v)];
        *std::find(edges.begin(), edges.end(), e) = edges.back();
        edges.pop_back();
    }
    cost_ -= graph_.link(e).weight;
    journal_.emplace_back(e, false);
}

void VertexAnnealing::undo() {
    while (!journal_.empty()) {
        const auto [e, was_added] = journal_.back();
        journal_.pop_back();
        if (was_added) {
            remove(e);
        } else {
            add(e);
        }
        journal_.pop_back();
    }
}

/// Returns where the way of leaves ends.
Vertex VertexAnnealing::drop_leaves(Vertex from) {
    while (!graph_.is_terminal(from) && at_[index(from)].size() == 1) {
        const int e = at_[index(from)].front();
        remove(e);
        from = other_end(e, from);
    }
    return from;
}

/// Breadth first from all seeds at the same pace, until one part is left that is not known in full.
void VertexAnnealing::find_parts(const std::vector<Vertex>& seeds) {
    ++stamp_;
    part_count_ = static_cast<Vertex>(seeds.size());
    largest_ = 0;
    if (members_.size() < seeds.size()) members_.resize(seeds.size());
    std::vector<std::size_t> next(seeds.size(), 0);
    for (std::size_t k = 0; k < seeds.size(); ++k) {
        members_[k].assign(1, seeds[k]);
        mark_[index(seeds[k])] = stamp_;
        part_[index(seeds[k])] = static_cast<Vertex>(k);
    }
    std::size_t growing = seeds.size();
    while (growing > 1) {
        growing = 0;
        for (std::size_t k = 0; k < seeds.size(); ++k) {
            auto& members = members_[k];
            if (next[k] == members.size()) continue;
            const Vertex v = members[next[k]++];
            for (const int e : at_[index(v)]) {
                const Vertex w = other_end(e, v);
                if (mark_[index(w)] == stamp_) continue;
                mark_[index(w)] = stamp_;
                part_[index(w)] = static_cast<Vertex>(k);
                members.push_back(w);
            }
            if (next[k] == members.size()) continue;
            ++growing;
            largest_ = static_cast<Vertex>(k);
        }
        if (growing == 0) {
            // All ended in this turn; the one with most members counts as the largest.
            const auto most = std::max_element(members_.begin(), members_.begin() + part_count_,
                                               [](const auto& a, const auto& b) { return a.size() < b.size(); });
            largest_ = static_cast<Vertex>(most - members_.begin());
        }
    }
}

bool VertexAnnealing::join_parts(Vertex without, Random& random) {
    joins_.clear();
    ends_.clear();
    ++seen_stamp_;
    for (Vertex k = 0; k < part_count_; ++k) {
        if (k == largest_) continue;
        for (const Vertex v : members_[index(k)]) {
            for (const auto& arc : graph_.arcs(v)) {
                if (contains(arc.to)) {
                    if (part(arc.to) == k) continue;
                    joins_.push_back({ends_.size(), 2});
                    ends_.push_back({k, arc.edge, arc.weight});
                    ends_.push_back({part(arc.to), -1, 0});
                } else if (arc.to != without && seen_[index(arc.to)] != seen_stamp_) {
                    seen_[index(arc.to)] = seen_stamp_;
                    join_by_vertex(arc.to);
                }
            }
        }
    }
    set_of_.resize(index(part_count_));
    for (Vertex k = 0; k < part_count_; ++k) set_of_[index(k)] = k;
    for (Vertex sets = part_count_; sets > 1;) {
        double least = std::numeric_limits<double>::infinity();
        const Join* chosen = nullptr;
        std::uint64_t ties = 0;
        for (const Join& join : joins_) {
            const double price = price_of(join);
            if (price > least) continue;
            ties = price < least ? 1 : ties + 1;
            if (price < least || random.below(ties) == 0) chosen = &join;
            least = price;
        }
        if (chosen == nullptr || least == std::numeric_limits<double>::infinity()) return false;
        static_cast<void>(price_of(*chosen));
        Vertex into = no_vertex;
        const std::vector<End> cheapest = cheapest_;
        for (const End& end : cheapest) {
            if (end.edge >= 0) add(end.edge);
            const Vertex set = set_of_[index(end.part)];
            if (into == no_vertex) {
                into = set;
                continue;
            }
            --sets;
            for (Vertex& other : set_of_) {
                if (other == set) other = into;
            }
        }
    }
    return true;
}

/// A vertex outside joins the parts that it touches.
void VertexAnnealing::join_by_vertex(Vertex v) {
    const std::size_t first = ends_.size();
    bool touches_two = false;
    for (const auto& arc : graph_.arcs(v)) {
        if (!contains(arc.to)) continue;
        ends_.push_back({part(arc.to), arc.edge, arc.weight});
        touches_two = touches_two || ends_.back().part != ends_[first].part;
    }
    if (touches_two) {
        joins_.push_back({first, ends_.size() - first});
    } else {
        ends_.resize(first);
    }
}

/// What a join costs for each part that it saves; infinity when it saves none. Leaves its lightest edge to each of
/// the sets that it joins in `cheapest_`.
double VertexAnnealing::price_of(const Join& join) {
    cheapest_.clear();
    double sum = 0;
    for (std::size_t k = join.first; k < join.first + join.count; ++k) {
        const End& end = ends_[k];
        const auto known = std::find_if(cheapest_.begin(), cheapest_.end(), [&](const End& other) {
            return set_of_[index(other.part)] == set_of_[index(end.part)];
        });
        if (known == cheapest_.end()) {
            cheapest_.push_back(end);
            sum += end.weight;
        } else if (end.weight < known->weight) {
            sum += end.weight - known->weight;
            *known = end;
        }
    }
    if (cheapest_.size() < 2) return std::numeric_limits<double>::infinity();
    return sum / static_cast<double>(cheapest_.size() - 1);
}

bool VertexAnnealing::take_out(Vertex v, Random& random) {
    const std::vector<int> edges = at_[index(v)];
    std::vector<Vertex> seeds;
    seeds.reserve(edges.size());
    for (const int e : edges) remove(e);
    for (const int e : edges) seeds.push_back(drop_leaves(other_end(e, v)));
    find_parts(seeds);
    return join_parts(v, random);
}

/// Cuts one of the edges of a terminal, with the rest of its key path.
bool VertexAnnealing::cut_at(Vertex v, Random& random) {
    const auto& edges = at_[index(v)];
    const int e = edges[random.below(edges.size())];
    const Vertex other = other_end(e, v);
    remove(e);
    find_parts({v, drop_leaves(other)});
    return join_parts(no_vertex, random);
}

/// The key path of most weight on the tree's way from a to b: its weight, and one of its edges.
std::pair<double, int> VertexAnnealing::heaviest_between(Vertex a, Vertex b, Random& random) {
    ++seen_stamp_;
    queue_.assign(1, b);
    seen_[index(b)] = seen_stamp_;
    via_[index(b)] = -1;
    for (std::size_t k = 0; k < queue_.size() && seen_[index(a)] != seen_stamp_; ++k) {
        const Vertex v = queue_[k];
        for (const int e : at_[index(v)]) {
            const Vertex w = other_end(e, v);
            if (seen_[index(w)] == seen_stamp_) continue;
            seen_[index(w)] = seen_stamp_;
            via_[index(w)] = e;
            queue_.push_back(w);
        }
    }
    std::pair<double, int> best = {0, -1};
    double weight = 0;
    std::uint64_t ties = 0;
    for (Vertex v = a; v != b;) {
        const int e = via_[index(v)];
        weight += graph_.link(e).weight;
        v = other_end(e, v);
        if (v != b && !graph_.is_terminal(v) && at_[index(v)].size() == 2) continue;
        if (weight > best.first) ties = 0;
        if (weight >= best.first && random.below(++ties) == 0) best = {weight, e};
        weight = 0;
    }
    return best;
}

bool VertexAnnealing::take_in(Vertex v, Random& random) {
    cheapest_.clear();
    for (const auto& arc : graph_.arcs(v)) {
        if (contains(arc.to)) cheapest_.push_back({arc.to, arc.edge, arc.weight});
    }
    if (cheapest_.size() < 2) return false;
    for (std::size_t k = cheapest_.size(); k > 1; --k) std::swap(cheapest_[k - 1], cheapest_[random.below(k)]);
    std::stable_sort(cheapest_.begin(), cheapest_.end(),
                     [](const End& a, const End& b) { return a.weight < b.weight; });
    const std::vector<End> ends = cheapest_;
    add(ends.front().edge);
    for (std::size_t k = 1; k < ends.size(); ++k) {
        const Vertex to = ends[k].part;
        if (!contains(v)) return true;  // was on a key path that has gone
        if (!contains(to)) continue;
        const auto [weight, e] = heaviest_between(v, to, random);
        if (weight < ends[k].weight || (weight == ends[k].weight && random.uniform() < 0.5)) continue;
        const auto [a, b, unused] = graph_.link(e);
        add(ends[k].edge);
        remove(e);
        if (a != v) drop_leaves(a);
        if (b != v) drop_leaves(b);
    }
    drop_leaves(v);
    return true;
}

void VertexAnnealing::run(std::int64_t moves, double temperature, Random& random, const StopToken& stop) {
    for (std::int64_t k = 0; k < moves; ++k) {
        if ((k & 63) == 0 && stop.expired()) return;
        const auto v = static_cast<Vertex>(random.below(index(graph_.size())));
        const double before = cost_;
        journal_.clear();
        bool done = false;
        if (!contains(v)) {
            done = take_in(v, random);
        } else if (graph_.is_terminal(v)) {
            done = !at_[index(v)].empty() && cut_at(v, random);
        } else {
            done = take_out(v, random);
        }
        const double loss = cost_ - before;
        if (!done || (loss > 0 && random.uniform() >= std::exp(-loss / temperature))) {
            undo();
            cost_ = before;
        } else if (cost_ < best_.cost - least_gain_) {
            best_ = tree();
            cost_ = best_.cost;
        }
    }
}

}  // namespace neuroprim::steiner
