#include "formats/streets/street_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "graph/disjoint_sets.hpp"

namespace neuroprim::formats {

namespace {

struct Part {
    std::size_t vertices = 0;
    std::size_t places = 0;
    std::size_t feature = std::numeric_limits<std::size_t>::max();  // one that lies in it
    std::vector<std::uint32_t> nodes;                               // some of its nodes
};

/// How far it is from this part to the nearest street of another.
double gap_of(const StreetParts& parts, const Part& part, std::size_t number,
              const std::vector<std::size_t>& part_of_segment) {
    double gap = std::numeric_limits<double>::infinity();
    for (const std::uint32_t node : part.nodes) {
        const auto spot = parts.streets.nearest(parts.streets.at(node), gap, [&](std::size_t segment, Point) {
            return part_of_segment[segment] != number &&
                   part_of_segment[segment] != std::numeric_limits<std::size_t>::max();
        });
        if (spot) gap = std::min(gap, spot->metres);
    }
    return gap;
}

}  // namespace

void tell_parts(const Text& text, const StreetParts& parts) {
    DisjointSets sets(parts.n);
    const auto vertex = [&](std::uint32_t node) { return parts.vertex_of_node[parts.streets.joined(node)]; };
    for (const auto& piece : parts.pieces) sets.join(vertex(piece.u), vertex(piece.v));
    std::vector<std::size_t> number(index(parts.n), 0);  // of the part that the vertex stands for
    std::vector<Part> found;
    for (Vertex v = 0; v < parts.n; ++v) {
        if (sets.find(v) != v) continue;
        number[index(v)] = found.size();
        found.emplace_back();
    }
    if (found.size() < 2) return;

    const auto part_at = [&](Vertex v) { return number[index(sets.find(v))]; };
    for (Vertex v = 0; v < parts.n; ++v) ++found[part_at(v)].vertices;
    std::vector<std::size_t> part_of_segment(parts.streets.point_count(), std::numeric_limits<std::size_t>::max());
    constexpr std::size_t most_nodes = 1000;
    for (const auto& piece : parts.pieces) {
        const std::size_t here = part_at(vertex(piece.u));
        Part& part = found[here];
        part.feature = std::min(part.feature, parts.streets.feature_of_line(piece.line));
        for (const std::uint32_t node : {piece.u, piece.v}) {
            if (part.nodes.size() < most_nodes) part.nodes.push_back(node);
        }
        for (std::size_t k = 0; k <= piece.end - piece.begin; ++k) part_of_segment[piece.segment + k] = here;
    }
    for (std::size_t k = 0; k < parts.vertex_of_place.size(); ++k) {
        Part& part = found[part_at(parts.vertex_of_place[k])];
        ++part.places;
        if (part.feature == std::numeric_limits<std::size_t>::max()) part.feature = parts.map.places[k].feature;
    }
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto largest = std::max_element(found.begin(), found.end(),
                                          [](const Part& a, const Part& b) { return a.vertices < b.vertices; });
    std::swap(order.front(), order[static_cast<std::size_t>(largest - found.begin())]);
    std::sort(order.begin() + 1, order.end(), [&](std::size_t a, std::size_t b) {
        if (found[a].places != found[b].places) return found[a].places > found[b].places;
        return found[a].vertices != found[b].vertices ? found[a].vertices > found[b].vertices : a < b;
    });
    const std::size_t other = order[1];
    const Part& part = found[other];
    const double gap = gap_of(parts, part, other, part_of_segment);
    std::size_t places_outside = 0;
    for (std::size_t k = 1; k < order.size(); ++k) places_outside += found[order[k]].places;
    std::string message = fmt::format(
        "lies in a part of {} {} that meets no other street: the streets fall into {} parts, the largest with {} of "
        "{} "
        "vertices; {} of {} points are outside of it",
        part.vertices, part.vertices == 1 ? "vertex" : "vertices", found.size(), largest->vertices, parts.n,
        places_outside, parts.vertex_of_place.size());
    if (std::isfinite(gap)) {
        message += fmt::format("; the gap is {} wide: --snap-tolerance joins ends that are closer than it says",
                               readable_metres(gap));
    }
    parts.map.warn(text, part.feature, message);
}

}  // namespace neuroprim::formats
