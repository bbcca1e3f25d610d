#include "heuristics/degree_relief.hpp"

#include <algorithm>
#include <deque>

#include "neuroprim/random.hpp"

namespace neuroprim {

namespace {

constexpr std::size_t first_extent = 64;
constexpr std::size_t last_extent = 4096;

/// What a relief costs: an overloaded vertex elsewhere will cost about as much again, and a little chance keeps the
/// excess from going round in circles.
double price(const Relief& relief, Random& random) {
    const double dice = 0.9 + 0.2 * random.uniform();
    return relief.overloaded == no_vertex ? relief.change : relief.change + dice * relief.entering;
}

}  // namespace

void ReliefFinder::walk_branches(const ExchangeTree& tree, Vertex c, std::size_t extent) {
    branch_.resize(index(tree.size()));
    seen_.resize(index(tree.size()), 0);
    ++round_;
    walked_.clear();
    seen_[index(c)] = round_;
    for (const Vertex x : tree.neighbours(c)) {
        seen_[index(x)] = round_;
        branch_[index(x)] = x;
        walked_.push_back(x);
    }
    for (std::size_t k = 0; k < walked_.size() && walked_.size() < extent; ++k) {
        const Vertex v = walked_[k];
        for (const Vertex u : tree.neighbours(v)) {
            if (seen_[index(u)] == round_) continue;
            seen_[index(u)] = round_;
            branch_[index(u)] = branch_[index(v)];
            walked_.push_back(u);
        }
    }
}

std::optional<Tree> relieved(const Tree& tree, const Weights& weights, const NearEdges& near,
                             std::span<const int> limits, const StopToken& stop) {
    ExchangeTree work(tree, weights);
    ReliefFinder finder(near, limits);
    std::deque<Vertex> waiting;
    for (Vertex v = 0; v < work.size(); ++v) {
        if (finder.overloaded(work, v)) waiting.push_back(v);
    }
    Random random(0);
    std::size_t rounds = 20 * waiting.size() + 1000;
    while (!waiting.empty()) {
        if (rounds-- == 0 || stop.expired()) return std::nullopt;
        const Vertex c = waiting.front();
        waiting.pop_front();
        if (!finder.overloaded(work, c)) continue;
        std::optional<Relief> best;
        double least = 0;
        for (std::size_t extent = first_extent; !best && extent <= last_extent; extent *= 4) {
            finder.for_each(work, c, extent, Weights::infinity, [&](const Relief& relief) {
                const double cost = price(relief, random);
                if (best && least <= cost) return;
                best = relief;
                least = cost;
            });
        }
        if (!best) return std::nullopt;
        work.exchange(best->exchange, best->entering);
        for (const Vertex v : {c, best->overloaded}) {
            if (v != no_vertex && finder.overloaded(work, v)) waiting.push_back(v);
        }
    }
    return work.tree();
}

}  // namespace neuroprim
