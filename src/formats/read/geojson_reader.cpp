#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "formats/read/reader.hpp"
#include "formats/streets/map_features.hpp"
#include "formats/streets/map_instance.hpp"
#include "formats/text/input_file.hpp"
#include "formats/text/json_cursor.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

namespace neuroprim::formats {

namespace {

/// The member that holds what an object of this type is about; nothing for unknown types.
std::string_view content_key(std::string_view type) {
    if (type == "FeatureCollection") return "features";
    if (type == "GeometryCollection") return "geometries";
    if (type == "Feature") return "geometry";
    for (const std::string_view geometry :
         {"Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"}) {
        if (type == geometry) return "coordinates";
    }
    return {};
}

bool is_content_key(std::string_view key) {
    return key == "features" || key == "geometries" || key == "geometry" || key == "coordinates";
}

/// Looks at the top-level keys up to the first that only GeoJSON has.
Match recognises_geojson(const Sniffed& sniffed) {
    if (!sniffed.first_line.value.starts_with('{')) return Match::no;
    bool found = false;
    try {
        JsonCursor cursor(sniffed.text);
        cursor.object([&](const std::string& key, std::size_t) {
            found = key == "type" || is_content_key(key);
            if (!found) cursor.skip();
            return !found;
        });
    } catch (const InputError&) {
        return Match::no;
    }
    return found ? Match::certain : Match::no;
}

/// Reads a text into features, and these into an instance: streets where there are lines, points otherwise.
class GeoJson {
public:
    explicit GeoJson(const Text& text) : text_(text), options_(text.map != nullptr ? *text.map : usual_options_) {}

    Instance read() {
        JsonCursor cursor(text_);
        read_object(cursor, 0);
        cursor.finish();
        if (without_geometry_ > 0) {
            text_.warn(first_without_geometry_, fmt::format("features without a geometry are skipped: {} of {}",
                                                            without_geometry_, map_.features.size()));
        }
        return map_instance(text_, map_, options_);
    }

    /// All areas, whatever their properties say.
    std::vector<Obstacle> read_obstacles(Metric metric) {
        takes_all_areas_ = true;
        is_on_earth_ = metric == Metric::great_circle;
        JsonCursor cursor(text_);
        read_object(cursor, 0);
        cursor.finish();
        if (map_.areas.empty()) {
            text_.fail("holds no areas (Polygon, MultiPolygon): obstacles are areas that edges go around");
        }
        if (!map_.lines.empty() || !map_.places.empty()) {
            text_.warn("points and lines are no obstacles: only areas are read here");
        }
        return obstacles_of(map_);
    }

private:
    /// Members come in any order: content that comes before its type is passed over and read when that is known.
    void read_object(JsonCursor& cursor, int depth) {
        constexpr int deepest = 64;
        if (depth > deepest) text_.fail(cursor.at(), "collections are nested too deep");
        const std::size_t begin = cursor.at();
        std::string type;
        bool has_content = false;
        std::map<std::string, JsonCursor, std::less<>> passed_over;
        std::optional<JsonCursor> properties;
        std::string id;
        const Found before = found();
        cursor.object([&](const std::string& key, std::size_t at) {
            if (key == "type") {
                type = read_type(cursor);
                if (type == "Feature") begin_feature(begin);
            } else if (key == content_key(type)) {
                if (has_content) text_.fail(at, fmt::format("key \"{}\" is given twice", key));
                has_content = true;
                read_content(cursor, type, depth);
            } else {
                if (key == "properties" && cursor.peek() != JsonCursor::Kind::null) properties = cursor;
                if (is_content_key(key)) passed_over.insert_or_assign(key, cursor);
                if (key == "id" && is_scalar(cursor)) {
                    id = read_scalar(cursor);
                } else if (key == "crs" && depth == 0 && is_on_earth_ && cursor.peek() == JsonCursor::Kind::object) {
                    read_reference_system(cursor);
                } else {
                    cursor.skip();
                }
            }
        });
        if (type.empty()) text_.fail(begin, "a GeoJSON object needs a \"type\"");
        if (!has_content) {
            const auto content = passed_over.find(content_key(type));
            if (content == passed_over.end()) {
                text_.fail(begin, fmt::format("a {} needs \"{}\"", type, content_key(type)));
            }
            read_content(content->second, type, depth);
        }
        if (type == "Feature") end_feature(before, properties, id);
    }

    /// The member of an older standard that programs still write:
    /// {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}. Warns where it is not in degrees of
    /// longitude and latitude as far as we know.
    void read_reference_system(JsonCursor& cursor) const {
        const std::size_t at = cursor.at();
        std::string name;
        cursor.object([&](const std::string& key, std::size_t) {
            if (key != "properties" || cursor.peek() != JsonCursor::Kind::object) return cursor.skip();
            cursor.object([&](const std::string& member, std::size_t) {
                if (member == "name" && is_scalar(cursor)) {
                    name = read_scalar(cursor);
                } else {
                    cursor.skip();
                }
            });
        });
        for (const std::string_view degrees : {"CRS84", "CRS83", ":4326", ":4258", ":4269", ":4979"}) {
            if (name.ends_with(degrees)) return;
        }
        if (name.empty()) return;
        text_.warn(at, fmt::format("its coordinate system is {}: positions are taken for longitude and latitude in "
                                   "degrees; --format gdal converts them, as ogr2ogr -t_srs EPSG:4326 does",
                                   in_quotes(name)));
    }

    /// How much was read of each kind.
    struct Found {
        std::size_t places;
        std::size_t lines;
        std::size_t areas;
    };

    [[nodiscard]] Found found() const { return {map_.places.size(), map_.lines.size(), map_.areas.size()}; }

    void begin_feature(std::size_t at) {
        map_.features.push_back({.id = static_cast<std::int64_t>(map_.features.size()), .at = at});
    }

    /// A geometry outside of all features is one, without properties.
    std::uint32_t feature(std::size_t at) {
        if (map_.features.empty()) {
            begin_feature(at);
            map_.features.front().called = "the geometry";
        }
        return static_cast<std::uint32_t>(map_.features.size() - 1);
    }

    void end_feature(const Found& before, const std::optional<JsonCursor>& properties, const std::string& id) {
        auto& of = map_.features.back();
        of.name = id;
        if (map_.places.size() > before.places) {
            PlaceFacts facts;
            if (properties) facts = read_facts(*properties);
            if (facts.name) of.name = *facts.name;
            for (std::size_t k = before.places; k < map_.places.size(); ++k) map_.places[k].facts = facts;
        }
        if (map_.lines.size() > before.lines) read_line_properties(of, properties);
        if (map_.areas.size() > before.areas && !is_forbidden(of, properties) && !takes_all_areas_) {
            map_.ignore_areas_from(before.areas);
        }
    }

    std::string read_type(JsonCursor& cursor) const {
        const std::size_t at = cursor.at();
        std::string type = cursor.string();
        if (!content_key(type).empty()) return type;
        if (!map_.features.empty()) {
            text_.fail(at, fmt::format("features[{}] is a {}: points, lines and areas can be read",
                                       map_.features.size() - 1, in_quotes(type)));
        }
        text_.fail(at, fmt::format("expected points or lines, found a {}", in_quotes(type)));
    }

    void read_content(JsonCursor& cursor, std::string_view type, int depth) {
        if (type == "Point") {
            read_place(cursor);
        } else if (type == "MultiPoint") {
            cursor.array([&] { read_place(cursor); });
        } else if (type == "LineString") {
            read_line(cursor);
        } else if (type == "MultiLineString") {
            cursor.array([&] { read_line(cursor); });
        } else if (type == "Polygon") {
            read_area(cursor);
        } else if (type == "MultiPolygon") {
            cursor.array([&] { read_area(cursor); });
        } else if (type == "Feature") {
            const std::size_t at = cursor.at();
            if (!cursor.null()) {
                read_object(cursor, depth + 1);
            } else if (without_geometry_++ == 0) {
                first_without_geometry_ = at;
            }
        } else {
            cursor.array([&] { read_object(cursor, depth + 1); });
        }
    }

    Point read_position(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        std::array<double, 2> position{};
        std::size_t count = 0;
        cursor.array([&] {
            const double value = to_number(text_, cursor.number("a coordinate"));
            if (count < position.size()) position[count] = value;
            ++count;
        });
        const Point point{position[0], position[1]};
        if (count < 2) {
            text_.fail(at, fmt::format("{}: expected [longitude, latitude], found {} numbers",
                                       map_.name_of(feature(at)), count));
        }
        if (const auto complaint = is_on_earth_ ? position_complaint(point) : std::nullopt) {
            text_.fail(at, fmt::format("{}: {}", map_.name_of(feature(at)), *complaint));
        }
        return point;
    }

    void read_place(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        const Point point = read_position(cursor);
        map_.add_place(feature(at), point);
    }

    void read_line(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        const std::size_t begin = map_.points.size();
        cursor.array([&] { map_.points.push_back(read_position(cursor)); });
        const std::size_t count = map_.points.size() - begin;
        if (count < 2) {
            text_.fail(at, fmt::format("{} has a line of {}: a line needs two points or more",
                                       map_.name_of(feature(at)), count == 0 ? "no points" : "one point"));
        }
        map_.lines.push_back({feature(at), begin, map_.points.size()});
    }

    void read_area(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        MapFeatures::Area area{feature(at), {}};
        cursor.array([&] {
            const std::size_t ring_at = cursor.at();
            auto& ring = area.rings.emplace_back();
            cursor.array([&] { ring.push_back(read_position(cursor)); });
            if (ring.size() < 4) {
                text_.fail(ring_at,
                           fmt::format("{} has a ring of {} points: an area needs four, the last as the first",
                                       map_.name_of(feature(at)), ring.size()));
            }
        });
        map_.areas.push_back(std::move(area));
    }

    [[nodiscard]] PlaceFacts read_facts(JsonCursor cursor) const {
        PlaceFacts facts;
        cursor.object([&](const std::string& key, std::size_t) {
            if (cursor.null()) return;
            if (key == "name") {
                facts.name = read_scalar(cursor);
            } else if (key == "group") {
                facts.group = read_scalar(cursor);
            } else if (key == options_.terminal_property) {
                facts.terminal = read_flag(cursor);
            } else if (key == "leaf") {
                facts.leaf = read_flag(cursor);
            } else if (key == "root") {
                facts.root = read_flag(cursor);
            } else if (key == "kind" && is_scalar(cursor)) {
                facts.kind = read_scalar(cursor);
            } else if (key == "degree") {
                facts.degree = to_degree_limit(text_, cursor.number("a degree limit"));
            } else if (key == options_.demand_property) {
                facts.demand = read_amount(cursor, "a demand");
            } else if (key == "mass") {
                facts.mass = read_amount(cursor, "a mass");
            } else if (key == options_.prize_property) {
                facts.prize = read_amount(cursor, "a prize");
            } else {
                cursor.skip();
            }
        });
        return facts;
    }

    void read_line_properties(MapFeatures::Feature& of, const std::optional<JsonCursor>& properties) const {
        bool has_price = options_.price_property.empty();
        if (properties) {
            JsonCursor cursor = *properties;
            cursor.object([&](const std::string& key, std::size_t) {
                if (cursor.null()) return;
                if (key == options_.weight_property && !options_.weight_property.empty()) {
                    of.weight = read_amount(cursor, "a weight");
                } else if (key == options_.price_property && !options_.price_property.empty()) {
                    of.price = read_amount(cursor, "a price");
                    has_price = true;
                } else if (key == options_.existing_property) {
                    of.existing = read_flag(cursor);
                } else if (key == "name" && is_scalar(cursor)) {
                    of.name = read_scalar(cursor);
                } else {
                    cursor.skip();
                }
            });
        }
        if (of.existing) return;
        const auto refuse = [&](const std::string& property, std::string_view option) {
            map_.fail_without(text_, map_.features.size() - 1, "property", property, option);
        };
        if (!options_.weight_property.empty() && std::isnan(of.weight)) {
            refuse(options_.weight_property, "weight-property");
        }
        if (!has_price) refuse(options_.price_property, "price-property");
    }

    /// Reads the name of an area, too.
    bool is_forbidden(MapFeatures::Feature& of, const std::optional<JsonCursor>& properties) const {
        bool forbidden = false;
        if (!properties) return forbidden;
        JsonCursor cursor = *properties;
        cursor.object([&](const std::string& key, std::size_t) {
            if (key == options_.forbidden_property && !takes_all_areas_ && !cursor.null()) {
                forbidden = read_flag(cursor);
            } else if (key == "name" && is_scalar(cursor)) {
                of.name = read_scalar(cursor);
            } else {
                cursor.skip();
            }
        });
        return forbidden;
    }

    /// A number, also one in quotes, as some programs write them.
    [[nodiscard]] double read_amount(JsonCursor& cursor, std::string_view what) const {
        if (cursor.peek() != JsonCursor::Kind::string) return to_weight(text_, cursor.number(what), what);
        const std::size_t at = cursor.at();
        const std::string amount = cursor.string();
        return to_weight(text_, {amount, at}, what);
    }

    [[nodiscard]] bool read_flag(JsonCursor& cursor) const {
        const std::size_t at = cursor.at();
        const std::string flag = read_scalar(cursor);
        return to_flag(text_, {flag, at});
    }

    [[nodiscard]] static bool is_scalar(JsonCursor& cursor) {
        const auto kind = cursor.peek();
        return kind == JsonCursor::Kind::string || kind == JsonCursor::Kind::number ||
               kind == JsonCursor::Kind::boolean;
    }

    /// The text of a string, number or boolean.
    static std::string read_scalar(JsonCursor& cursor) {
        switch (cursor.peek()) {
            case JsonCursor::Kind::string:
                return cursor.string();
            case JsonCursor::Kind::number:
                return std::string(cursor.number().value);
            case JsonCursor::Kind::boolean:
                return cursor.boolean() ? "true" : "false";
            default:
                cursor.fail_expected("a string, a number or a boolean");
        }
    }

    const Text& text_;
    const MapOptions usual_options_ = {};
    const MapOptions& options_;
    MapFeatures map_;
    std::size_t without_geometry_ = 0;
    std::size_t first_without_geometry_ = 0;
    bool takes_all_areas_ = false;
    bool is_on_earth_ = true;
};

std::vector<Instance> read_geojson(const Text& text) {
    return just(GeoJson(text).read());
}

}  // namespace

extern const Reader geojson_reader = {"geojson", "GeoJSON points or streets", recognises_geojson, read_geojson};

}  // namespace neuroprim::formats

namespace neuroprim {

std::vector<Obstacle> parse_obstacles(std::string_view text, const std::string& source, Metric metric,
                                      const ReadOptions& options) {
    const formats::TextFile file(text, source, options.max_input, options.warn, &options.map);
    if (!file.text().content.starts_with('{')) {
        file.text().fail("obstacles are areas in GeoJSON: convert the file (ogr2ogr -f GeoJSON areas.geojson FILE)");
    }
    return formats::GeoJson(file.text()).read_obstacles(metric);
}

std::vector<Obstacle> read_obstacles(const std::string& path, Metric metric, const ReadOptions& options) {
    const std::string bytes = formats::file_content(path, options.max_input);
    return parse_obstacles(bytes, formats::source_name(path), metric, options);
}

}  // namespace neuroprim
