#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace neuroprim {

/// How streets and addresses of a map become a graph. Only formats that hold lines ask.
struct MapOptions {
    double snap_tolerance = 0.01;  ///< metres
    double snap_distance = 500;    ///< metres
    std::string weight_property = {};
    std::string price_property = {};
    std::string terminal_property = "terminal";
    std::string demand_property = "demand";
    std::string prize_property = "prize";
    std::string existing_property = "existing";
    std::string forbidden_property = "forbidden";
    std::string terminal_tag = {};
};

/// One of them by its name. Flags of the command, parameters of HTTP and keywords of Python are made from this.
struct MapOption {
    std::string_view name;
    std::string_view placeholder;  ///< for its value in help texts
    std::string_view help;
    std::variant<double MapOptions::*, std::string MapOptions::*> member;
};

[[nodiscard]] std::span<const MapOption> map_options();

/// Sets the option of this name from a text. Throws InputError when it is unknown or when the text is no length;
/// errors call it by `called`, or else by its name.
void set_map_option(MapOptions& options, std::string_view name, const std::string& value,
                    std::string_view called = {});

}  // namespace neuroprim
