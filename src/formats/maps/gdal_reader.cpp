#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "formats/read/reader.hpp"
#include "formats/streets/map_features.hpp"
#include "formats/streets/map_instance.hpp"
#include "formats/text/input_file.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

#ifdef NEUROPRIM_GDAL_SONAME
#include <dlfcn.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <memory>
#endif

namespace neuroprim::formats {

namespace {

#ifdef NEUROPRIM_GDAL_SONAME

/// A function of GDAL under its own name and type.
template <class Function>
Function* gdal_function(void* library, const char* name) {
    auto* found = reinterpret_cast<Function*>(::dlsym(library, name));
    if (found == nullptr) throw InputError(fmt::format("this version of GDAL has no {}", name));
    return found;
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage,bugprone-macro-parentheses): a name as text and as a function
#define NEUROPRIM_GDAL_FUNCTION(name) decltype(::name)* name = gdal_function<decltype(::name)>(library, #name)

/// What is used of GDAL. Loading it takes longer than most commands, so it waits for the first file that needs it.
struct Gdal {
    explicit Gdal(void* library_) : library(library_) {
        GDALAllRegister();
        CPLPushErrorHandler(CPLQuietErrorHandler);  // what goes wrong is asked for
    }

    static const Gdal& loaded(const std::string& source) {
        static void* const library = ::dlopen(NEUROPRIM_GDAL_SONAME, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            throw InputError(source, 0,
                             fmt::format("needs GDAL, and {} is not installed: install it, or convert the file with "
                                         "ogr2ogr -f GeoJSON -t_srs EPSG:4326",
                                         NEUROPRIM_GDAL_SONAME));
        }
        static const Gdal gdal(library);
        return gdal;
    }

    void* library;
    NEUROPRIM_GDAL_FUNCTION(GDALAllRegister);
    NEUROPRIM_GDAL_FUNCTION(CPLPushErrorHandler);
    NEUROPRIM_GDAL_FUNCTION(CPLQuietErrorHandler);
    NEUROPRIM_GDAL_FUNCTION(CPLGetLastErrorMsg);
    NEUROPRIM_GDAL_FUNCTION(GDALOpenEx);
    NEUROPRIM_GDAL_FUNCTION(GDALClose);
    NEUROPRIM_GDAL_FUNCTION(GDALDatasetGetLayerCount);
    NEUROPRIM_GDAL_FUNCTION(GDALDatasetGetLayer);
    NEUROPRIM_GDAL_FUNCTION(OGR_L_GetName);
    NEUROPRIM_GDAL_FUNCTION(OGR_L_GetSpatialRef);
    NEUROPRIM_GDAL_FUNCTION(OGR_L_ResetReading);
    NEUROPRIM_GDAL_FUNCTION(OGR_L_GetNextFeature);
    NEUROPRIM_GDAL_FUNCTION(OGR_F_Destroy);
    NEUROPRIM_GDAL_FUNCTION(OGR_F_GetFID);
    NEUROPRIM_GDAL_FUNCTION(OGR_F_GetGeometryRef);
    NEUROPRIM_GDAL_FUNCTION(OGR_F_GetFieldCount);
    NEUROPRIM_GDAL_FUNCTION(OGR_F_GetFieldDefnRef);
    NEUROPRIM_GDAL_FUNCTION(OGR_Fld_GetNameRef);
    NEUROPRIM_GDAL_FUNCTION(OGR_F_IsFieldSetAndNotNull);
    NEUROPRIM_GDAL_FUNCTION(OGR_F_GetFieldAsString);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_GetGeometryType);
    NEUROPRIM_GDAL_FUNCTION(OGR_GT_Flatten);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_GetGeometryName);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_GetGeometryCount);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_GetGeometryRef);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_GetPointCount);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_GetX);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_GetY);
    NEUROPRIM_GDAL_FUNCTION(OGR_G_Transform);
    NEUROPRIM_GDAL_FUNCTION(OSRNewSpatialReference);
    NEUROPRIM_GDAL_FUNCTION(OSRImportFromEPSG);
    NEUROPRIM_GDAL_FUNCTION(OSRSetAxisMappingStrategy);
    NEUROPRIM_GDAL_FUNCTION(OSRDestroySpatialReference);
    NEUROPRIM_GDAL_FUNCTION(OCTNewCoordinateTransformation);
    NEUROPRIM_GDAL_FUNCTION(OCTDestroyCoordinateTransformation);
};

#undef NEUROPRIM_GDAL_FUNCTION

/// All layers of a file as features in degrees.
class GdalFeatures {
public:
    GdalFeatures(const Gdal& gdal, const Text& text, const MapOptions& options)
        : gdal_(gdal), text_(text), options_(options) {}

    MapFeatures read(const std::string& path) {
        const auto close = [this](GDALDatasetH file) { gdal_.GDALClose(file); };
        const std::unique_ptr<void, decltype(close)> file(
            gdal_.GDALOpenEx(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, nullptr, nullptr, nullptr), close);
        if (!file) text_.fail(fmt::format("GDAL cannot read it: {}", gdal_.CPLGetLastErrorMsg()));
        const int layers = gdal_.GDALDatasetGetLayerCount(file.get());
        for (int k = 0; k < layers; ++k) read_layer(gdal_.GDALDatasetGetLayer(file.get(), k));
        if (without_geometry_ > 0) {
            text_.warn(fmt::format("features without a geometry are skipped: {} of {}", without_geometry_,
                                   map_.features.size()));
        }
        return std::move(map_);
    }

private:
    void read_layer(OGRLayerH layer) {
        const std::string name = gdal_.OGR_L_GetName(layer);
        const auto drop_reference = [this](void* reference) { gdal_.OSRDestroySpatialReference(reference); };
        const std::unique_ptr<void, decltype(drop_reference)> degrees(gdal_.OSRNewSpatialReference(nullptr),
                                                                      drop_reference);
        gdal_.OSRImportFromEPSG(degrees.get(), 4326);
        gdal_.OSRSetAxisMappingStrategy(degrees.get(), OAMS_TRADITIONAL_GIS_ORDER);
        const auto drop_way = [this](void* way) {
            if (way != nullptr)
                gdal_.OCTDestroyCoordinateTransformation(static_cast<OGRCoordinateTransformationH>(way));
        };
        std::unique_ptr<void, decltype(drop_way)> to_degrees(nullptr, drop_way);
        if (OGRSpatialReferenceH own = gdal_.OGR_L_GetSpatialRef(layer)) {
            gdal_.OSRSetAxisMappingStrategy(own, OAMS_TRADITIONAL_GIS_ORDER);
            to_degrees.reset(gdal_.OCTNewCoordinateTransformation(own, degrees.get()));
            if (!to_degrees) {
                text_.fail(fmt::format("layer {}: GDAL knows no way to longitude and latitude: {}", name,
                                       gdal_.CPLGetLastErrorMsg()));
            }
        } else {
            text_.warn(
                fmt::format("layer {} does not say its coordinate system: taken for longitude and latitude", name));
        }
        gdal_.OGR_L_ResetReading(layer);
        const auto drop_feature = [this](void* feature) { gdal_.OGR_F_Destroy(static_cast<OGRFeatureH>(feature)); };
        for (;;) {
            const std::unique_ptr<void, decltype(drop_feature)> feature(gdal_.OGR_L_GetNextFeature(layer),
                                                                        drop_feature);
            if (!feature) return;
            read_feature(static_cast<OGRFeatureH>(feature.get()), name,
                         static_cast<OGRCoordinateTransformationH>(to_degrees.get()));
        }
    }

    void read_feature(OGRFeatureH feature, const std::string& layer, OGRCoordinateTransformationH to_degrees) {
        const auto id = static_cast<std::int64_t>(gdal_.OGR_F_GetFID(feature));
        map_.features.push_back({.id = id, .called = fmt::format("{}[{}]", layer, id)});
        const std::size_t number = map_.features.size() - 1;
        if (const auto name = field(feature, "name")) map_.features.back().name = *name;
        OGRGeometryH geometry = gdal_.OGR_F_GetGeometryRef(feature);
        if (geometry == nullptr) {
            ++without_geometry_;
            return;
        }
        if (to_degrees != nullptr && gdal_.OGR_G_Transform(geometry, to_degrees) != OGRERR_NONE) {
            map_.fail(text_, number, "cannot be brought to longitude and latitude");
        }
        const std::size_t places = map_.places.size();
        const std::size_t lines = map_.lines.size();
        const std::size_t areas = map_.areas.size();
        add_geometry(number, geometry);
        if (map_.places.size() > places) {
            const PlaceFacts facts = facts_of_place(feature, number);
            for (std::size_t k = places; k < map_.places.size(); ++k) map_.places[k].facts = facts;
        }
        if (map_.lines.size() > lines) add_line_facts(feature, number);
        if (map_.areas.size() > areas && !flag(feature, number, options_.forbidden_property).value_or(false)) {
            map_.ignore_areas_from(areas);
        }
    }

    void add_geometry(std::size_t feature, OGRGeometryH geometry) {
        const auto number = static_cast<std::uint32_t>(feature);
        switch (gdal_.OGR_GT_Flatten(gdal_.OGR_G_GetGeometryType(geometry))) {
            case wkbPoint:
                map_.add_place(number, point(feature, geometry, 0));
                return;
            case wkbLineString: {
                const std::size_t begin = map_.points.size();
                for (const Point p : points(feature, geometry)) map_.points.push_back(p);
                if (map_.points.size() - begin < 2) map_.fail(text_, feature, "has a line of less than two points");
                map_.lines.push_back({number, begin, map_.points.size()});
                return;
            }
            case wkbPolygon: {
                MapFeatures::Area area{number, {}};
                for (int k = 0; k < gdal_.OGR_G_GetGeometryCount(geometry); ++k) {
                    area.rings.push_back(points(feature, gdal_.OGR_G_GetGeometryRef(geometry, k)));
                    if (area.rings.back().size() < 4)
                        map_.fail(text_, feature, "has a ring of less than four points");
                }
                map_.areas.push_back(std::move(area));
                return;
            }
            case wkbMultiPoint:
            case wkbMultiLineString:
            case wkbMultiPolygon:
            case wkbGeometryCollection:
                for (int k = 0; k < gdal_.OGR_G_GetGeometryCount(geometry); ++k) {
                    add_geometry(feature, gdal_.OGR_G_GetGeometryRef(geometry, k));
                }
                return;
            default:
                map_.fail(text_, feature,
                          fmt::format("is a {}: points, lines and areas can be read",
                                      gdal_.OGR_G_GetGeometryName(geometry)));
        }
    }

    [[nodiscard]] std::vector<Point> points(std::size_t feature, OGRGeometryH geometry) const {
        const int count = gdal_.OGR_G_GetPointCount(geometry);
        std::vector<Point> result;
        result.reserve(static_cast<std::size_t>(count));
        for (int k = 0; k < count; ++k) result.push_back(point(feature, geometry, k));
        return result;
    }

    [[nodiscard]] Point point(std::size_t feature, OGRGeometryH geometry, int k) const {
        const Point at{gdal_.OGR_G_GetX(geometry, k), gdal_.OGR_G_GetY(geometry, k)};
        if (const auto complaint = position_complaint(at)) map_.fail(text_, feature, ": " + *complaint);
        return at;
    }

    /// The text of a field, whatever the case of its name: shapefiles shout.
    [[nodiscard]] std::optional<std::string> field(OGRFeatureH feature, std::string_view name) const {
        if (name.empty()) return std::nullopt;
        for (int k = 0; k < gdal_.OGR_F_GetFieldCount(feature); ++k) {
            if (!same_word(gdal_.OGR_Fld_GetNameRef(gdal_.OGR_F_GetFieldDefnRef(feature, k)), name)) continue;
            if (gdal_.OGR_F_IsFieldSetAndNotNull(feature, k) == 0) return std::nullopt;
            std::string value = gdal_.OGR_F_GetFieldAsString(feature, k);
            if (value.empty()) return std::nullopt;
            return value;
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<double> amount(OGRFeatureH feature, std::size_t number, std::string_view name) const {
        const auto value = field(feature, name);
        if (!value) return std::nullopt;
        const auto found = parse_number(trimmed(*value));
        if (!found || !(*found >= 0) || *found > largest_magnitude) {
            map_.fail(text_, number,
                      fmt::format("has {} = {}: expected a number of at least 0", name, in_quotes(*value)));
        }
        return found;
    }

    [[nodiscard]] std::optional<bool> flag(OGRFeatureH feature, std::size_t number, std::string_view name) const {
        const auto value = field(feature, name);
        if (!value) return std::nullopt;
        for (const auto* yes : {"1", "true", "yes", "t", "y"}) {
            if (same_word(*value, yes)) return true;
        }
        for (const auto* no : {"0", "false", "no", "f", "n"}) {
            if (same_word(*value, no)) return false;
        }
        map_.fail(text_, number, fmt::format("has {} = {}: expected yes or no", name, in_quotes(*value)));
    }

    [[nodiscard]] PlaceFacts facts_of_place(OGRFeatureH feature, std::size_t number) const {
        PlaceFacts facts;
        facts.name = field(feature, "name");
        facts.group = field(feature, "group");
        facts.terminal = flag(feature, number, options_.terminal_property);
        facts.demand = amount(feature, number, options_.demand_property);
        facts.prize = amount(feature, number, options_.prize_property);
        facts.leaf = flag(feature, number, "leaf").value_or(false);
        facts.root = flag(feature, number, "root");
        facts.kind = field(feature, "kind");
        facts.mass = amount(feature, number, "mass");
        if (const auto degree = amount(feature, number, "degree")) {
            if (*degree < 1 || *degree != std::floor(*degree) || *degree > std::numeric_limits<int>::max()) {
                map_.fail(text_, number,
                          fmt::format("has degree = {}: expected a whole number of at least 1", *degree));
            }
            facts.degree = static_cast<int>(*degree);
        }
        return facts;
    }

    void add_line_facts(OGRFeatureH feature, std::size_t number) {
        auto& of = map_.features[number];
        of.existing = flag(feature, number, options_.existing_property).value_or(false);
        const auto needed = [&](const std::string& name, std::string_view option) {
            const auto value = amount(feature, number, name);
            if (!value && !name.empty() && !of.existing) {
                map_.fail_without(text_, number, "field", name, option);
            }
            return value;
        };
        of.weight = needed(options_.weight_property, "weight-property").value_or(MapFeatures::no_weight);
        of.price = needed(options_.price_property, "price-property").value_or(1);
    }

    const Gdal& gdal_;
    const Text& text_;
    const MapOptions& options_;
    MapFeatures map_;
    std::size_t without_geometry_ = 0;
};

std::vector<Instance> read_gdal_file(const std::string& path, const ReadOptions& options) {
    const Text text = named_text(path, options);
    const MapFeatures map = GdalFeatures(Gdal::loaded(path), text, options.map).read(path);
    return just(map_instance(text, map, options.map));
}

#else

std::vector<Instance> read_gdal_file(const std::string& path, const ReadOptions&) {
    throw InputError(
        path, 0,
        "is a map that this build cannot read: build with GDAL (libgdal-dev), or convert it with ogr2ogr "
        "-f GeoJSON -t_srs EPSG:4326");
}

#endif

std::vector<Instance> read_gdal_text(const Text& text) {
    throw InputError(text.source, 0, "GDAL reads files by their names, and this is none");
}

Match recognises_gdal_text(const Sniffed&) {
    return Match::no;
}

/// GeoPackage is a database of SQLite, a shapefile begins with 9994.
bool recognises_gdal_file(std::string_view head) {
    using namespace std::string_view_literals;
    return head.starts_with("SQLite format 3\0"sv) || head.starts_with("\0\0\x27\x0a"sv);
}

}  // namespace

extern const Reader gdal_reader = {"gdal",
                                   "shapefile, GeoPackage and what else GDAL reads",
                                   recognises_gdal_text,
                                   read_gdal_text,
                                   recognises_gdal_file,
                                   read_gdal_file};

}  // namespace neuroprim::formats
