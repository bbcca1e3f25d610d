#include "steiner/graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace neuroprim::steiner {

void Origins::expand(int record, std::vector<Edge>& edges) const {
    std::vector<int> open = {record};
    while (!open.empty()) {
        const Record& next = records_[static_cast<std::size_t>(open.back())];
        open.pop_back();
        if (next.is_input) {
            edges.push_back({next.a, next.b});
        } else {
            open.push_back(next.a);
            open.push_back(next.b);
        }
    }
}

Graph::Graph(Vertex n, std::shared_ptr<Origins> origins)
    : origins_(std::move(origins)),
      first_(index(n), none),
      degree_(index(n), 0),
      terminal_(index(n), 0),
      prize_(index(n), 0),
      label_(index(n)),
      merged_into_(index(n)) {
    std::iota(label_.begin(), label_.end(), 0);
    std::iota(merged_into_.begin(), merged_into_.end(), 0);
}

double Graph::all_prizes() const {
    return has_prizes() ? std::accumulate(prize_.begin(), prize_.end(), 0.0) : 0;
}

Vertex Graph::richest() const {
    if (!has_prizes()) return no_vertex;
    return static_cast<Vertex>(std::max_element(prize_.begin(), prize_.end()) - prize_.begin());
}

int Graph::find(Vertex u, Vertex v) const {
    if (degree(u) > degree(v)) std::swap(u, v);
    for (int a = first(u); a != none; a = next(a)) {
        if (head(a) == v) return a / 2;
    }
    return none;
}

void Graph::make_terminal(Vertex v) {
    if (is_terminal(v)) return;
    set_prize(v, 0);
    terminal_[index(v)] = 1;
    ++terminal_count_;
}

void Graph::set_prize(Vertex v, double prize) {
    prize_count_ += (prize > 0 ? 1 : 0) - (prize_[index(v)] > 0 ? 1 : 0);
    prize_[index(v)] = prize;
}

void Graph::attach(Vertex v, int arc) {
    const auto at = static_cast<std::size_t>(arc);
    next_[at] = first_[index(v)];
    previous_[at] = none;
    if (next_[at] != none) previous_[static_cast<std::size_t>(next_[at])] = arc;
    first_[index(v)] = arc;
    ++degree_[index(v)];
}

void Graph::detach(Vertex v, int arc) {
    const auto at = static_cast<std::size_t>(arc);
    if (next_[at] != none) previous_[static_cast<std::size_t>(next_[at])] = previous_[at];
    if (previous_[at] != none) {
        next_[static_cast<std::size_t>(previous_[at])] = next_[at];
    } else {
        first_[index(v)] = next_[at];
    }
    --degree_[index(v)];
}

int Graph::add_new(Vertex u, Vertex v, double weight, int origin) {
    const int e = edge_slots();
    links_.push_back({u, v, weight, origin});
    next_.resize(next_.size() + 2);
    previous_.resize(previous_.size() + 2);
    attach(u, 2 * e);
    attach(v, 2 * e + 1);
    ++edge_count_;
    return e;
}

void Graph::add(Vertex u, Vertex v, double weight, int origin) {
    const int parallel = find(u, v);
    if (parallel == none) {
        add_new(u, v, weight, origin);
    } else if (Link& link = links_[static_cast<std::size_t>(parallel)]; weight < link.weight) {
        link.weight = weight;
        link.origin = origin;
    }
}

void Graph::remove(int e) {
    Link& link = links_[static_cast<std::size_t>(e)];
    detach(link.u, 2 * e);
    detach(link.v, 2 * e + 1);
    link.u = no_vertex;
    --edge_count_;
}

void Graph::remove_vertex(Vertex v) {
    while (first(v) != none) remove(first(v) / 2);
    fixed_cost_ += prize(v);
    set_prize(v, 0);
    merged_into_[index(v)] = no_vertex;
    if (is_terminal(v)) {
        terminal_[index(v)] = 0;
        --terminal_count_;
    }
}

Vertex Graph::contract(int e) {
    const Vertex into = merge(e);
    make_terminal(into);
    return into;
}

Vertex Graph::absorb(int e) {
    const auto [u, v, weight, origin] = link(e);
    if (is_terminal(u) || is_terminal(v)) return contract(e);
    const double prize = this->prize(u) + this->prize(v) - weight;
    const Vertex into = merge(e);
    set_prize(into, prize);
    return into;
}

/// Prizes of both ends are gone afterwards.
Vertex Graph::merge(int e) {
    const Link kept = link(e);
    fixed_.push_back(kept.origin);
    fixed_cost_ += kept.weight;
    remove(e);
    Vertex into = kept.u;
    Vertex from = kept.v;
    if (degree(into) < degree(from)) std::swap(into, from);
    while (first(from) != none) {
        const int arc = first(from);
        const Link moved = link(arc / 2);
        const Vertex other = head(arc);
        remove(arc / 2);
        add(into, other, moved.weight, moved.origin);
    }
    if (is_terminal(from)) make_terminal(into);
    set_prize(into, 0);
    set_prize(from, 0);
    remove_vertex(from);
    merged_into_[index(from)] = into;
    return into;
}

void Graph::bridge(int arc, int other_arc) {
    add(head(arc), head(other_arc), weight(arc) + weight(other_arc) - prize(head(arc ^ 1)),
        origins_->joined(link(arc / 2).origin, link(other_arc / 2).origin));
}

Vertex Graph::representative(Vertex v) const {
    while (v != no_vertex && merged_into_[index(v)] != v) v = merged_into_[index(v)];
    return v;
}

Graph Graph::compacted() const {
    std::vector<Vertex> place(index(size()), no_vertex);
    Vertex n = 0;
    for (Vertex v = 0; v < size(); ++v) {
        if (is_alive(v) && (degree(v) > 0 || is_terminal(v) || prize(v) > 0)) place[index(v)] = n++;
    }
    Graph result(n, origins_);
    for (Vertex v = 0; v < size(); ++v) {
        const Vertex at = place[index(v)];
        if (at == no_vertex) continue;
        if (is_terminal(v)) result.make_terminal(at);
        result.set_prize(at, prize(v));
        result.label_[index(at)] = label(v);
    }
    for (int e = 0; e < edge_slots(); ++e) {
        if (has(e)) result.add_new(place[index(link(e).u)], place[index(link(e).v)], link(e).weight, link(e).origin);
    }
    result.fixed_ = fixed_;
    result.fixed_cost_ = fixed_cost_;
    return result;
}

}  // namespace neuroprim::steiner
