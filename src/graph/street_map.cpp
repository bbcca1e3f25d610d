#include "neuroprim/street_map.hpp"

#include <algorithm>
#include <utility>

#include "neuroprim/metric.hpp"

namespace neuroprim {

const StreetMap::Line* StreetMap::line(Vertex u, Vertex v) const {
    const auto key = std::minmax(u, v);
    const auto found = std::lower_bound(
        lines.begin(), lines.end(), std::pair<Vertex, Vertex>(key),
        [](const Line& line, const std::pair<Vertex, Vertex>& ends) { return std::pair(line.u, line.v) < ends; });
    if (found == lines.end() || found->u != key.first || found->v != key.second) return nullptr;
    return &*found;
}

void StreetMap::append_between(std::vector<Point>& path, Vertex u, Vertex v) const {
    const Line* found = line(u, v);
    if (found == nullptr) return;
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(found->begin);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>(found->end);
    if (u < v) {
        path.insert(path.end(), begin, end);
    } else {
        path.insert(path.end(), std::make_reverse_iterator(end), std::make_reverse_iterator(begin));
    }
}

std::span<const StreetMap::Address> StreetMap::addresses_at(Vertex v) const {
    struct ByVertex {
        bool operator()(const Address& a, Vertex b) const { return a.vertex < b; }
        bool operator()(Vertex a, const Address& b) const { return a < b.vertex; }
    };
    const auto [begin, end] = std::equal_range(addresses.begin(), addresses.end(), v, ByVertex{});
    return {addresses.data() + (begin - addresses.begin()), static_cast<std::size_t>(end - begin)};
}

double path_length(std::span<const Point> path) {
    double sum = 0;
    for (std::size_t i = 1; i < path.size(); ++i) sum += distance(Metric::great_circle, path[i - 1], path[i]);
    return sum;
}

}  // namespace neuroprim
