#include "formats/read/json_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "formats/text/values.hpp"

namespace neuroprim::formats {

namespace {

void append_places(JsonCursor& cursor, std::vector<Point>& points, Metric metric) {
    cursor.array([&] {
        const std::size_t at = cursor.at();
        std::array<double, 2> place{};
        std::size_t count = 0;
        cursor.array([&] {
            const double value = to_number(cursor.text(), cursor.number("a coordinate"));
            if (count < place.size()) place[count] = value;
            ++count;
        });
        if (count != 2)
            cursor.text().fail(at, fmt::format("expected [longitude, latitude], found {} numbers", count));
        check_position(cursor.text(), at, {place[0], place[1]}, metric);
        points.push_back({place[0], place[1]});
    });
}

Metric metric_of(const StreetMap& map) {
    return map.is_on_earth ? Metric::great_circle : Metric::euclidean;
}

void append_shape(JsonCursor& cursor, const Instance& instance, StreetMap& map) {
    const std::size_t at = cursor.at();
    StreetMap::Line line;
    line.begin = map.points.size();
    int count = 0;
    cursor.array([&] {
        if (count == 0) line.u = to_vertex(cursor.text(), cursor.number("a vertex"), instance.size(), 0);
        if (count == 1) line.v = to_vertex(cursor.text(), cursor.number("a vertex"), instance.size(), 0);
        if (count == 2) append_places(cursor, map.points, metric_of(map));
        if (count > 2) cursor.skip();
        ++count;
    });
    line.end = map.points.size();
    if (count != 3) cursor.text().fail(at, "expected a shape [u, v, [[longitude, latitude], …]]");
    if (line.u == line.v || !instance.weights.has_edge(line.u, line.v)) {
        cursor.text().fail(at, fmt::format("there is no edge between {} and {}", line.u, line.v));
    }
    if (line.u > line.v) {
        std::swap(line.u, line.v);
        std::reverse(map.points.begin() + static_cast<std::ptrdiff_t>(line.begin), map.points.end());
    }
    map.lines.push_back(line);
}

/// First, because they say what positions are. Takes a copy of the cursor, which stays where it is.
void read_map_flags(JsonCursor cursor, StreetMap& map) {
    cursor.object([&](const std::string& key, std::size_t) {
        if (key == "streets") {
            map.has_streets = cursor.boolean();
        } else if (key == "plane") {
            map.is_on_earth = !cursor.boolean();
        } else {
            cursor.skip();
        }
    });
}

}  // namespace

std::shared_ptr<const StreetMap> read_json_map(JsonCursor& cursor, const Instance& instance) {
    const std::size_t begin = cursor.at();
    if (instance.layout.empty()) cursor.text().fail(begin, R"("map" needs "layout", in degrees)");
    auto map = std::make_shared<StreetMap>();
    read_map_flags(cursor, *map);
    for (const Point p : instance.layout) check_position(cursor.text(), begin, p, metric_of(*map));
    cursor.object([&](const std::string& key, std::size_t at) {
        if (key == "streets" || key == "plane") {
            cursor.skip();
        } else if (key == "shapes") {
            cursor.array([&] { append_shape(cursor, instance, *map); });
        } else if (key == "areas") {
            cursor.array([&] { append_places(cursor, map->areas.emplace_back(), metric_of(*map)); });
        } else {
            cursor.text().fail(at,
                               fmt::format("unknown key {}: expected shapes, areas, streets, plane", in_quotes(key)));
        }
    });
    const auto ends = [](const StreetMap::Line& line) { return std::tuple(line.u, line.v); };
    std::sort(map->lines.begin(), map->lines.end(), [&](const auto& a, const auto& b) { return ends(a) < ends(b); });
    const auto twice = std::adjacent_find(map->lines.begin(), map->lines.end(),
                                          [&](const auto& a, const auto& b) { return ends(a) == ends(b); });
    if (twice != map->lines.end()) {
        cursor.text().fail(begin, fmt::format("edge {}-{} has two shapes", twice->u, twice->v));
    }
    return map;
}

}  // namespace neuroprim::formats
