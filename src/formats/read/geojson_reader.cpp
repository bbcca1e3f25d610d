#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <optional>

#include "formats/read/point_list.hpp"
#include "formats/read/reader.hpp"
#include "formats/text/json_cursor.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

/// The member that holds what an object of this type is about; nothing for types that hold no points.
std::string_view content_key(std::string_view type) {
    if (type == "FeatureCollection") return "features";
    if (type == "GeometryCollection") return "geometries";
    if (type == "Feature") return "geometry";
    if (type == "Point" || type == "MultiPoint") return "coordinates";
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

/// What a feature says about its points.
struct Properties {
    std::optional<std::string> name;
    bool terminal = false;
    bool leaf = false;
    bool root = false;
    std::optional<int> degree;
    std::optional<double> demand;
    std::optional<double> prize;
    std::optional<std::string> group;
    std::size_t at = 0;
};

class GeoJson {
public:
    explicit GeoJson(const Text& text) : text_(text) {}

    Instance read() {
        JsonCursor cursor(text_);
        read_object(cursor, 0);
        cursor.finish();
        if (without_geometry_ > 0) {
            text_.warn(first_without_geometry_, fmt::format("features without a geometry are skipped: {} of {}",
                                                            without_geometry_, features_));
        }
        return std::move(points_).to_instance(text_, Metric::great_circle, PointList::SameName::number);
    }

private:
    /// Members come in any order: content that comes before its type is passed over and read when that is known.
    void read_object(JsonCursor& cursor, int depth) {
        constexpr int deepest = 64;
        if (depth > deepest) text_.fail(cursor.at(), "collections are nested too deep");
        const std::size_t begin = cursor.at();
        const std::size_t first_point = points_.size();
        std::string type;
        bool has_content = false;
        std::map<std::string, JsonCursor, std::less<>> passed_over;
        Properties properties;
        cursor.object([&](const std::string& key, std::size_t at) {
            if (key == "type") {
                type = read_type(cursor);
            } else if (key == "properties" && !cursor.null()) {
                properties = read_properties(cursor);
            } else if (key == content_key(type)) {
                if (has_content) text_.fail(at, fmt::format("key \"{}\" is given twice", key));
                has_content = true;
                read_content(cursor, type, depth);
            } else if (key != "properties") {
                if (is_content_key(key)) passed_over.insert_or_assign(key, cursor);
                cursor.skip();
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
        if (type == "Feature") {
            apply(properties, first_point);
            ++features_;
        }
    }

    std::string read_type(JsonCursor& cursor) const {
        const std::size_t at = cursor.at();
        std::string type = cursor.string();
        if (!content_key(type).empty()) return type;
        if (in_collection_) {
            text_.fail(at, fmt::format("features[{}] is a {}: only points can be read", features_, in_quotes(type)));
        }
        text_.fail(at, fmt::format("expected points, found a {}", in_quotes(type)));
    }

    void read_content(JsonCursor& cursor, std::string_view type, int depth) {
        if (type == "Point") {
            read_position(cursor);
        } else if (type == "MultiPoint") {
            cursor.array([&] { read_position(cursor); });
        } else if (type == "Feature") {
            const std::size_t at = cursor.at();
            if (!cursor.null()) {
                read_object(cursor, depth + 1);
            } else if (without_geometry_++ == 0) {
                first_without_geometry_ = at;
            }
        } else {
            in_collection_ = in_collection_ || type == "FeatureCollection";
            cursor.array([&] { read_object(cursor, depth + 1); });
        }
    }

    void read_position(JsonCursor& cursor) {
        const std::size_t at = cursor.at();
        std::array<double, 2> position{};
        std::size_t count = 0;
        cursor.array([&] {
            const double value = to_number(text_, cursor.number("a coordinate"));
            if (count < position.size()) position[count] = value;
            ++count;
        });
        if (count < 2) text_.fail(at, fmt::format("expected [longitude, latitude], found {} numbers", count));
        const Point point{position[0], position[1]};
        check_position(text_, at, point, Metric::great_circle);
        points_.add(point);
    }

    Properties read_properties(JsonCursor& cursor) const {
        Properties properties;
        properties.at = cursor.at();
        cursor.object([&](const std::string& key, std::size_t) {
            if (cursor.null()) return;
            if (key == "name") {
                properties.name = read_scalar(cursor);
            } else if (key == "group") {
                properties.group = read_scalar(cursor);
            } else if (key == "terminal") {
                properties.terminal = read_flag(cursor);
            } else if (key == "leaf") {
                properties.leaf = read_flag(cursor);
            } else if (key == "root") {
                properties.root = read_flag(cursor);
            } else if (key == "degree") {
                properties.degree = to_degree_limit(text_, cursor.number("a degree limit"));
            } else if (key == "demand") {
                properties.demand = to_weight(text_, cursor.number("a demand"), "a demand");
            } else if (key == "prize") {
                properties.prize = to_weight(text_, cursor.number("a prize"), "a prize");
            } else {
                cursor.skip();
            }
        });
        return properties;
    }

    [[nodiscard]] bool read_flag(JsonCursor& cursor) const {
        const std::size_t at = cursor.at();
        const std::string flag = read_scalar(cursor);
        return to_flag(text_, {flag, at});
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

    void apply(const Properties& properties, std::size_t first_point) {
        for (std::size_t v = first_point; v < points_.size(); ++v) {
            if (properties.name) points_.set_name(v, *properties.name, properties.at);
            if (properties.terminal) points_.set_terminal(v);
            if (properties.leaf) points_.set_leaf(v);
            if (properties.root) points_.set_root(v);
            if (properties.degree) points_.set_degree_limit(v, *properties.degree);
            if (properties.demand) points_.set_demand(v, *properties.demand);
            if (properties.prize) points_.set_prize(v, *properties.prize);
            if (properties.group) points_.set_group(v, *properties.group);
        }
    }

    const Text& text_;
    PointList points_;
    bool in_collection_ = false;
    std::size_t features_ = 0;  // read so far
    std::size_t without_geometry_ = 0;
    std::size_t first_without_geometry_ = 0;
};

std::vector<Instance> read_geojson(const Text& text) {
    return just(GeoJson(text).read());
}

}  // namespace

extern const Reader geojson_reader = {"geojson", "GeoJSON points", recognises_geojson, read_geojson};

}  // namespace neuroprim::formats
