#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "neuroprim/error.hpp"

namespace neuroprim::cli {

namespace {

constexpr std::string_view placeholder = "{name}";

bool holds_name(const std::filesystem::path& part) {
    return part.string().find(placeholder) != std::string::npos;
}

void refuse_one_file_for_several(const std::string& pattern, bool several) {
    if (several && pattern != "-" && !holds_name(pattern)) {
        throw InputError(
            fmt::format("several instances cannot all be written to {}: put {{name}} in the file name", pattern));
    }
}

}  // namespace

std::string output_path(const std::string& pattern, const Instance& instance, bool several) {
    refuse_one_file_for_several(pattern, several);
    const auto at = pattern.find(placeholder);
    if (at == std::string::npos) return pattern;
    return pattern.substr(0, at) + instance.name + pattern.substr(at + placeholder.size());
}

void check_output(const std::string& pattern, bool several, const std::function<void(const std::string&)>& check) {
    refuse_one_file_for_several(pattern, several);
    const std::filesystem::path path = pattern;
    if (!holds_name(path.parent_path()) && !holds_name(path.extension())) check(pattern);
}

}  // namespace neuroprim::cli
