#include <fmt/format.h>

#include <string_view>

#include "formats/read/reader.hpp"
#include "formats/streets/map_features.hpp"
#include "formats/streets/street_instance.hpp"
#include "formats/text/input_file.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"
#include "neuroprim/formats.hpp"

#ifdef NEUROPRIM_HAS_OSMIUM
#include <algorithm>
#include <array>
#include <osmium/handler.hpp>
#include <osmium/handler/node_locations_for_ways.hpp>
#include <osmium/index/map/sparse_mem_array.hpp>
#include <osmium/io/any_input.hpp>
#include <osmium/visitor.hpp>
#endif

namespace neuroprim::formats {

namespace {

#ifdef NEUROPRIM_HAS_OSMIUM

/// Ways of this kind are no streets, or none yet or no more.
bool is_street(const char* highway) {
    constexpr std::array<std::string_view, 10> others = {"proposed", "construction", "abandoned", "razed",
                                                         "planned",  "platform",     "rest_area", "services",
                                                         "bus_stop", "elevator"};
    return highway != nullptr && std::find(others.begin(), others.end(), std::string_view(highway)) == others.end();
}

/// Highways as lines, and nodes with the tag that was asked for as terminals.
class OsmFeatures : public osmium::handler::Handler {
public:
    OsmFeatures(const Text& text, const MapOptions& options) : text_(text), options_(options) {
        const std::size_t at = options.terminal_tag.find('=');
        key_ = options.terminal_tag.substr(0, at);
        if (at != std::string::npos) value_ = options.terminal_tag.substr(at + 1);
    }

    void node(const osmium::Node& node) {
        if (key_.empty() || node.tags().empty()) return;
        const char* value = node.tags()[key_.c_str()];
        if (value == nullptr || (value_ && *value_ != value)) return;
        const std::uint32_t feature = begin("node", node.id());
        if (!node.location().valid()) map_.fail(text_, feature, "has no place on Earth");
        PlaceFacts& facts = map_.add_place(feature, {node.location().lon(), node.location().lat()});
        facts.terminal = true;
        facts.demand = amount(feature, node.tags(), options_.demand_property, "a demand");
        facts.prize = amount(feature, node.tags(), options_.prize_property, "a prize");
        if (facts.prize) facts.terminal.reset();
        if (const char* name = node.tags()["name"]) {
            facts.name = name;
        } else if (const char* number = node.tags()["addr:housenumber"]) {
            const char* street = node.tags()["addr:street"];
            facts.name = street == nullptr ? number : fmt::format("{} {}", street, number);
        }
    }

    void way(const osmium::Way& way) {
        if (!is_street(way.tags()["highway"]) || way.tags().has_tag("area", "yes")) return;
        const std::uint32_t feature = begin("way", way.id());
        auto& of = map_.features[feature];
        if (const char* name = way.tags()["name"]) of.name = name;
        if (!options_.existing_property.empty())
            of.existing = way.tags().has_tag(options_.existing_property.c_str(), "yes");
        const auto needed = [&](const std::string& key, std::string_view option, std::string_view what) {
            const auto value = amount(feature, way.tags(), key, what);
            if (!value && !key.empty() && !of.existing) {
                map_.fail_without(text_, feature, "tag", key, option);
            }
            return value;
        };
        of.weight = needed(options_.weight_property, "weight-property", "a weight").value_or(MapFeatures::no_weight);
        of.price = needed(options_.price_property, "price-property", "a price").value_or(1);
        add_line(feature, way);
    }

    MapFeatures features() && {
        if (map_.lines.empty()) text_.fail("there are no highways in this file");
        if (first_cut_) {
            map_.warn(
                text_, *first_cut_,
                fmt::format("has nodes that the file does not hold, one of {} such ways: ways end there", cut_));
        }
        return std::move(map_);
    }

private:
    std::uint32_t begin(std::string_view kind, std::int64_t id) {
        map_.features.push_back({.id = id, .called = fmt::format("{} {}", kind, id)});
        return static_cast<std::uint32_t>(map_.features.size() - 1);
    }

    /// An extract may cut ways: they end where nodes are missing.
    void add_line(std::uint32_t feature, const osmium::Way& way) {
        std::size_t begin = map_.points.size();
        bool is_cut = false;
        const auto end_line = [&] {
            if (map_.points.size() - begin >= 2) {
                map_.lines.push_back({feature, begin, map_.points.size()});
            } else {
                map_.points.resize(begin);
            }
            begin = map_.points.size();
        };
        for (const auto& node : way.nodes()) {
            if (node.location().valid()) {
                map_.points.push_back({node.location().lon(), node.location().lat()});
            } else {
                is_cut = true;
                end_line();
            }
        }
        end_line();
        if (!is_cut) return;
        if (!first_cut_) first_cut_ = feature;
        ++cut_;
    }

    [[nodiscard]] std::optional<double> amount(std::uint32_t feature, const osmium::TagList& tags,
                                               const std::string& key, std::string_view what) const {
        const char* value = key.empty() ? nullptr : tags[key.c_str()];
        if (value == nullptr) return std::nullopt;
        const auto number = parse_number(value);
        if (!number || !(*number >= 0) || *number > largest_magnitude) {
            map_.fail(text_, feature,
                      fmt::format("has the tag {} = {}, which is not {}", key, in_quotes(value), what));
        }
        return number;
    }

    const Text& text_;
    const MapOptions& options_;
    std::string key_;
    std::optional<std::string> value_;
    MapFeatures map_;
    std::optional<std::size_t> first_cut_;
    std::size_t cut_ = 0;
};

std::vector<Instance> read_osm(const Text& text, const osmium::io::File& file, const MapOptions& options) {
    try {
        osmium::io::Reader reader(file, osmium::osm_entity_bits::node | osmium::osm_entity_bits::way);
        osmium::index::map::SparseMemArray<osmium::unsigned_object_id_type, osmium::Location> index;
        osmium::handler::NodeLocationsForWays<decltype(index)> locations(index);
        locations.ignore_errors();
        OsmFeatures handler(text, options);
        osmium::apply(reader, locations, handler);
        reader.close();
        return just(street_instance(text, std::move(handler).features(), options));
    } catch (const InputError&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw InputError(text.source, 0, fmt::format("is no OpenStreetMap file: {}", error.what()));
    }
}

std::vector<Instance> read_osm_file(const std::string& path, const ReadOptions& options) {
    const Text text = named_text(path, options);
    osmium::io::File file(path);
    if (file.format() == osmium::io::file_format::unknown) file = osmium::io::File(path, "osm");
    return read_osm(text, file, options.map);
}

std::vector<Instance> read_osm_text(const Text& text) {
    const osmium::io::File file(text.content.data(), text.content.size(), "osm");
    return read_osm(text, file, text.map != nullptr ? *text.map : MapOptions{});
}

#else

[[noreturn]] void fail_without_osmium(const std::string& source) {
    throw InputError(source, 0,
                     "is an OpenStreetMap file, which this build cannot read: build with libosmium (libosmium2-dev), "
                     "or export the streets as GeoJSON");
}

std::vector<Instance> read_osm_file(const std::string& path, const ReadOptions&) {
    fail_without_osmium(path);
}

std::vector<Instance> read_osm_text(const Text& text) {
    fail_without_osmium(text.source);
}

#endif

Match recognises_osm(const Sniffed& sniffed) {
    if (!sniffed.first_line.value.starts_with('<')) return Match::no;
    constexpr std::size_t looked_at = 4096;
    const bool found = sniffed.text.content.substr(0, looked_at).find("<osm") != std::string_view::npos;
    return found ? Match::certain : Match::no;
}

/// The first block of a PBF file says what it is.
bool recognises_pbf(std::string_view head) {
    return head.substr(0, 32).find("\x0a\x09OSMHeader") != std::string_view::npos;
}

}  // namespace

extern const Reader osm_reader = {
    "osm", "OpenStreetMap XML or PBF", recognises_osm, read_osm_text, recognises_pbf, read_osm_file};

}  // namespace neuroprim::formats
