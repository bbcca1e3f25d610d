#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "formats/text/gzip.hpp"
#include "formats/write/json_object.hpp"
#include "neuroprim/formats.hpp"
#include "neuroprim/parameters.hpp"
#include "serve/api.hpp"
#include "serve/request.hpp"

namespace neuroprim::serve {

namespace {

/// A name without folders, short enough for a message. It names things; nothing is opened.
std::string plain_name(const std::string& name) {
    constexpr std::size_t longest = 100;
    std::string result = name.substr(name.find_last_of("/\\") + 1).substr(0, longest);
    if (result.empty() || !formats::is_utf8(result)) return "file";
    return result;
}

/// What a gzip file holds, unless that is larger than a body may be.
std::string content_of(std::string body, const std::string& source, std::size_t most) {
    if (formats::is_gzip(body)) return formats::unpacked(body, source, most);
    return body;
}

ApiResponse read_file(const std::string& content, const std::string& source, const std::string& format,
                      const MapOptions& map, const Limits& limits) {
    const std::string found = format.empty() ? std::string(detected_format(content, source)) : format;
    std::vector<std::string> warnings;
    const Warn warn = [&](const std::string& message) {
        warnings.push_back(formats::json_string(respelled(message, Spelling::field)));
    };
    const std::vector<Instance> instances =
        parse_instances(content, source, ReadOptions{found, default_max_input, warn, map});
    const Instance& instance = instances.front();
    check_size(instance, limits);
    return {200, "application/json",
            fmt::format(R"({{"instance": {}, "format": {}, "problem": "{}", "instances": {}, "warnings": [{}]}})",
                        formats::instance_to_json_line(instance), formats::json_string(found),
                        implied_preset(instance, {}), instances.size(), fmt::join(warnings, ", ")) +
                "\n"};
}

}  // namespace

Job::Work prepare_read(const Context& context, ApiRequest request) {
    const std::string source = plain_name(request.parameter("name"));
    const std::string format = request.parameter("format");
    MapOptions map;
    for (const MapOption& option : map_options()) {
        const std::string value = request.parameter(std::string(option.name));
        if (!value.empty()) set_map_option(map, option.name, value);
    }
    const Limits& limits = context.settings.limits;
    auto content =
        std::make_shared<const std::string>(content_of(std::move(request.body), source, limits.body_bytes));
    return [content, source, format, map, &limits](Job&) { return read_file(*content, source, format, map, limits); };
}

}  // namespace neuroprim::serve
