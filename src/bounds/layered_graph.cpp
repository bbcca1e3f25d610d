#include "bounds/layered_graph.hpp"

#include <algorithm>
#include <cmath>

namespace neuroprim {

namespace {

/// An edge seen from its lower end.
struct Ascending {
    Vertex from;
    double weight;
    int step;
};

/// (n) the edges that may lead to each vertex; none to the centre.
std::vector<std::vector<Ascending>> edges_inward(const Weights& weights, const LayerRule& rule,
                                                 std::span<const int> groups, PacedStopToken& stop) {
    const Vertex n = weights.size();
    std::vector<bool> is_centre(index(n), false);
    for (const Vertex c : rule.centre) is_centre[index(c)] = true;
    std::vector<double> to_centre(index(n), Weights::infinity);
    for (const Vertex c : rule.centre) {
        weights.for_each_neighbour(
            c, [&](Vertex v, double weight) { to_centre[index(v)] = std::min(to_centre[index(v)], weight); });
    }
    std::vector<std::vector<Ascending>> inward(index(n));
    for (Vertex v = 0; v < n; ++v) {
        if (is_centre[index(v)]) continue;
        stop.check();
        weights.for_each_neighbour(v, [&](Vertex u, double weight) {
            if (!groups.empty() && groups[index(u)] >= 0 && groups[index(u)] == groups[index(v)]) return;
            if (rule.nearer_is_better && !is_centre[index(u)] && weight >= to_centre[index(v)]) return;
            const double layers = rule.step > 0 ? std::floor(weight / rule.step) : 1;
            if (layers <= rule.last_layer) inward[index(v)].push_back({u, weight, static_cast<int>(layers)});
        });
    }
    return inward;
}

/// (layers, n) the copies that can be reached from the centre.
std::vector<std::vector<bool>> reached_copies(const std::vector<std::vector<Ascending>>& inward,
                                              const LayerRule& rule, PacedStopToken& stop) {
    const std::size_t n = inward.size();
    std::vector<std::vector<std::pair<Vertex, int>>> outward(n);
    for (std::size_t v = 0; v < n; ++v) {
        stop.check();
        for (const auto& [from, weight, step] : inward[v]) {
            outward[index(from)].emplace_back(static_cast<Vertex>(v), step);
        }
    }
    const auto layers = static_cast<std::size_t>(rule.last_layer) + 1;
    std::vector<std::vector<bool>> reached(layers, std::vector<bool>(n, false));
    std::vector<Vertex> open;
    for (const Vertex c : rule.centre) reached[0][index(c)] = true;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        for (std::size_t v = 0; v < n; ++v) {
            if (reached[layer][v]) open.push_back(static_cast<Vertex>(v));
        }
        while (!open.empty()) {
            const Vertex u = open.back();
            open.pop_back();
            stop.check();
            for (const auto& [v, step] : outward[index(u)]) {
                const std::size_t next = layer + static_cast<std::size_t>(step);
                if (next >= layers || reached[next][index(v)]) continue;
                reached[next][index(v)] = true;
                if (step == 0) open.push_back(v);
            }
        }
    }
    return reached;
}

}  // namespace

LayeredGraph::LayeredGraph(const Weights& weights, std::span<const LayerGoal> goals, const LayerRule& rule,
                           std::span<const int> groups, const StopToken& stop) {
    const auto n = index(weights.size());
    PacedStopToken paced(stop, nodes_between_looks);
    const auto inward = edges_inward(weights, rule, groups, paced);
    const auto reached = reached_copies(inward, rule, paced);
    std::vector<bool> is_centre(n, false);
    for (const Vertex c : rule.centre) is_centre[index(c)] = true;

    // Numbers first: arcs without a step come from nodes of the same layer.
    std::vector<std::vector<Vertex>> number(reached.size(), std::vector<Vertex>(n, no_vertex));
    Vertex count = 1;
    for (std::size_t layer = 0; layer < reached.size(); ++layer) {
        for (std::size_t v = 0; v < n; ++v) {
            if (reached[layer][v]) number[layer][v] = is_centre[v] ? 0 : count++;
        }
    }
    add_node(rule.centre.front(), 0);
    for (std::size_t layer = 0; layer < reached.size(); ++layer) {
        for (std::size_t v = 0; v < n; ++v) {
            if (!reached[layer][v] || is_centre[v]) continue;
            paced.check();
            add_node(static_cast<Vertex>(v), static_cast<int>(layer));
            for (const auto& [from, weight, step] : inward[v]) {
                if (static_cast<std::size_t>(step) > layer) continue;
                const Vertex node = number[layer - static_cast<std::size_t>(step)][index(from)];
                if (node != no_vertex) add_arc(node, weight, from);
            }
        }
    }
    for (const LayerGoal& goal : goals) {
        if (std::ranges::any_of(goal.vertices, [&](Vertex v) { return is_centre[index(v)]; })) continue;
        terminals_.push_back(size());
        add_node(goal.vertices.front(), -1);
        if (goal.prize != Weights::infinity) add_arc(0, goal.prize, rule.centre.front());
        for (const Vertex v : goal.vertices) {
            for (std::size_t layer = 0; layer < reached.size(); ++layer) {
                if (reached[layer][index(v)]) add_arc(number[layer][index(v)], 0, v);
            }
        }
    }
}

void LayeredGraph::add_node(Vertex vertex, int layer) {
    if (begin_.empty()) begin_.push_back(0);
    begin_.push_back(arcs_.size());
    vertex_.push_back(vertex);
    layer_.push_back(layer);
}

void LayeredGraph::add_arc(Vertex from, double weight, Vertex source) {
    arcs_.push_back({from, static_cast<int>(arcs_.size())});
    weights_.push_back(weight);
    source_.push_back(source);
    begin_.back() = arcs_.size();
}

LayeredGraph LayeredGraph::restricted(const std::vector<bool>& keeps, std::span<const Window> windows,
                                      const StopToken& stop) const {
    PacedStopToken paced(stop, nodes_between_looks);
    const auto allowed = [&](Vertex node) {
        const Window& window = windows[index(vertex(node))];
        return layer(node) >= window.first && layer(node) <= window.last;
    };
    std::vector<char> stays(index(size()), 1);
    const auto leads_on = [&](const Arc& arc) {
        return keeps[static_cast<std::size_t>(arc.inward)] && stays[index(arc.to)] != 0;
    };
    // Arcs inside a layer may come from nodes that are looked at later. Those count as staying, which keeps a few
    // nodes too many.
    for (Vertex node = 1; node < size(); ++node) {
        if (layer(node) < 0) continue;
        paced.check();
        stays[index(node)] = static_cast<char>(allowed(node) && std::ranges::any_of(arcs(node), leads_on));
    }
    // The only copy that is left of a goal is a terminal itself.
    std::vector<char> is_terminal(index(size()), 0);
    for (const Vertex t : terminals_) {
        is_terminal[index(t)] = 1;
        if (layer(t) >= 0 || std::ranges::count_if(arcs(t), leads_on) != 1) continue;
        const Vertex copy = std::ranges::find_if(arcs(t), leads_on)->to;
        if (copy == 0) continue;  // nothing but the prize
        is_terminal[index(copy)] = 1;
        stays[index(t)] = 0;
    }
    std::vector<Vertex> number(index(size()), no_vertex);
    Vertex count = 0;
    for (Vertex node = 0; node < size(); ++node) {
        if (stays[index(node)] != 0 || (is_terminal[index(node)] != 0 && layer(node) >= 0)) {
            stays[index(node)] = 1;
            number[index(node)] = count++;
        }
    }
    LayeredGraph result;
    for (Vertex node = 0; node < size(); ++node) {
        if (stays[index(node)] == 0) continue;
        paced.check();
        if (is_terminal[index(node)] != 0) result.terminals_.push_back(result.size());
        result.add_node(vertex(node), layer(node));
        for (const Arc& arc : arcs(node)) {
            const auto at = static_cast<std::size_t>(arc.inward);
            if (leads_on(arc)) result.add_arc(number[index(arc.to)], weights_[at], source_[at]);
        }
    }
    return result;
}

}  // namespace neuroprim
