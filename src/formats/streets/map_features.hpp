#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/text/text.hpp"
#include "neuroprim/types.hpp"

namespace neuroprim::formats {

/// What a point of a map says about itself.
struct PlaceFacts {
    std::optional<std::string> name = {};
    std::optional<bool> terminal = {};
    std::optional<double> demand = {};
    std::optional<double> mass = {};
    std::optional<double> prize = {};
    std::optional<int> degree = {};
    std::optional<std::string> group = {};
    bool leaf = false;
    std::optional<bool> root = {};
    std::optional<std::string> kind = {};

    /// Does it say whether the tree must hold it? A place without a word is an address where all are.
    [[nodiscard]] bool says_its_part() const { return terminal || demand || prize; }
};

/// What a map file holds, in the order of the file, as longitude and latitude in degrees.
struct MapFeatures {
    static constexpr double no_weight = std::numeric_limits<double>::quiet_NaN();
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    struct Feature {
        std::int64_t id = 0;
        std::size_t at = nowhere;   ///< in the text
        std::string called = {};    ///< in messages; empty: features[id]
        std::string name = {};      ///< its own, if it has one
        double weight = no_weight;  ///< of all its lines together
        double price = 1;           ///< of a metre, where it has no weight
        bool existing = false;      ///< there already, at no cost
    };

    struct Line {
        std::uint32_t feature = 0;
        std::size_t begin = 0;  ///< its points are points[begin] … points[end − 1]
        std::size_t end = 0;
    };

    struct Place {
        std::uint32_t feature = 0;
        Point at;
        PlaceFacts facts;
    };

    /// Inside is what an odd number of rings surround.
    struct Area {
        std::uint32_t feature = 0;
        std::vector<std::vector<Point>> rings;
    };

    std::vector<Feature> features;
    std::vector<Line> lines;
    std::vector<Point> points;  // of all lines
    std::vector<Place> places;
    std::vector<Area> areas;  // forbidden ones
    std::size_t ignored_areas = 0;
    std::uint32_t first_ignored_area = 0;  // its feature

    /// Returns what is to be said about it.
    PlaceFacts& add_place(std::uint32_t feature, Point at);

    /// Drops the areas from this one on, which are not forbidden, and counts them.
    void ignore_areas_from(std::size_t first);

    /// (places) Which are roots: those that say so, or substations where none says anything about roots.
    [[nodiscard]] std::vector<bool> roots() const;

    /// `features[12] ("Main Street")`
    [[nodiscard]] std::string name_of(std::size_t feature) const;

    /// Throws InputError about one feature, with its line where the text has lines.
    [[noreturn]] void fail(const Text& text, std::size_t feature, const std::string& message) const;
    void warn(const Text& text, std::size_t feature, const std::string& message) const;

    /// The same about a street that lacks what an option asks of all; `kind` is the format's word: field, tag,
    /// property.
    [[noreturn]] void fail_without(const Text& text, std::size_t feature, std::string_view kind,
                                   std::string_view name, std::string_view option) const;
};

/// `12.3 m`, `4.56 km`: for messages.
[[nodiscard]] std::string readable_metres(double metres);

/// `[-122.03, 36.95]`
[[nodiscard]] std::string readable_place(Point at);

/// Why this is no place on Earth, and what to do about it; nothing where it is one.
[[nodiscard]] std::optional<std::string> position_complaint(Point at);

}  // namespace neuroprim::formats
