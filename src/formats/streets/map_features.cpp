#include "formats/streets/map_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats/read/point_list.hpp"

namespace neuroprim::formats {

PlaceFacts& MapFeatures::add_place(std::uint32_t feature, Point at) {
    Place& place = places.emplace_back();
    place.feature = feature;
    place.at = at;
    return place.facts;
}

void MapFeatures::ignore_areas_from(std::size_t first) {
    if (first == areas.size()) return;
    if (ignored_areas == 0) first_ignored_area = areas[first].feature;
    ignored_areas += areas.size() - first;
    areas.resize(first);
}

std::vector<bool> MapFeatures::roots() const {
    const bool some_say =
        std::any_of(places.begin(), places.end(), [](const Place& place) { return place.facts.root.has_value(); });
    std::vector<bool> result;
    for (const Place& place : places) {
        const PlaceFacts& facts = place.facts;
        result.push_back(some_say ? facts.root.value_or(false) : facts.kind && same_word(*facts.kind, kind_of_roots));
    }
    return result;
}

std::string MapFeatures::name_of(std::size_t feature) const {
    const Feature& of = features[feature];
    const std::string called = of.called.empty() ? fmt::format("features[{}]", of.id) : of.called;
    return of.name.empty() ? called : fmt::format("{} ({})", called, in_quotes(of.name));
}

void MapFeatures::fail(const Text& text, std::size_t feature, const std::string& message) const {
    const std::string whole = fmt::format("{} {}", name_of(feature), message);
    if (features[feature].at == nowhere) text.fail(whole);
    text.fail(features[feature].at, whole);
}

void MapFeatures::warn(const Text& text, std::size_t feature, const std::string& message) const {
    const std::string whole = fmt::format("{} {}", name_of(feature), message);
    if (features[feature].at == nowhere) {
        text.warn(whole);
    } else {
        text.warn(features[feature].at, whole);
    }
}

void MapFeatures::fail_without(const Text& text, std::size_t feature, std::string_view kind, std::string_view name,
                               std::string_view option) const {
    fail(
        text, feature,
        fmt::format("has no {} {}, which --{} names: give it one, or leave the option away to weigh streets by their "
                    "length",
                    kind, in_quotes(name), option));
}

std::string readable_metres(double metres) {
    if (metres >= 1e4) return fmt::format("{:.1f} km", metres / 1e3);
    return fmt::format("{:.{}f} m", metres, metres < 1 ? 3 : metres < 100 ? 1 : 0);
}

std::string readable_place(Point at) {
    return fmt::format("[{:.7g}, {:.7g}]", at.x, at.y);
}

std::optional<std::string> position_complaint(Point at) {
    std::string what;
    if (!(std::abs(at.y) <= 90)) {
        what = fmt::format("latitude {} is outside -90 to 90", at.y);
    } else if (!(std::abs(at.x) <= 360)) {
        what = fmt::format("longitude {} is outside -360 to 360", at.x);
    } else {
        return std::nullopt;
    }
    if (std::abs(at.x) <= 90 && std::abs(at.y) <= 360) {
        return what + ": are longitude and latitude swapped? Longitude comes first";
    }
    return what + ": positions are longitude and latitude in degrees; convert the file to WGS 84 (EPSG:4326)";
}

}  // namespace neuroprim::formats
