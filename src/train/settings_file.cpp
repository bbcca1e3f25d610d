#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "neuroprim/error.hpp"
#include "train/configuration.hpp"

#if __has_include(<toml++/toml.h>)
#define NEUROPRIM_HAS_TOML 1
#include <toml++/toml.h>
#endif

namespace neuroprim::train {

namespace {

std::string read_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    if (!in) throw InputError(path.string(), 0, fmt::format("cannot be read: {}", std::strerror(errno)));
    return text.str();
}

long line_at(const std::string& text, std::size_t offset) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
    return 1 + std::count(text.begin(), end, '\n');
}

/// The parser keeps no positions, so the key is looked for where it stands before a colon.
long line_of_key(const std::string& text, const std::string& key) {
    const std::string quoted = nlohmann::json(key).dump();
    for (auto at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at + 1)) {
        const auto next = text.find_first_not_of(" \t\r\n", at + quoted.size());
        if (next != std::string::npos && text[next] == ':') return line_at(text, at);
    }
    return 0;
}

#ifdef NEUROPRIM_HAS_TOML
std::vector<Setting> read_toml(const std::string& source, const std::string& text) {
    std::vector<Setting> settings;
    toml::table table;
    try {
        table = toml::parse(text, source);
    } catch (const toml::parse_error& error) {
        throw InputError(source, static_cast<long>(error.source().begin.line), std::string(error.description()));
    }
    for (const auto& [key, node] : table) {
        Setting setting{std::string(key.str()), std::int64_t{0}, source, static_cast<long>(key.source().begin.line)};
        if (const auto* flag = node.as_boolean()) {
            setting.value = flag->get();
        } else if (const auto* whole = node.as_integer()) {
            setting.value = whole->get();
        } else if (const auto* real = node.as_floating_point()) {
            setting.value = real->get();
        } else if (const auto* content = node.as_string()) {
            setting.value = content->get();
        } else if (node.is_table()) {
            throw InputError(source, setting.line,
                             fmt::format("[{}]: options stand in one flat list, without tables", setting.name));
        } else {
            throw InputError(source, setting.line,
                             fmt::format("{}: expected a number, a text, true or false", setting.name));
        }
        settings.push_back(std::move(setting));
    }
    return settings;
}
#endif

}  // namespace

std::vector<Setting> parse_json_settings(const std::string& text, const std::string& source) {
    std::vector<Setting> settings;
    nlohmann::ordered_json json;
    std::set<std::string> seen;
    const auto refuse_repeats = [&](int depth, nlohmann::ordered_json::parse_event_t event,
                                    nlohmann::ordered_json& parsed) {
        if (depth == 1 && event == nlohmann::ordered_json::parse_event_t::key) {
            const auto key = parsed.get<std::string>();
            if (!seen.insert(key).second) {
                throw InputError(source, line_of_key(text, key), fmt::format("{} is given twice", key));
            }
        }
        return true;
    };
    try {
        json = nlohmann::ordered_json::parse(text, refuse_repeats);
    } catch (const nlohmann::json::parse_error& error) {
        throw InputError(source, line_at(text, error.byte), "not valid JSON here");
    }
    if (!json.is_object()) throw InputError(source, 1, "expected an object of option names and values");
    for (const auto& [key, value] : json.items()) {
        const long line = line_of_key(text, key);
        Setting setting{key, std::int64_t{0}, source, line};
        if (value.is_boolean()) {
            setting.value = value.get<bool>();
        } else if (value.is_number_integer()) {
            setting.value = value.get<std::int64_t>();
        } else if (value.is_number()) {
            setting.value = value.get<double>();
        } else if (value.is_string()) {
            setting.value = value.get<std::string>();
        } else {
            throw InputError(source, line, fmt::format("{}: expected a number, a text, true or false", key));
        }
        settings.push_back(std::move(setting));
    }
    return settings;
}

std::vector<Setting> read_settings(const std::filesystem::path& path) {
    const std::string source = path.string();
    if (path.extension() == ".json") return parse_json_settings(read_text(path), source);
    if (path.extension() == ".toml") {
#ifdef NEUROPRIM_HAS_TOML
        return read_toml(source, read_text(path));
#else
        throw InputError(source, 0,
                         "this program was built without toml++ and reads JSON only: bench/gpu/configs writes the "
                         "files of configs/ as JSON");
#endif
    }
    throw InputError(source, 0, "expected a name ending in .toml or .json");
}

}  // namespace neuroprim::train
