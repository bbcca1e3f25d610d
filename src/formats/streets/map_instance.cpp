#include "formats/streets/map_instance.hpp"

#include <fmt/format.h>

#include "formats/read/point_list.hpp"
#include "formats/streets/street_instance.hpp"

namespace neuroprim::formats {

namespace {

Instance point_instance(const Text& text, const MapFeatures& map) {
    const std::vector<bool> is_root = map.roots();
    PointList points;
    for (const auto& [feature, at, facts] : map.places) {
        const std::size_t v = points.size();
        points.add(at);
        if (facts.name) points.set_name(v, *facts.name, map.features[feature].at);
        if (facts.terminal.value_or(false)) points.set_terminal(v);
        if (facts.leaf) points.set_leaf(v);
        if (is_root[v]) points.set_root(v);
        if (facts.degree) points.set_degree_limit(v, *facts.degree);
        if (facts.demand) points.set_demand(v, *facts.demand);
        if (facts.mass) points.set_mass(v, *facts.mass);
        if (facts.prize) points.set_prize(v, *facts.prize);
        if (facts.group) points.set_group(v, *facts.group);
    }
    return std::move(points).to_instance(text, Metric::great_circle, PointList::SameName::number);
}

}  // namespace

Instance map_instance(const Text& text, const MapFeatures& map, const MapOptions& options) {
    if (map.ignored_areas > 0) {
        map.warn(text, map.first_ignored_area,
                 fmt::format("is an area without \"{}\": true, one of {} that mean nothing here: "
                             "--forbidden-property names the property of areas that no edge may pass",
                             options.forbidden_property, map.ignored_areas));
    }
    if (!map.lines.empty()) return street_instance(text, map, options);
    if (map.places.empty() && map.areas.size() + map.ignored_areas > 0) {
        text.fail("holds areas, but no points and no lines: --obstacles takes such a file beside one of points");
    }
    Instance instance = point_instance(text, map);
    return map.areas.empty() ? instance : around_obstacles(std::move(instance), obstacles_of(map));
}

std::vector<Obstacle> obstacles_of(const MapFeatures& map) {
    std::vector<Obstacle> result;
    for (const auto& area : map.areas) result.push_back({map.name_of(area.feature), area.rings});
    return result;
}

}  // namespace neuroprim::formats
