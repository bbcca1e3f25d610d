#include "formats/streets/street_addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace neuroprim::formats {

namespace {

[[noreturn]] void fail_far(const Text& text, const MapFeatures& map, const std::vector<std::size_t>& far,
                           double farthest, double first, const MapOptions& options) {
    std::string others;
    if (far.size() > 1) {
        others = fmt::format(" (and {} more, up to {})", far.size() - 1, readable_metres(farthest));
    }
    map.fail(
        text, map.places[far.front()].feature,
        fmt::format("is {} from the nearest street{}, and at most {} are allowed: move it, add the street that "
                    "leads to it, or allow more with --snap-distance {:.0f}",
                    readable_metres(first), others, readable_metres(options.snap_distance), std::ceil(farthest)));
}

/// What all places at one vertex say together.
struct VertexFacts {
    std::size_t first = 0;  // place
    bool is_address = false;
    bool terminal = false;
    double demand = 0;
    double prize = 0;
    bool has_prize = false;
    std::optional<double> mass = {};
};

}  // namespace

std::vector<SnappedPlace> snapped_places(const Text& text, const MapFeatures& map, const MapOptions& options,
                                         const ForbiddenAreas& areas, StreetNetwork& streets, Findings& findings) {
    std::vector<SnappedPlace> result;
    std::vector<std::size_t> far;
    double farthest = 0;
    double first_far = 0;
    for (std::size_t k = 0; k < map.places.size(); ++k) {
        const auto& place = map.places[k];
        std::function<bool(std::size_t, Point)> allows;
        if (!areas.empty()) allows = [&](std::size_t, Point at) { return !areas.holding(at); };
        const auto spot = streets.nearest(place.at, std::numeric_limits<double>::infinity(), allows);
        if (!spot) map.fail(text, place.feature, "finds no street outside the forbidden areas");
        if (const auto area = areas.holding(place.at)) {
            findings.add(Findings::Kind::in_forbidden_area, place.feature, [&] {
                return fmt::format("lies in the forbidden area {}: it joins the nearest street outside, {} away",
                                   map.name_of(map.areas[*area].feature), readable_metres(spot->metres));
            });
        }
        if (spot->metres > options.snap_distance) {
            if (far.empty()) first_far = spot->metres;
            far.push_back(k);
            farthest = std::max(farthest, spot->metres);
            continue;
        }
        result.push_back({streets.add_node(*spot), spot->metres});
    }
    if (!far.empty()) fail_far(text, map, far, farthest, first_far, options);
    return result;
}

void tell_vertices(const MapFeatures& map, const std::vector<Vertex>& vertex, PointList& vertices,
                   Findings& findings) {
    const bool some_say = std::any_of(map.places.begin(), map.places.end(),
                                      [](const auto& place) { return place.facts.says_its_part(); });
    std::map<Vertex, VertexFacts> told;
    const std::vector<bool> is_root = map.roots();
    std::set<Vertex> roots;  // increasing, as they must be marked
    for (std::size_t k = 0; k < map.places.size(); ++k) {
        const auto& [feature, at, facts] = map.places[k];
        const auto v = index(vertex[k]);
        const bool is_address = facts.says_its_part() || !some_say;
        if (!is_address && !is_root[k]) {
            findings.add(Findings::Kind::said_nothing, feature, [] {
                return "has neither a demand nor a prize and is no terminal, as other points are: the tree may pass "
                       "it, but need not (--demand-property, --prize-property, --terminal-property)";
            });
        }
        const bool asks = is_address && !facts.prize && facts.demand.value_or(1) > 0;
        const bool is_terminal = facts.terminal.value_or(asks || is_root[k]);
        const auto [found, is_new] = told.try_emplace(vertex[k], VertexFacts{k});
        VertexFacts& all = found->second;
        if (is_address && all.is_address) {
            findings.add(Findings::Kind::same_place, feature, [&] {
                return fmt::format(
                    "is at the same place of the streets as {}: they are one vertex, and demands and "
                    "prizes add up",
                    map.name_of(map.places[all.first].feature));
            });
        } else if (is_address) {
            all.first = k;
        }
        all.is_address = all.is_address || is_address;
        all.terminal = all.terminal || is_terminal;
        all.demand += facts.demand.value_or(is_address && !is_root[k] ? 1 : 0);
        all.prize += facts.prize.value_or(0);
        all.has_prize = all.has_prize || facts.prize;
        if (facts.mass) all.mass = all.mass.value_or(0) + *facts.mass;
        if (facts.name && (is_new || all.first == k)) vertices.set_name(v, *facts.name, map.features[feature].at);
        if (facts.leaf) vertices.set_leaf(v);
        if (facts.degree) vertices.set_degree_limit(v, *facts.degree);
        if (facts.group) vertices.set_group(v, *facts.group);
        if (is_root[k]) roots.insert(vertex[k]);
    }
    for (const Vertex root : roots) vertices.set_root(index(root));
    if (map.places.empty()) return;
    // What is no address has no demand.
    for (std::size_t v = 0; v < vertices.size(); ++v) vertices.set_demand(v, 0);
    for (const auto& [v, all] : told) {
        vertices.set_demand(index(v), all.demand);
        if (all.terminal) vertices.set_terminal(index(v));
        if (all.has_prize) vertices.set_prize(index(v), all.prize);
        if (all.mass) vertices.set_mass(index(v), *all.mass);
    }
}

}  // namespace neuroprim::formats
