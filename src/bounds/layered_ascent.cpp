#include "bounds/layered_ascent.hpp"

#include <algorithm>
#include <limits>

namespace neuroprim {

LayeredAscent::LayeredAscent(const LayeredGraph& graph) : reduced_(graph.weights()), component_(graph, reduced_, 0) {
    for (const Vertex t : graph.terminals()) waiting_.emplace(graph.arcs(t).size(), t);
}

bool LayeredAscent::advance(std::int64_t& looks, const StopToken& stop) {
    constexpr std::size_t rounds_between_questions = 16;
    for (std::size_t round = 1; !waiting_.empty(); ++round) {
        if (looks <= 0 || (round % rounds_between_questions == 0 && stop.expired())) return false;
        const auto [known, terminal] = waiting_.top();
        waiting_.pop();
        component_.start(terminal);
        looks -= static_cast<std::int64_t>(component_.cut_size()) + 1;
        while (!component_.is_served()) {
            // A cut that has grown waits for its turn.
            const std::size_t size = component_.cut_size();
            if (!waiting_.empty() && size > known && size > waiting_.top().first) {
                waiting_.emplace(size, terminal);
                component_.put_back(terminal);
                break;
            }
            looks -= 2 * static_cast<std::int64_t>(size);
            bound_ += component_.raise();
            if (bound_ == std::numeric_limits<double>::infinity()) {
                waiting_ = {};
                return true;
            }
        }
    }
    return true;
}

std::vector<double> detours(const LayeredGraph& graph, const std::vector<double>& reduced, const StopToken& stop) {
    PacedStopToken paced(stop, LayeredGraph::nodes_between_looks);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> from_centre(index(graph.size()), infinity);
    std::vector<double> to_terminal(index(graph.size()), infinity);
    from_centre[0] = 0;
    for (const Vertex t : graph.terminals()) to_terminal[index(t)] = 0;
    // One sweep in the order of layers is enough, but for arcs inside a layer.
    bool is_ordered = true;
    for (Vertex node = 1; node < graph.size(); ++node) {
        paced.check();
        for (const auto& arc : graph.arcs(node)) is_ordered = is_ordered && arc.to < node;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (Vertex node = 1; node < graph.size(); ++node) {
            paced.check();
            for (const auto& arc : graph.arcs(node)) {
                const double length = from_centre[index(arc.to)] + reduced[static_cast<std::size_t>(arc.inward)];
                if (length >= from_centre[index(node)]) continue;
                from_centre[index(node)] = length;
                changed = !is_ordered;
            }
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (Vertex node = graph.size() - 1; node > 0; --node) {
            paced.check();
            for (const auto& arc : graph.arcs(node)) {
                const double length = to_terminal[index(node)] + reduced[static_cast<std::size_t>(arc.inward)];
                if (length >= to_terminal[index(arc.to)]) continue;
                to_terminal[index(arc.to)] = length;
                changed = !is_ordered;
            }
        }
    }
    std::vector<double> result(reduced.size());
    for (Vertex node = 1; node < graph.size(); ++node) {
        paced.check();
        for (const auto& arc : graph.arcs(node)) {
            const auto at = static_cast<std::size_t>(arc.inward);
            result[at] = from_centre[index(arc.to)] + reduced[at] + to_terminal[index(node)];
        }
    }
    return result;
}

}  // namespace neuroprim
