#include "formats/pictures/edges.hpp"

#include <algorithm>
#include <cmath>

#include "formats/pictures/style.hpp"

namespace neuroprim::formats {

namespace {

constexpr int trunk_classes = 6;

Colour mixed(Colour a, Colour b, double share) {
    const auto mix = [share](std::uint8_t x, std::uint8_t y) {
        return static_cast<std::uint8_t>(std::lround(x + (y - x) * share));
    };
    return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

/// The number of vertices on the far side of each vertex's edge to its parent.
std::vector<Vertex> subtree_sizes(const RootedTree& tree) {
    std::vector<Vertex> size(tree.parent.size(), 1);
    for (auto v = tree.order.rbegin(); v != tree.order.rend(); ++v) {
        if (const Vertex p = tree.parent[index(*v)]; p != no_vertex) size[index(p)] += size[index(*v)];
    }
    return size;
}

/// Calls `visit(parent, child)` for every edge, along downward paths that always follow the largest subtree, so
/// that drawn edges hang together in long strokes.
template <class Visit>
void for_each_edge_along_paths(const RootedTree& tree, const std::vector<Vertex>& size, Visit&& visit) {
    std::vector<Vertex> heaviest(tree.parent.size(), no_vertex);
    for (const Vertex v : tree.order) {
        const Vertex p = tree.parent[index(v)];
        if (p == no_vertex) continue;
        Vertex& child = heaviest[index(p)];
        if (child == no_vertex || size[index(v)] > size[index(child)]) child = v;
    }
    for (const Vertex top : tree.order) {
        const Vertex p = tree.parent[index(top)];
        if (p != no_vertex && heaviest[index(p)] == top) continue;
        if (p != no_vertex) visit(p, top);
        for (Vertex v = top; heaviest[index(v)] != no_vertex; v = heaviest[index(v)]) visit(v, heaviest[index(v)]);
    }
}

}  // namespace

std::vector<Lines> tree_lines(const Tree& tree, std::span<const Vertex> roots, Vertex n, const EdgePath& find_path,
                              double width) {
    if (tree.edges.empty()) return {};
    const auto rooted = hang(tree, roots, n);
    const auto size = subtree_sizes(rooted);
    const auto count = static_cast<Vertex>(rooted.order.size());
    const int classes = rooted.order.size() < trunks_from ? 1 : trunk_classes;

    std::vector<Lines> lines(static_cast<std::size_t>(classes));
    for (int k = 0; k < classes; ++k) {
        const double share = classes == 1 ? 0 : static_cast<double>(k) / (classes - 1);
        Paint& paint = lines[static_cast<std::size_t>(k)].paint;
        paint.stroke_width = width * (1 + 3.2 * share * share) + 0.8 * share;
        paint.stroke = classes == 1 ? palette::slate : mixed(palette::light_slate, palette::ink, share);
    }
    const double largest_part = std::log(std::max(2.0, count / 2.0));
    std::vector<Point> path;
    for_each_edge_along_paths(rooted, size, [&](Vertex u, Vertex v) {
        const Vertex part = std::min(size[index(v)], count - size[index(v)]);
        const int k = std::min(classes - 1, static_cast<int>(classes * std::log(part) / largest_part));
        find_path(path, u, v);
        auto& segments = lines[static_cast<std::size_t>(k)].segments;
        for (std::size_t i = 1; i < path.size(); ++i) segments.push_back({path[i - 1], path[i]});
    });
    return lines;
}

std::vector<Lines> loaded_lines(const Tree& tree, const TreeFacts& facts, const EdgePath& find_path, double width) {
    constexpr std::size_t widths = 5;
    double most = 0;  // behind an edge, and roots have none above
    for (std::size_t v = 0; v < facts.load.size(); ++v) {
        if (facts.parent[v] != no_vertex) most = std::max(most, facts.load[v]);
    }
    const std::size_t colours = palette::cables.size() + 1;  // the last one is for edges without a cable
    std::vector<Lines> lines(widths * colours);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        Paint& paint = lines[k].paint;
        const std::size_t thickness = k / colours;
        paint.stroke_width = width * (0.8 + 0.6 * static_cast<double>(thickness));
        paint.stroke = k % colours < palette::cables.size() ? palette::cables[k % colours] : palette::slate;
    }
    std::vector<Point> path;
    for (const auto& [u, v] : tree.edges) {
        const std::size_t below = index(facts.parent[index(v)] == u ? v : u);
        const double share = most > 0 ? facts.load[below] / most : 0;
        const auto wide = std::min(widths - 1, static_cast<std::size_t>(widths * share));
        const auto cable = static_cast<std::size_t>(facts.cable[below]);
        const std::size_t colour = facts.cable[below] < 0 ? colours - 1 : std::min(cable, colours - 2);
        find_path(path, u, v);
        auto& segments = lines[wide * colours + colour].segments;
        for (std::size_t i = 1; i < path.size(); ++i) segments.push_back({path[i - 1], path[i]});
    }
    return lines;
}

Lines graph_lines(const Weights& weights, std::span<const Point> pixels, double width) {
    Lines lines;
    lines.paint = {.stroke = palette::faint, .stroke_width = width};
    for (Vertex u = 0; u < weights.size(); ++u) {
        weights.for_each_neighbour(u, [&](Vertex v, double) {
            if (u < v) lines.segments.push_back({pixels[index(u)], pixels[index(v)]});
        });
    }
    return lines;
}

}  // namespace neuroprim::formats
