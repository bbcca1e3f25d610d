#include "heuristics/hop_hubs.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace neuroprim {

namespace {

/// The sizes that follow from the first, up to the last level.
std::vector<double> sizes_after(double first, int levels) {
    constexpr double from_root = 2.5;  // an edge from the root against the mean way to one of k hubs, doubled
    std::vector<double> sizes = {first};
    for (int level = 1; level < levels; ++level) {
        const double last = sizes.back();
        sizes.push_back(level == 1 ? from_root * last * std::sqrt(last)
                                   : 2 * last * std::sqrt(last / sizes[sizes.size() - 2]));
    }
    return sizes;
}

/// The point nearest to the mean of the block; without points, the member with the least sum of weights to the
/// others.
Vertex middle_of(std::span<const Vertex> block, const Weights& weights) {
    const auto points = weights.points();
    Point mean;
    for (const Vertex v : block) {
        if (points.empty()) break;
        mean.x += points[index(v)].x / static_cast<double>(block.size());
        mean.y += points[index(v)].y / static_cast<double>(block.size());
    }
    const auto remoteness = [&](Vertex v) {
        if (!points.empty()) return std::hypot(points[index(v)].x - mean.x, points[index(v)].y - mean.y);
        double sum = 0;
        for (const Vertex u : block) sum += u == v ? 0 : weights(u, v);
        return sum;
    };
    Vertex best = block.front();
    double least = remoteness(best);
    for (const Vertex v : block.subspan(1)) {
        if (const double now = remoteness(v); now < least) {
            least = now;
            best = v;
        }
    }
    return best;
}

}  // namespace

std::vector<std::size_t> hub_counts(std::size_t n, int hops) {
    constexpr int most_levels = 16;  // growing fourfold, far more vertices than there are
    std::vector<std::size_t> counts;
    for (int levels = std::min(hops, most_levels); levels > 1; --levels) {
        double low = 0;
        double high = static_cast<double>(n);
        if (sizes_after(1, levels).back() > static_cast<double>(n)) continue;  // less than one hub to begin with
        for (int step = 0; step < 100; ++step) {
            const double middle = (low + high) / 2;
            (sizes_after(middle, levels).back() < static_cast<double>(n) ? low : high) = middle;
        }
        std::vector<double> sizes = sizes_after(low, levels);
        sizes.pop_back();
        for (const double size : sizes) {
            const auto count = static_cast<std::size_t>(std::lround(size));
            if (count > (counts.empty() ? 0 : counts.back()) && count < n) counts.push_back(count);
        }
        break;
    }
    return counts;
}

Tree tree_of_hubs(const Weights& weights, Vertex root, const std::vector<Vertex>& order,
                  const std::vector<std::size_t>& counts) {
    Tree tree{root, {}};
    tree.edges.reserve(order.size());
    std::vector<Vertex> members = order;
    std::erase(members, root);
    for (std::size_t level = counts.size(); level-- > 0;) {
        const std::size_t blocks = std::min(counts[level], members.size());
        std::vector<Vertex> hubs;
        hubs.reserve(blocks);
        for (std::size_t k = 0; k < blocks; ++k) {
            const std::size_t begin = k * members.size() / blocks;
            const std::size_t end = (k + 1) * members.size() / blocks;
            const std::span block = std::span(members).subspan(begin, end - begin);
            const Vertex hub = middle_of(block, weights);
            for (const Vertex v : block) {
                if (v != hub) tree.edges.push_back({hub, v});
            }
            hubs.push_back(hub);
        }
        members = std::move(hubs);
    }
    for (const Vertex v : members) tree.edges.push_back({root, v});
    std::reverse(tree.edges.begin(), tree.edges.end());  // as it grows: parents first
    return tree;
}

}  // namespace neuroprim
