#include "formats/write/writer_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "neuroprim/error.hpp"

namespace neuroprim::formats {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> other_names = {{
    {"tsplib", "tsp"},
    {"steinlib", "stp"},
    {"gv", "dot"},
    {"graph", "metis"},
}};

std::string lower_case(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

std::string ending(const std::string& path) {
    constexpr std::string_view json_of_networkx = ".node-link.json";
    if (lower_case(path).ends_with(json_of_networkx)) return "node-link";
    const std::string extension = std::filesystem::path(path).extension().string();
    return lower_case(extension.empty() ? extension : extension.substr(1));
}

std::string known(std::span<const FormatInfo> formats, std::string_view prefix) {
    std::string list;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        list += fmt::format("{}{}{}", i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ", prefix, formats[i].name);
    }
    return list;
}

}  // namespace

std::size_t chosen_format(const std::string& path, std::string_view format, std::span<const FormatInfo> formats) {
    if (format.empty() && path == "-") return 0;
    std::string name = format.empty() ? ending(path) : lower_case(std::string(format));
    for (const auto& [other, ours] : other_names) {
        if (name == other) name = ours;
    }
    const auto found =
        std::find_if(formats.begin(), formats.end(), [&](const FormatInfo& info) { return info.name == name; });
    if (found != formats.end()) return static_cast<std::size_t>(found - formats.begin());

    if (!format.empty()) {
        throw InputError(fmt::format("unknown format \"{}\": expected {}", format, known(formats, "")));
    }
    throw InputError(path, 0,
                     name.empty() ? fmt::format("the file name needs an ending: {}", known(formats, "."))
                                  : fmt::format("unknown ending \".{}\": expected {}", name, known(formats, ".")));
}

}  // namespace neuroprim::formats
