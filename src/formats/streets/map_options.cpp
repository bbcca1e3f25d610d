#include "neuroprim/map_options.hpp"

#include <fmt/format.h>

#include <array>

#include "formats/text/text.hpp"
#include "formats/text/values.hpp"
#include "neuroprim/error.hpp"

namespace neuroprim {

namespace {

constexpr std::array known_map_options = {
    MapOption{"snap_tolerance", "METRES", "Ends of streets that lie so close are one vertex",
              &MapOptions::snap_tolerance},
    MapOption{"snap_distance", "METRES", "Refuse addresses that are farther from every street",
              &MapOptions::snap_distance},
    MapOption{"weight_property", "NAME",
              "Property of lines that is their weight; metres along the street unless given",
              &MapOptions::weight_property},
    MapOption{"price_property", "NAME", "Property of lines that is the price of a metre; 1 unless given",
              &MapOptions::price_property},
    MapOption{"terminal_property", "NAME", "Property of points that makes them terminals",
              &MapOptions::terminal_property},
    MapOption{"demand_property", "NAME", "Property of points that is their demand", &MapOptions::demand_property},
    MapOption{"prize_property", "NAME", "Property of points that is their prize", &MapOptions::prize_property},
    MapOption{"existing_property", "NAME", "Property of lines that are there already and cost nothing",
              &MapOptions::existing_property},
    MapOption{"forbidden_property", "NAME", "Property of areas that no street may pass",
              &MapOptions::forbidden_property},
    MapOption{"terminal_tag", "KEY[=VALUE]", "OpenStreetMap: nodes with this tag are terminals",
              &MapOptions::terminal_tag},
};

}  // namespace

std::span<const MapOption> map_options() {
    return known_map_options;
}

void set_map_option(MapOptions& options, std::string_view name, const std::string& value, std::string_view called) {
    for (const MapOption& option : known_map_options) {
        if (option.name != name) continue;
        if (const auto* text = std::get_if<std::string MapOptions::*>(&option.member)) {
            options.** text = value;
            return;
        }
        const auto metres = formats::parse_number(value);
        if (!metres || !(*metres >= 0) || *metres > formats::largest_magnitude) {
            throw InputError(fmt::format("{}: expected metres, at least 0, found {}", called.empty() ? name : called,
                                         formats::in_quotes(value)));
        }
        options.*std::get<double MapOptions::*>(option.member) = *metres;
        return;
    }
    throw InputError(fmt::format("there is no option {} for maps", formats::in_quotes(name)));
}

}  // namespace neuroprim
