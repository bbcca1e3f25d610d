#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/pictures/marks.hpp"
#include "neuroprim/picture.hpp"

namespace neuroprim::formats {

struct LegendEntry {
    Role role = Role::hidden;  ///< `hidden`: words alone
    double radius = 0;
    std::string text;
    std::optional<Colour> line = {};  ///< a stroke of this colour, twice the radius long
};

/// `crd500 · dcmst · n = 50 · cost 5,123 · bound 5,002 · gap 2.4 % · prim`, as its parts.
[[nodiscard]] std::vector<std::string> tree_facts(const Instance& instance, const Solution& solution);

/// `crd500 · n = 50 · metric euclidean`, as its parts.
[[nodiscard]] std::vector<std::string> instance_facts(const Instance& instance);

/// A number for people: at most six digits, thousands separated.
[[nodiscard]] std::string readable(double value);

/// Adds the legend and below it the caption to the bottom of the picture, as many lines as they need, and makes
/// the picture so much higher.
void append_footer(Picture& picture, const std::vector<LegendEntry>& legend, const std::vector<std::string>& facts);

}  // namespace neuroprim::formats
